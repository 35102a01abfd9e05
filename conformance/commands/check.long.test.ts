import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Report } from '../../reports/report.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { checkCommand } from './check.js';
import { credentials, docfeed, reportIn, withoutVendorVersion } from './testing/docfeed.js';
import { expectError } from './testing/expect-error.js';
import { admin, asAdmin, referenceServer } from '../testing/reference.js';
import { closedUrl, served } from '../testing/server.js';

// Concurrent runs in this process each listen for signals and for the end of the output.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

test.serial(
  'a conforming target exits with 0, and --json prints the report of the selected checks',
  async (t) => {
    const [server, dir] = [await referenceServer(t), await emptyFolder(t)];
    const selection = ['--only', 'root-*', '--only', 'users-*', '--skip', 'users-create'];
    const { exitCode, stdout, stderr } = await docfeed(
      [server.url, ...selection, '--seed', '-7', '--json', '--report-dir', dir],
      { env: { DOCFEED_ADMIN: credentials } },
    );
    t.is(exitCode, 0, stderr as string);
    t.false((stdout as string).includes(admin.password));
    const report = JSON.parse(stdout as string) as Report;
    t.deepEqual(report, await reportIn(dir));
    t.is(report.suite.seed, -7);
    t.deepEqual(
      [...new Set(report.checks.map(({ rule }) => rule))],
      ['root-greeting', 'root-vendor', 'users-stored', 'users-admin-only', 'users-id-form'],
    );
  },
);

test.serial('a violation exits with 1 and can be replayed', async (t) => {
  const [server, dir] = [
    await referenceServer(t, { components: withoutVendorVersion }),
    await emptyFolder(t),
  ];
  const common = ['--admin', credentials, '--report-dir', dir];
  const first = await docfeed([server.url, ...common, '--only', 'root-vendor']);
  t.is(first.exitCode, 1);
  const token = (await reportIn(dir)).checks[0]!.replay!;
  t.true((first.stdout as string).includes(token));

  const again = await docfeed([server.url, ...common, '--replay', token]);
  t.is(again.exitCode, 1);
  t.regex(again.stdout as string, /^replay: still failing$/m);

  const conforming = await referenceServer(t);
  const fixed = await docfeed([conforming.url, ...common, '--replay', token]);
  t.is(fixed.exitCode, 0);
  t.regex(fixed.stdout as string, /^replay: fixed$/m);
});

test.serial('--list needs no target', async (t) => {
  const { exitCode, stdout } = await docfeed(['--list', '--only', 'root-*']);
  t.is(exitCode, 0);
  t.regex(stdout as string, /^root-greeting +MUST +\S.*\nroot-vendor +MUST +\S/);
  const all = String((await docfeed(['--list'])).stdout).split('\n');
  t.deepEqual(
    all.filter((line) => line.length > 180 || !/^\S+ +(MUST|SHOULD) +\S.*[.…]$/.test(line)),
    [],
  );
  const json = await docfeed(['--list', '--only', 'users-create', '--json']);
  t.like((JSON.parse(json.stdout as string) as object[])[0], { check: 'users-create', needs: ['users'] });
});

test.serial('the target file holds options and the URL, and the command line wins', async (t) => {
  const [server, cwd] = [await referenceServer(t), await emptyFolder(t)];
  const check = { url: server.url, admin: { env: 'OF_THE_FILE' }, only: ['root-*'], 'report-dir': 'made' };
  await writeFile(join(cwd, 'docfeed.target.yaml'), JSON.stringify({ check }));
  const env = { OF_THE_FILE: credentials };
  t.like(await docfeed([], { cwd, env }), { exitCode: 0 });
  const { checks } = await reportIn(join(cwd, 'made'));
  t.deepEqual([...new Set(checks.map(({ rule }) => rule))], ['root-greeting', 'root-vendor']);
  // A list needs no administrator.
  const other = await docfeed(['--list', '--only', 'users-create'], { cwd });
  t.regex(other.stdout as string, /^users-create +MUST/);
  const unset = await docfeed([], { cwd });
  t.is(unset.exitCode, 2);
  t.regex(unset.stderr as string, /^docfeed: \S+:1: check\.admin .*OF_THE_FILE, which is not set$/);
});

test.serial('an error is one line on stderr and nothing on stdout', async (t) => {
  const dir = await emptyFolder(t);
  for (const [args, exitCode, message] of [
    [['--frobnicate'], 2, /^docfeed: unknown option '--frobnicate'$/],
    [[await closedUrl()], 3, /^docfeed: http:\/\/127\.0\.0\.1:\d+\/: .*connection refused$/],
  ] as const) {
    const run = await docfeed([...args, '--report-dir', dir]);
    t.is(run.exitCode, exitCode);
    t.is(run.stdout, '');
    t.regex(run.stderr as string, message);
  }
});

/** Expects an error before the first check. */
const expectErrorOf = async (
  t: ExecutionContext,
  args: readonly string[],
  exitCode: number,
  expected: RegExp,
) =>
  expectError(
    t,
    checkCommand(),
    ['--report-dir', join(await emptyFolder(t), 'report'), ...args],
    exitCode,
    expected,
  );

const url = 'http://127.0.0.1:1';

/** Invalid arguments, and what the message must name. Messages of other modules are tested there. */
const invalid: Readonly<Record<string, readonly [args: readonly string[], message: RegExp]>> = {
  'no URL': [[], /^missing the URL of the target, such as http:\/\/127\.0\.0\.1:5984$/],
  'a host without a scheme': [['localhost:5984'], /"localhost:5984".* http/],
  'an ftp URL': [['ftp://127.0.0.1'], /"ftp:\/\/127\.0\.0\.1".* http/],
  'a URL with a query': [[`${url}/?x=1`], /"http:\/\/127\.0\.0\.1:1\/\?x=1"/],
  'a URL with credentials': [['http://admin:hush@127.0.0.1:1'], /--admin/],
  'a watch that prints JSON': [[url, '--watch', '--json'], /'--watch' cannot be used with option '--json'/],
  'a scenario of consumers without a report': [
    ['--explain', 'feed-live-converges/unavailable'],
    /^no report in \S+ has a result of feed-live-converges\/unavailable$/,
  ],
  'an option without its value': [['--seed'], /--seed <n>' argument missing/],
  'a seed that is not a number': [
    ['--seed', 'x'],
    /--seed <n>' argument 'x'.* from -2147483648 to 2147483647/,
  ],
  'zero cases': [['--cases', '0'], /--cases <n>' argument '0'.* whole number from 1 to 1000000/],
  'zero concurrent checks': [['--concurrency', '0'], /--concurrency <n>.* whole number from 1 to 200/],
  'a shard beyond the last': [
    ['--shard', '3/2'],
    /--shard <i\/n>' argument '3\/2'.* I\/N with I from 1 to N/,
  ],
  'an unknown reporter': [
    ['--reporter', 'tap'],
    /'tap' is invalid\. Allowed names are default, json, ndjson, junit, github\./,
  ],
  'a reporter without the name of its file': [['--reporter', 'junit='], /name of the file is missing/],
  'two reporters on the standard output': [
    [url, '--reporter', 'default', '--reporter', 'ndjson'],
    /^the reporter ndjson cannot share the standard output with another; write ndjson=FILE$/,
  ],
  'a file of a reporter that cannot be written': [
    [url, '--reporter', 'junit=/nowhere/junit.xml'],
    /^cannot write \/nowhere\/junit\.xml \(ENOENT\)$/,
  ],
  '--last-failed without a report': [[url, '--last-failed'], /^--last-failed: there is no report in /],
  'an unknown profile': [['--profile', 'quick'], /smoke, default, thorough/],
  'an unknown dialect': [['--dialect', 'klingon'], /service, couchdb/],
  'a version that is not one': [[url, '--service-version', 'x'], /"x"/],
  'a glob that matches no check': [
    [url, '--only', 'sesion-*'],
    /^--only sesion-\* .*did you mean session-\*\?$/,
  ],
  'an empty glob': [['--only', ''], /--only <glob>.* must not be empty/],
  'an administrator without a password': [
    [url, '--admin', 'hush'],
    /^--admin and DOCFEED_ADMIN must be name:password$/,
  ],
  'an unknown capability': [[url, '--have', 'telepathy'], /--have telepathy/],
  'a damaged replay token': [[url, '--replay', 'xx'], /replay token/],
  'a missing baseline': [[url, '--baseline', '/nowhere.yaml'], /\/nowhere\.yaml: ENOENT/],
  'a missing target file': [[url, '--target', '/nowhere.yaml'], /\/nowhere\.yaml: ENOENT/],
};

for (const [title, [args, message]] of Object.entries(invalid)) {
  test(`${title} exits with 2`, (t) => expectErrorOf(t, args, 2, message));
}

test('a report folder that cannot be created exits with 2 before any request', async (t) => {
  const file = join(await emptyFolder(t), 'file');
  await writeFile(file, '');
  let requests = 0;
  const server = await served(t, (_, response) => {
    requests += 1;
    response.end();
  });
  const dir = join(file, 'report');
  await expectErrorOf(
    t,
    [server.url, '--report-dir', dir],
    2,
    /^cannot write to report folder .*: ENOTDIR: /,
  );
  t.is(requests, 0);
});

(process.platform === 'linux' ? test : test.skip)('a report folder below /proc exits with 2', (t) =>
  expectErrorOf(
    t,
    [url, '--report-dir', '/proc/docfeed/report'],
    2,
    /^cannot write to report folder \/proc\/docfeed\/report: ENOENT: /,
  ),
);

/** Servers that are not a target: their response to `GET /`, and what the message must name. */
const otherServers: Readonly<
  Record<string, readonly [status: number, headers: Record<string, string>, body: string, message: RegExp]>
> = {
  'a web page': [200, { 'content-type': 'text/html' }, '<p>Hello</p>', /the body is HTML, not JSON$/],
  'another JSON service': [
    200,
    { 'content-type': 'application/json' },
    '{"name":"x","version":"1"}',
    /\/ is not a supported service: the greeting has no string "service" or "couchdb", and no object "vendor"$/,
  ],
  'a JSON array': [200, { 'content-type': 'application/json' }, '[]', /greeting/],
  'a server that requires credentials': [401, { 'content-type': 'application/json' }, '{}', /credentials/],
  'a missing page': [404, { 'content-type': 'application/json' }, '{}', /404/],
  'a redirect': [302, { 'content-type': 'text/html', location: '/there' }, '', /"\/there"/],
};

for (const [title, [status, headers, body, message]] of Object.entries(otherServers)) {
  test(`${title} exits with 3`, async (t) => {
    const server = await served(t, (_, response) => response.writeHead(status, headers).end(body));
    await expectErrorOf(t, [server.url], 3, message);
  });
}

test('a wrong administrator password exits with 2', async (t) => {
  const server = await referenceServer(t);
  await expectErrorOf(t, [server.url, '--admin', 'admin:hush'], 2, /"admin".*401/);
});

test('a user who may not create databases exits with 2', async (t) => {
  const server = await referenceServer(t);
  const anna = { name: 'anna', password: 'hush', roles: [], type: 'user' };
  const created = await asAdmin(server.url, 'PUT', '/_users/org.service.user:anna', anna);
  t.is(created.status, 201);
  await expectErrorOf(t, [server.url, '--admin', 'anna:hush'], 2, /"anna".*databases.*401/);
});
