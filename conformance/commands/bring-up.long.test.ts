/** `docfeed check --bring-up` with the program, against servers in the making and a finished one. */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import { startServer } from '../../reference/index.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { freePort } from '../../reports/testing/free-port.js';
import { admin, referenceServer } from '../testing/reference.js';
import { served } from '../testing/server.js';
import { startMonotonousServer, startUnfinishedServer } from '../testing/unfinished-server.js';
import { replaceHandler } from '../rules/shared/components.faults.js';
import { rungs } from '../session/scope/rungs.js';
import { credentials, docfeed, withoutVendorVersion } from './testing/docfeed.js';

const withVersion = (version: string) =>
  replaceHandler('getRoot', async (getRoot, request, context) => {
    const response = await getRoot(request, context);
    return { ...response, body: { ...(response.body as object), version } };
  });

const withoutSession = replaceHandler('getSession', () => Promise.resolve({ status: 200, body: {} }));

async function bringUp(t: ExecutionContext, url: string, args: readonly string[] = []) {
  const report = join(await emptyFolder(t), 'report');
  return docfeed([url, '--bring-up', '--seed', '1', '--quiet', '--report-dir', report, ...args]);
}

const first = (output: unknown): string[] =>
  String(output)
    .split('\n')
    .filter((line) => /^(again|holds|in part|skipped|later|stops at)/.test(line))
    .map((line) => line.replace(/ +/g, ' '));

test('stops at the first rung that does not hold, and shows the rule, the request and the answer', async (t) => {
  const server = await startUnfinishedServer();
  t.teardown(() => server.stop());
  const { stdout, exitCode } = await bringUp(t, server.url);
  t.deepEqual(first(stdout), [
    'later greeting 2 of 2 checks do not hold, which no other rung needs',
    'holds database 1 check',
    'holds write 1 check',
    'stops at feed 1 of 12 checks do not hold',
    'later greeting fail root-greeting The greeting is malformed',
    'later greeting fail root-vendor The vendor in the greeting is malformed',
  ]);
  const text = String(stdout);
  t.regex(text, /^ {2}cause +POST \/\{db\}\/_changes is not implemented \(404\)$/m);
  t.regex(text, /^ {2}rule +feed-post-same \(MUST\): .*\(SERVICE/m);
  t.regex(text, /^ {2}request +curl -i .*http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/_changes$/m);
  t.regex(text, /^ {2}answer +404 \{"error":"not_found","reason":"missing"\}$/m);
  t.regex(
    text,
    /^next +this: 1 check of this rung waits for it; then parameters \(\d+ checks\), modes \(\d+\), heartbeat \(\d+\), session \(\d+\), basic/m,
  );
  t.is(text.match(/^warning +The suite writes without what the target lacks: conflicts/gm)?.length, 1);
  t.is(exitCode, 1);
});

test('what no other rung needs stops a climb only at its end', async (t) => {
  const { url } = await referenceServer(t, { components: withoutVendorVersion });
  const { stdout, exitCode } = await bringUp(t, url, [
    '--admin',
    credentials,
    '--only',
    '{root-*,normal-immediate/empty}',
  ]);
  const text = String(stdout);
  t.deepEqual(first(text), [
    'later greeting 1 of 2 checks do not hold, which no other rung needs',
    'holds database 1 check',
    'holds together 1 check',
    'stops at greeting 1 of 2 checks do not hold',
  ]);
  t.regex(text, /^ {2}rule +root-vendor \(MUST\): /m);
  t.regex(text, /^next +no other rung$/m);
  t.is(exitCode, 1);
});

test('a profile with one check of each rule has one of each rung', async (t) => {
  const { url } = await referenceServer(t);
  const { stdout } = await bringUp(t, url, ['--admin', credentials, '--profile', 'smoke']);
  const lines = first(stdout);
  for (const { name } of rungs)
    t.true(
      lines.some((line) => line.includes(name)),
      name,
    );
});

for (const [type, body, problem] of [
  ['application/json', '{}', 'the greeting has no string "service" or "couchdb", and no string "version"'],
  ['text/html', '<title>Log in</title>', 'the body is HTML, not JSON'],
] as const) {
  test(`without a greeting, that is the first rung: ${type}`, async (t) => {
    const server = await served(t, (_, response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    );
    const { stdout, exitCode } = await bringUp(t, server.url, ['--only', '{root,feed}-*']);
    const text = String(stdout);
    t.deepEqual(first(text), ['stops at greeting without it, no check can run']);
    t.true(text.includes(`/ is not a supported service: ${problem}`), text);
    t.regex(text, /^ {2}rule +root-greeting \(MUST\): /m);
    t.regex(text, /^ {2}request +curl -i .*http:\/\/127\.0\.0\.1:\d+\/$/m);
    t.true(text.includes(`  answer   200 ${body}\n`));
    t.regex(
      text,
      /^next +then write \(\d+ checks?\), feed \(\d+\), parameters \(\d+\), modes \(\d+\), basic \(\d+\), filters \(\d+\)$/m,
    );
    t.is(exitCode, 3);
  });
}

test('what the target lacks is the cause, and its exit code is that of a check that is blocked', async (t) => {
  const server = await startMonotonousServer('text/html', '<title>Log in</title>');
  t.teardown(() => server.stop());
  const { stdout, exitCode } = await bringUp(t, server.url);
  t.deepEqual(first(stdout), ['holds greeting 2 checks', 'stops at database 1 of 1 checks do not hold']);
  t.regex(stdout as string, /^ {2}cause +requests of all kinds get the same response \(200, text\/html\)$/m);
  t.regex(stdout as string, /^ {2}answer +200 <title>Log in<\/title>$/m);
  t.is(exitCode, 3);
});

test('all rungs of a conforming server hold, without what later rungs build and then with all of it', async (t) => {
  const { url } = await referenceServer(t);
  const options = ['--admin', credentials, '--cases', '1', '--configure'];
  const { stdout, exitCode } = await bringUp(t, url, options);
  const lines = first(stdout);
  t.is(lines.length, rungs.length + 1);
  for (const [index, { name }] of rungs.entries()) {
    const expected =
      name === 'cluster'
        ? /^skipped cluster The target lacks the capability "cluster": only one URL given\.$/
        : new RegExp(`^holds ${name} \\d+ checks?$`);
    t.regex(lines[index]!, expected);
  }
  t.regex(lines.at(-1)!, /^holds together \d+ checks$/);
  t.regex(stdout as string, /^All rungs hold as far as they were checked: \d+ checks, 5 skipped\.$/m);
  t.is(exitCode, 0);
});

test('a rung that skips checks does not hold: it says which and why', async (t) => {
  const { url } = await referenceServer(t, { components: withVersion('1.2.0') });
  const { stdout, exitCode } = await bringUp(t, url, ['--admin', credentials, '--only', 'eventsource-*']);
  const text = String(stdout);
  t.regex(
    text,
    /^skipped +modes +none of \d checks ran\n +\d skipped: The rule applies from version 1\.3\.0; the target declares 1\.2\.0\.$/m,
  );
  t.regex(text, /^ +to do: nothing, or `--service-version 3\.5` judges it as a later one$/m);
  t.regex(text, /^Nothing was checked\.$/m);
  t.is(exitCode, 3);
});

test('without an administrator, a rung holds only in part', async (t) => {
  const { url } = await referenceServer(t);
  const { stdout } = await bringUp(t, url, ['--only', 'session-*']);
  t.regex(
    String(stdout),
    /^in part +session +\d of \d checks hold\n +\d skipped: .*\n +to do: use --admin$/m,
  );
});

test('a climb begins at the rung that failed last, and goes back when that holds', async (t) => {
  const port = await freePort();
  const report = join(await emptyFolder(t), 'report');
  const run = async (): Promise<string[]> => {
    const options = ['--quiet', '--only', '{root,session}-*', '--report-dir', report];
    const { stdout } = await docfeed([`http://127.0.0.1:${port}`, '--bring-up', ...options]);
    return first(stdout).map((line) =>
      line
        .split(' ')
        .slice(0, line.startsWith('stops') ? 3 : 2)
        .join(' '),
    );
  };
  const broken = await startServer({ port, admin, components: withoutSession });
  t.deepEqual(await run(), ['holds greeting', 'stops at session']);
  t.deepEqual(await run(), ['again session', 'stops at session']);
  await broken.stop();
  const mended = await startServer({ port, admin });
  t.teardown(() => mended.stop());
  const [again, session, greeting] = await run();
  t.deepEqual([again, session?.split(' ').at(-1), greeting], ['again session', 'part', 'holds greeting']);
  t.is((await run())[0], 'holds greeting');
});

test('with --watch it climbs again after each change', async (t) => {
  const port = await freePort();
  const run = docfeed(
    [
      `http://127.0.0.1:${port}`,
      '--bring-up',
      '--watch',
      '--quiet',
      '--only',
      '{root,session}-*',
      '--report-dir',
      join(await emptyFolder(t), 'report'),
    ],
    { stdin: 'pipe' },
  );
  t.teardown(() => void run.kill('SIGKILL'));
  const lines = createInterface({ input: run.stdout! })[Symbol.asyncIterator]();
  const until = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
      if (done || pattern.test(value)) return value ?? 'the end of the output';
    }
  };
  const faulty = await startServer({ port, admin, components: withoutVendorVersion });
  t.regex(await until(/^(stops at|holds)/), /^stops at +greeting/);
  t.regex(await until(/^ {2}rule/), /root-vendor/);
  await until(/^press Enter/);
  await faulty.stop();
  const mended = await startServer({ port, admin });
  t.teardown(() => mended.stop());
  t.regex(await until(/^(stops at|holds)/), /^holds +greeting/);
  t.regex(
    await until(/^(All|stops at)/),
    /^All rungs hold as far as they were checked: \d+ checks, \d+ skipped\.$/,
  );
  run.stdin!.write('q\n');
  t.is((await run).exitCode, 0);
});
