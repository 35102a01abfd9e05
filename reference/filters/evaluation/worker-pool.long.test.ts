import test, { type ExecutionContext } from 'ava';
import { EvaluationError, type Program } from './protocol.js';
import { WorkerPool } from './worker-pool.js';

const cpuMs = 300;

function workerPool(t: ExecutionContext, limit = cpuMs): WorkerPool {
  const started = new WorkerPool(() => limit);
  t.teardown(() => started.close());
  return started;
}

const filter = (source: string): Program => ({
  kind: 'filter',
  key: source,
  source,
  design: '{}',
  request: 'null',
});
const odd = filter('(doc) => doc.n % 2');
const loop = filter('() => { for (;;); }');
/** A built-in function that QuickJS cannot interrupt. */
const builtin = filter('() => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)');
const numbers = ['{"n":1}', '{"n":2}', '{"n":3}'];

const processes = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length;

// These tests count processes, so they must not run concurrently with others.
test.serial('processes can be started in advance', async (t) => {
  const before = processes();
  const prepared = workerPool(t, 10_000);
  t.is(processes(), before);
  prepared.prepare();
  prepared.prepare();
  t.is(processes(), before + 1);
  t.deepEqual(await bound(prepared).evaluate(odd, numbers), [true, false, true]);
  // While the first process was busy, the pool has started another one.
  t.is(processes(), before + 2);
});

test.serial('unknown programs of one account leave a process to others', async (t) => {
  const pool = workerPool(t);
  const loops = Array.from({ length: 8 }, () =>
    t.throwsAsync(bound(pool, 'mallory').evaluate(builtin, numbers)),
  );
  const before = processes();
  const other = bound(pool, 'alice').evaluate(odd, numbers);
  t.is(processes(), before + 1);
  t.deepEqual(await other, [true, false, true]);
  pool.close();
  await Promise.all(loops);
});

test('functions and selectors filter documents, and concurrent tasks get their own results', async (t) => {
  const { evaluate } = bound(workerPool(t, 10_000));
  t.deepEqual(await evaluate(odd, []), []);
  const selector = { kind: 'selector', key: 'n', selector: '{"n":{"$gt":1}}' } as const;
  t.deepEqual(await evaluate(selector, numbers), [false, true, true]);
  const tasks = Array.from({ length: 60 }, (_, n) => evaluate(filter(`(doc) => doc.n > ${n % 4}`), numbers));
  const expected = Array.from({ length: 60 }, (_, n) => [1, 2, 3].map((value) => value > n % 4));
  t.deepEqual(await Promise.all(tasks), expected);
});

test('a program that fails ends only its own task', async (t) => {
  const { evaluate } = bound(workerPool(t));
  for (const [program, message] of [
    [loop, /more than 0\.3 s of CPU time/],
    [builtin, /more than 0\.3 s of CPU time/],
    [filter('() => JSON.parse("[".repeat(1e6))'), /the nesting is too deep/],
    [filter('() => new Uint8Array(2 ** 28)'), /more than 128 MiB/],
  ] as const) {
    const failing = evaluate(program, numbers);
    const other = evaluate(odd, numbers);
    const error = await t.throwsAsync(failing, { instanceOf: EvaluationError });
    t.regex(error.message, message);
    t.deepEqual(await other, [true, false, true]);
    t.deepEqual(await evaluate(odd, numbers), [true, false, true]);
  }
});

// Its loops use the processor until it ends, so nothing runs beside it.
test.serial('an account with many infinite loops does not delay others', async (t) => {
  // Longer than the test: the loops do not end before the others.
  const started = workerPool(t, 60_000);
  const mallory = bound(started, 'mallory');
  const loops = Array.from({ length: 20 }, (_, n) =>
    mallory.evaluate(filter(`() => { for (;;); return ${n}; }`), numbers),
  );
  const stopped = loops.map((task) => t.throwsAsync(task, { message: 'The server is stopping.' }));
  for (let feed = 0; feed < 3; feed++)
    t.deepEqual(await bound(started, 'bob').evaluate(odd, numbers), [true, false, true]);
  t.deepEqual(await mallory.evaluate(odd, numbers), [true, false, true]);
  started.close();
  await Promise.all(stopped);
});

test('a program continues after a slice, and a slow one after an interruption', async (t) => {
  const { evaluate } = bound(workerPool(t, 60_000));
  const many = Array.from({ length: 300 }, (_, n) => `{"n":${n}}`);
  const wait = (ms: number) => `for (const end = Date.now() + ${ms}; Date.now() < end; );`;
  const results = await evaluate(filter(`(doc) => { ${wait(1)} return doc.n % 3 === 0; }`), many);
  t.deepEqual(
    results,
    many.map((_, n) => n % 3 === 0),
  );
  const slow = filter(`(doc) => { if (doc.n === 2) ${wait(400)} return doc.n % 2; }`);
  t.deepEqual(await evaluate(slow, numbers), [true, false, true]);
  const failing = evaluate(filter(`(doc) => { ${wait(1)} if (doc.n === 299) throw 'last'; }`), many);
  const { failure } = await t.throwsAsync(failing, { instanceOf: EvaluationError });
  t.like(failure, { message: 'last', document: 299 });
});

test('a function that keeps memory from call to call is started again', async (t) => {
  const { evaluate } = bound(workerPool(t, 60_000));
  const keeping = filter(
    '(() => { const kept = []; return (doc) => kept.push(new Uint8Array(doc.n * 2 ** 20).fill(1)); })()',
  );
  for (const mebibytes of [10, 10, 10, 110, 10, 110])
    t.deepEqual(await evaluate(keeping, [`{"n":${mebibytes}}`]), [true]);
});

test('an aborted task is removed from the queue', async (t) => {
  const started = workerPool(t, 60_000);
  const controllers = Array.from({ length: 8 }, () => new AbortController());
  const loops = controllers.map(({ signal }) => started.evaluate(loop, numbers, { account: 'ann', signal }));
  for (const [n, controller] of controllers.entries()) controller.abort(new Error(`given up ${n}`));
  for (const [n, tasks] of loops.entries()) await t.throwsAsync(tasks, { message: `given up ${n}` });
  await t.throwsAsync(
    started.evaluate(odd, numbers, { account: 'ann', signal: AbortSignal.abort(new Error('late')) }),
    {
      message: 'late',
    },
  );
});

test('a closed pool evaluates nothing', async (t) => {
  const started = workerPool(t);
  const { evaluate } = bound(started);
  const tasks = [...Array(6).keys()].map(() => t.throwsAsync(evaluate(loop, numbers)));
  started.close();
  for (const error of await Promise.all(tasks)) t.is(error?.message, 'The server is stopping.');
  await t.throwsAsync(evaluate(odd, numbers), { message: 'The server is stopping.' });
});

const bound = (started: WorkerPool, account = 'ann') => ({
  evaluate: async (program: Program, documents: readonly string[]) => {
    const { signal } = new AbortController();
    const { parts } = await started.evaluate(program, documents, { account, signal });
    return [...parts.join('')].map((result) => result === '1');
  },
});
