import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { execa } from 'execa';
import type { CheckResult, RecordedExchange } from '../report.js';
import { emptyFolder } from '../testing/folder.js';
import { requirePrograms } from '../testing/programs.js';
import { failed, hostile, sample } from '../testing/sample.js';
import { scriptOf } from './script.js';

test.before((t) => requirePrograms(t, 'Tests of generated scripts', ['curl', 'jq', 'shellcheck']));

type Request = RecordedExchange['request'];
type Response = NonNullable<RecordedExchange['response']>;

const json = { 'content-type': 'application/json' };

function exchange(
  request: Partial<Request>,
  response: Partial<Response> = {},
  startMs = 0,
): RecordedExchange {
  return {
    request: { method: 'GET', path: '/', headers: { accept: 'application/json' }, ...request },
    response: { status: 200, headers: json, chunks: [{ atMs: 1, text: '{}' }], ...response },
    time: { startMs, endMs: startMs + 1 },
  };
}

function failing(
  exchanges: RecordedExchange[],
  found: Partial<CheckResult['counterexample']> = {},
): CheckResult {
  return { ...failed, counterexample: { message: 'wrong', ...found, exchanges } };
}

/** Runs the script against a server that sends the same response to every request. */
async function run(
  t: ExecutionContext,
  check: CheckResult,
  args?: string[],
  env: Record<string, string> = {},
) {
  const seen: { line: string; body: string }[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const body = Buffer.concat(chunks as Buffer[]).toString('utf8');
      seen.push({ line: `${request.method} ${request.url}`, body });
      response.writeHead(200, json).end('{"seq":1}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const script = scriptOf(sample, check);
  if (!script || 'none' in script) throw new Error(script?.none);
  const file = join(await emptyFolder(t), 'script.sh');
  await writeFile(file, script.text);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { exitCode, all } = await execa('bash', [file, ...(args ?? [url])], {
    env,
    all: true,
    reject: false,
  });
  return { exitCode, all, seen, file };
}

const same = { chunks: [{ atMs: 1, text: '{"seq":1}' }] };

test('exits with 1 and describes the violation if each response equals the recorded one', async (t) => {
  const check = failing([exchange({}, same)], { path: '$.seq', expected: 2, actual: 1 });
  const { exitCode, all } = await run(t, check);
  t.is(exitCode, 1);
  for (const part of ['wrong.', 'at       $.seq', 'expected 2', 'actual   1'])
    t.true(all.includes(part), all);
});

test('exits with 0 and shows the difference if a response differs', async (t) => {
  const check = failing([exchange({}, same), exchange({ path: '/db' }), exchange({ path: '/never' })]);
  const { exitCode, all, seen } = await run(t, check);
  t.is(exitCode, 0);
  t.regex(all, /2\. GET \/db: 200\nThe response differs from the recorded one/);
  t.regex(all, /\+ {4}"seq": 1/);
  t.deepEqual(
    seen.map(({ line }) => line),
    ['GET /', 'GET /db'],
  );
});

test('exits with 2 for invalid arguments, an unreachable server or missing credentials', async (t) => {
  const plain = failing([exchange({}, same)]);
  const usage = /^Usage: .*script\.sh \[URL\]$/;
  for (const args of [['--help'], ['http://a', 'http://b']]) {
    const { exitCode, all } = await run(t, plain, args);
    t.is(exitCode, 2);
    t.regex(all, usage);
  }
  const unreachable = await run(t, plain, ['http://127.0.0.1:1']);
  t.is(unreachable.exitCode, 2);
  const asAdmin = failing([exchange({ as: 'admin' }, same)]);
  const { exitCode, all } = await run(t, asAdmin);
  t.is(exitCode, 2);
  t.regex(all, /Set DOCFEED_ADMIN/);
  t.is((await run(t, asAdmin, undefined, { DOCFEED_ADMIN: 'a:b' })).exitCode, 1);
});

test('executes nothing that a hostile target sent, and sends the requests as recorded', async (t) => {
  const text = `'; touch /tmp/owned; echo "$(id)" \`id\` \\ ${hostile.replaceAll('\0', '')}\nRECORDED\nexit 7`;
  const check = failing(
    [
      exchange(
        { method: 'POST', path: '/%27$(id)', body: text },
        { ...same, headers: { 'content-type': text } },
      ),
    ],
    { path: text, expected: text, actual: text, message: text },
  );
  const { exitCode, seen, file } = await run(t, { ...check, id: text, replay: text });
  t.is(exitCode, 0);
  t.deepEqual(seen, [{ line: 'POST /%27$(id)', body: text }]);
  await execa('bash', ['-n', file]);
  await execa('shellcheck', [file]);
});

test('gives the reason if there is no script', (t) => {
  const none = (exchanges: RecordedExchange[], omitted = 0): string | undefined => {
    const script = scriptOf(sample, failing(exchanges, { omitted }));
    return script && 'none' in script ? script.none : undefined;
  };
  const plain = exchange({});
  t.is(scriptOf(sample, { ...failed, counterexample: undefined }), undefined);
  t.is(none([plain]), undefined);
  t.regex(none([])!, /^No exchange/);
  t.regex(none([plain], 1)!, /earlier exchanges/);
  t.regex(none([exchange({}, { truncated: true })])!, /part of a body/);
  t.regex(none([{ request: plain.request }])!, /timing/);
  t.regex(none([exchange({}, { unfinished: true })])!, /timing/);
  t.regex(none([exchange({ path: '/db/_changes?a=1&feed=longpoll' })])!, /timing/);
  t.is(none([exchange({ path: '/db/_changes?feed=normal' })]), undefined);
  t.regex(none([exchange({ method: 'PUT' }), plain])!, /concurrently with a write/);
  t.is(none([exchange({ method: 'PUT' }), exchange({}, {}, 5)]), undefined);
  t.regex(none([exchange({ headers: { authorization: 'Bearer [redacted]' } })])!, /a secret/);
  t.regex(none([exchange({ path: '/docfeed-01234567-1/_changes' })])!, /creation of the database/);
  t.regex(none([exchange({ headers: { authorization: 'Basic docfeed-01234567-1:x' } })])!, /malformed/);
  const provided = { ...sample, target: { ...sample.target, provided: ['chttpd/authentication_handlers'] } };
  const session = failing([plain, exchange({ path: '/base/_session?basic=true' })]);
  t.like(scriptOf(provided, session), {
    none: 'The run changed chttpd/authentication_handlers, and the responses depend on it.',
  });
  t.true('text' in scriptOf(provided, failing([plain]))!);
  t.true('text' in scriptOf(sample, session)!);
  t.deepEqual(scriptOf(sample, { ...failing([plain]), settings: { 'a/b': '1', 'a/c': null } }), {
    none: 'The check changes settings: a/b = 1, a/c = (no value).',
  });
});
