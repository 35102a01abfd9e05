import test from 'ava';
import { FunctionRunner } from './sandbox.js';
import type { Failure, FunctionProgram } from './protocol.js';

const second = 1000;

const program = (source: string, rest: Partial<FunctionProgram> = {}): FunctionProgram => ({
  kind: 'filter',
  key: source,
  source,
  design: '{}',
  request: 'null',
  ...rest,
});

const documents = (...members: object[]) => JSON.stringify(members);
const numbers = documents({ n: 0 }, { n: 1 }, { n: 2 });

/** Runs a function for all documents in one slice. Leaves out the number of results. */
function runIn(runner: FunctionRunner, given: FunctionProgram, documents: string, cpuMs = 20 * second) {
  const outcome = runner.run(given, { documents, sliceMs: 60 * second, cpuMs });
  return 'failure' in outcome ? outcome : { results: outcome.results };
}

/** Runs a function in a new sandbox. */
async function run(source: string, rest?: Partial<FunctionProgram>, given = numbers) {
  return runIn(await FunctionRunner.load(), program(source, rest), given);
}

const passing: [name: string, source: string, results: string][] = [
  ['a function', 'function (doc) { return doc.n === 1; }', '010'],
  ['a function with a name', 'function odd(doc) { return doc.n === 1; }', '010'],
  ['an arrow function', '(doc) => doc.n === 1', '010'],
  ['an arrow function of one parameter', 'doc => doc.n === 1', '010'],
  ['a function with a semicolon', 'function (doc) { return doc.n === 1; } ;\n', '010'],
  ['a function between comments', '// first\nfunction (doc) { return doc.n === 1; } // last', '010'],
  ['a function in parentheses', '(function (doc) { return doc.n === 1; })', '010'],
  ['an expression that returns a function', '(() => (doc) => doc.n === 1)()', '010'],
  ['a truthy result', 'function (doc) { return ["", "no", {}][doc.n]; }', '011'],
  ['no result', 'function () {}', '000'],
  [
    'isArray, sum and toJSON',
    'function (doc) { return isArray([]) && sum([1, doc.n]) === 2 && toJSON([1]) === "[1]"; }',
    '010',
  ],
  ['log', 'function (doc) { log(doc); log("text"); return true; }', '111'],
  ['emit in a filter function', 'function (doc) { emit(doc.n); return false; }', '000'],
  [
    'a function that modifies JSON',
    'function (doc) { JSON.parse = Reflect.apply = null; String.prototype.slice = null; return doc.n; }',
    '011',
  ],
];

for (const [name, source, results] of passing)
  test(`${name} filters documents`, async (t) => {
    t.deepEqual(await run(source), { results });
  });

test('documents for which a map function calls emit pass', async (t) => {
  const source = 'function (doc) { for (var i = 0; i < doc.n; i++) emit(i, null); return true; }';
  t.deepEqual(await run(source, { kind: 'map' }), { results: '011' });
  t.deepEqual(await run('function () { return arguments.length === 1; }', { kind: 'map' }), {
    results: '000',
  });
});

test('a filter function receives the document, the request and, as `this`, the design document', async (t) => {
  const source = `function (doc, req) {
    return this.limit > doc.n && req.query.wanted === "yes" && arguments.length === 2;
  }`;
  const rest = { design: '{"limit": 2}', request: '{"query": {"wanted": "yes"}}' };
  t.deepEqual(await run(source, rest), { results: '110' });
});

test('functions cannot access the host', async (t) => {
  const names = [
    'process',
    'require.main',
    'module',
    'globalThis.fetch',
    'setTimeout',
    'setInterval',
    'WebAssembly',
    'Worker',
    'std',
    'os',
    'console',
    'XMLHttpRequest',
    'Deno',
    'Buffer',
    'SharedWorker',
    'importScripts',
  ];
  const source = `function (doc) {
    return doc.names.some((name) => { try { return new Function("return " + name)() !== undefined } catch { return false } });
  }`;
  t.deepEqual(await run(source, {}, documents({ names })), { results: '0' });
  const found = await run('(doc) => import("node:fs").then(() => { throw 1 }) && false');
  t.deepEqual(found, { results: '000' });
});

const failing: [name: string, source: string, at: Failure['at'], message: RegExp, document?: number][] = [
  ['a syntax error', 'function (doc) {', 'compilation', /^SyntaxError: /],
  ['nothing at all', '', 'compilation', /^SyntaxError: /],
  ['a source that is not a function', '{ "a": 1 }', 'compilation', /it is not a function/],
  ['a statement', 'return true', 'compilation', /^SyntaxError: /],
  ['an expression that throws', '(() => { throw new Error("early") })()', 'compilation', /^Error: early$/],
  ['an error', 'function (doc) { return doc.missing.member; }', 'execution', /^TypeError: /, 0],
  [
    'an error later',
    'function (doc) { if (doc.n > 1) throw new RangeError("big"); }',
    'execution',
    /^RangeError: big$/,
    2,
  ],
  ['a string', 'function () { throw "text"; }', 'execution', /^text$/, 0],
  ['an object', 'function () { throw { forbidden: "no" }; }', 'execution', /^\{"forbidden":"no"\}$/, 0],
  ['a thrown symbol', 'function () { throw Symbol("x"); }', 'execution', /cannot be converted to text/, 0],
  ['a long text', 'function () { throw "x".repeat(5000); }', 'execution', /^x{500}$/, 0],
  ['require', 'function () { require("views/lib/x"); }', 'execution', /require\(\) is not supported/, 0],
];

for (const [name, source, at, message, document] of failing)
  test(`${name} is reported`, async (t) => {
    const reply = await run(source);
    if (!('failure' in reply)) return t.fail(JSON.stringify(reply));
    t.is(reply.failure.at, at);
    t.regex(reply.failure.message, message);
    t.is(reply.failure.document, document);
    t.false(reply.isFatal);
  });

test('a function that throws can be used again', async (t) => {
  const runner = await FunctionRunner.load();
  const thrower = program('function (doc) { if (doc.n === 1) throw doc.n; return true; }');
  for (let round = 0; round < 3; round++) {
    t.true('failure' in runIn(runner, thrower, numbers));
    t.deepEqual(runIn(runner, thrower, documents({ n: 2 })), { results: '1' });
  }
});

const endless: [name: string, source: string][] = [
  ['a loop', 'function () { for (;;); }'],
  ['a loop during compilation', '(() => { for (;;); })()'],
  ['a loop that catches errors', 'function () { for (;;) try { for (;;); } catch {} }'],
  ['a loop in the description of an error', 'function () { throw { toJSON() { for (;;); } }; }'],
  ['a regular expression with backtracking', `function () { /(a+)+$/.test("${'a'.repeat(40)}b"); }`],
];

for (const [name, source] of endless)
  test(`${name} is interrupted`, async (t) => {
    const reply = runIn(await FunctionRunner.load(), program(source), numbers, second / 10);
    t.like(reply, { failure: { message: 'CPU time', limit: 'cpu' }, isFatal: false });
  });

const outOfMemory = 'it needs more than 128 MiB of memory';
const hoarding: [name: string, source: string, message: string][] = [
  ['a result that is enormous', '() => "x".repeat(2 ** 28)', outOfMemory],
  ['a list that grows', '() => { for (var a = []; ; ) a.push(new Uint8Array(1e6)); }', outOfMemory],
  ['a list of small objects', '() => { for (var a = []; ; ) a.push({ b: [1, 2, 3] }); }', outOfMemory],
  ['an infinite recursion', 'function f() { return 1 + f(); }', 'the nesting is too deep'],
];

for (const [name, source, message] of hoarding)
  test(`${name} is stopped`, async (t) => {
    const runner = await FunctionRunner.load();
    const reply = runIn(runner, program(source), numbers);
    t.like(reply, { failure: { message }, isFatal: true });
    t.true(runner.memoryBytes <= 128 * 2 ** 20);
  });

const pure: [source: string, isPure: boolean][] = [
  ['(doc) => doc.n === 1', true],
  ['(doc, req) => req && typeof Date === "function" && Math.max(doc.n, 1)', true],
  ['(doc, req) => req.query', false],
  ['(doc, req) => "query" in req', false],
  ['(doc, req) => JSON.stringify(req)', false],
  ['function () { return arguments[1].query; }', false],
  ['() => Date.now()', false],
  ['() => new Date()', false],
  ['() => Date()', false],
  ['() => Math.random()', false],
  ['(() => { const D = Date.prototype.constructor; return () => D.now(); })()', false],
  ['(() => { const { now } = Date; return () => now(); })()', false],
  ['() => { Proxy = Reflect.get = null; return Date.now(); }', false],
];

for (const [source, isPure] of pure)
  test(`the results of ${source} depend on ${isPure ? 'the document only' : 'more than the document'}`, async (t) => {
    const runner = await FunctionRunner.load();
    for (let job = 0; job < 2; job++) {
      const outcome = runner.run(program(source, { request: '{"query":{}}' }), {
        documents: numbers,
        sliceMs: second,
        cpuMs: second,
      });
      t.like(outcome, { count: 3, isPure });
    }
  });

test('a function works with the time and the request as with the originals', async (t) => {
  const source = `(doc, req) => {
    class Day extends Date {}
    const day = new Date(2020, 1, 2);
    return [
      day instanceof Date, day.constructor === Date, Date(2020) === '' + new Date(), Date.length === 7,
      new Day(0).getTime() === 0, new Day(0) instanceof Day, Date.UTC(1970, 0) === 0,
      Math.random() < 1, toJSON(req) === '{"query":{"a":"1"}}', req.query.a === '1', Object.keys(req).length === 1,
    ].every((holds) => holds);
  }`;
  t.deepEqual(await run(source, { request: '{"query":{"a":"1"}}' }), { results: '111' });
});

test('a slice ends after a document', async (t) => {
  const runner = await FunctionRunner.load();
  const job = { documents: numbers, sliceMs: -1, cpuMs: second };
  t.deepEqual(runner.run(program('() => true'), job), { results: '1', count: 1, isPure: true });
  const validating = program("(doc) => { if (doc.n === 0) throw 'x'; }", {
    kind: 'validate',
    request: '[{},{}]',
  });
  const writes = documents({ document: { n: 0 }, before: null }, { document: { n: 1 }, before: null });
  t.deepEqual(runner.run(validating, { ...job, documents: writes }), {
    results: '[{"thrown":"x"}]',
    count: 1,
    isPure: true,
  });
  t.deepEqual(runner.run(validating, { ...job, documents: writes, sliceMs: second }), {
    results: '[{"thrown":"x"},null]',
    count: 2,
    isPure: true,
  });
});

test('documents with the maximum nesting depth can be filtered', async (t) => {
  const depth = 2100;
  const nested = `[{"n":${'['.repeat(depth)}${']'.repeat(depth)}}]`;
  const source =
    'function (doc) { for (var depth = 0, n = doc.n; n; n = n[0]) depth++; return depth === 2100; }';
  t.deepEqual(await run(source, {}, nested), { results: '1' });
});

test('a function is compiled once per design document', async (t) => {
  const runner = await FunctionRunner.load();
  const counting = 'var count = 0, f = function () { return ++count > 3; }; ';
  const source = `(() => { ${counting} return f; })()`;
  t.deepEqual(runIn(runner, program(source), numbers), { results: '000' });
  t.deepEqual(runIn(runner, program(source), numbers), { results: '111' });
  t.deepEqual(runIn(runner, program(source, { key: 'another' }), numbers), { results: '000' });
});

test('functions do not share global variables', async (t) => {
  const runner = await FunctionRunner.load();
  const leaving = 'function (doc) { globalThis.left = true; Object.prototype.left = true; return true; }';
  t.deepEqual(runIn(runner, program(leaving), numbers), { results: '111' });
  t.deepEqual(runIn(runner, program('() => typeof left !== "undefined"'), numbers), { results: '000' });
});

test('a thousand functions need no more memory than a few', async (t) => {
  const runner = await FunctionRunner.load();
  const use = (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const source = `function (doc) { return doc.n === ${n} || ${n % 3 ? 'false' : 'thrown'}; }`;
      const reply = runIn(runner, program(source), numbers);
      if (n > 2) t.true(n % 3 ? 'results' in reply : 'failure' in reply);
    }
  };
  use(0, 50);
  const memory = runner.memoryBytes;
  use(50, 1000);
  t.is(runner.memoryBytes, memory);
});
