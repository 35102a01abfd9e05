import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { CommanderError } from 'commander';
import { execaNode, type Options } from 'execa';
import type { Report } from '../../reports/report.js';
import type { Components } from '../../reference/index.js';
import { checkCommand } from './check.js';
import { admin, referenceServer } from '../testing/reference.js';
import { serve } from '../testing/server.js';

// The journals of this test are its own.
process.env['XDG_STATE_HOME'] = await mkdtemp(join(tmpdir(), 'docfeed-state-'));
test.after.always(() => rm(process.env['XDG_STATE_HOME']!, { recursive: true, force: true }));

const credentials = `${admin.name}:${admin.password}`;

/** Runs `docfeed check` as a user would. */
const docfeed = (args: readonly string[], options: Options = {}) =>
  execaNode('bin/docfeed.ts', ['check', ...args], {
    nodeOptions: ['--import=tsx'],
    reject: false,
    env: { NO_COLOR: '1' },
    ...options,
  });

async function folder(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(dir, { recursive: true }));
  return dir;
}

async function reportIn(dir: string): Promise<Report> {
  return JSON.parse(await readFile(join(dir, 'report.json'), 'utf8')) as Report;
}

/** A server whose greeting lacks the version of the vendor. */
const faulty = (parts: Components): Components => ({
  ...parts,
  handlers: {
    ...parts.handlers,
    async getRoot(request, context) {
      const answer = await parts.handlers.getRoot(request, context);
      return { ...answer, body: { ...answer.body, vendor: { name: 'x' } } } as never;
    },
  },
});

test.serial('a target that holds its rules: 0, and a report', async (t) => {
  const [server, dir] = [await referenceServer(t), await folder(t)];
  const args = [
    server.url,
    '--only',
    'root-*',
    '--only',
    'users-*',
    '--skip',
    'users-create',
    '--report-dir',
    dir,
  ];
  const { exitCode, stdout, stderr } = await docfeed([...args, '--admin', credentials, '--seed', '-7']);
  t.is(exitCode, 0, stderr as string);
  t.regex(stdout as string, /root-greeting|pass/);
  const report = await reportIn(dir);
  t.is(report.suite.seed, -7);
  t.deepEqual(
    [...new Set(report.checks.map(({ rule }) => rule))],
    ['root-greeting', 'root-vendor', 'users-stored', 'users-admin-only', 'users-id-form'],
  );
});

test.serial('the administrator can come from the environment, and the report from stdout', async (t) => {
  const [server, dir] = [await referenceServer(t), await folder(t)];
  const { exitCode, stdout } = await docfeed(
    [server.url, '--only', 'users-id-form', '--json', '--report-dir', dir],
    { env: { DOCFEED_ADMIN: credentials } },
  );
  t.is(exitCode, 0);
  const report = JSON.parse(stdout as string) as Report;
  t.is(report.checks[0]?.outcome, 'pass');
  t.false((stdout as string).includes(admin.password));
});

test.serial(
  'a rule that is broken: 1, a token that leads back to it, and a baseline that knows it',
  async (t) => {
    const [server, dir] = [await referenceServer(t, { components: faulty }), await folder(t)];
    const common = [server.url, '--admin', credentials, '--report-dir', dir];
    const first = await docfeed([...common, '--only', 'root-vendor']);
    t.is(first.exitCode, 1);
    const token = (await reportIn(dir)).checks[0]!.replay!;
    t.true((first.stdout as string).includes(token));

    const again = await docfeed([...common, '--replay', token]);
    t.is(again.exitCode, 1);
    t.regex(again.stdout as string, /^replay: still failing$/m);

    const sound = await referenceServer(t);
    const fixed = await docfeed([sound.url, '--admin', credentials, '--report-dir', dir, '--replay', token]);
    t.is(fixed.exitCode, 0);
    t.regex(fixed.stdout as string, /^replay: fixed$/m);

    const baseline = join(dir, 'baseline.yaml');
    await writeFile(baseline, '- { check: root-vendor, reason: no version }\n');
    const known = await docfeed([...common, '--only', 'root-vendor', '--baseline', baseline]);
    t.is(known.exitCode, 0);
    const gone = await docfeed([
      ...[sound.url, '--admin', credentials, '--report-dir', dir],
      ...['--only', 'root-vendor', '--baseline', baseline],
    ]);
    t.is(gone.exitCode, 3);
  },
);

test.serial('nothing that could be checked: 3', async (t) => {
  const [server, dir] = [await referenceServer(t), await folder(t)];
  const { exitCode } = await docfeed([server.url, '--only', 'users-create', '--report-dir', dir]);
  t.is(exitCode, 3);
});

test.serial('the list needs no target', async (t) => {
  const { exitCode, stdout } = await docfeed(['--list', '--only', 'root-*']);
  t.is(exitCode, 0);
  t.regex(stdout as string, /^root-greeting +MUST +\S.*\nroot-vendor +MUST +\S/);
  const json = await docfeed(['--list', '--only', 'users-create', '--json']);
  t.like((JSON.parse(json.stdout as string) as object[])[0], { check: 'users-create', needs: ['users'] });
});

test.serial('a refusal is one line on stderr, and nothing on stdout', async (t) => {
  const gone = await serve(() => {});
  await gone.stop();
  const dir = await folder(t);
  for (const [args, exitCode, message] of [
    [['--frobnicate'], 2, /^error: unknown option '--frobnicate'$/],
    [[gone.url], 3, /^docfeed: http:\/\/127\.0\.0\.1:\d+\/: no answer to GET \/: connection refused$/],
  ] as const) {
    const run = await docfeed([...args, '--report-dir', dir]);
    t.is(run.exitCode, exitCode);
    t.is(run.stdout, '');
    t.regex(run.stderr as string, message);
  }
});

/** Runs the command in this process, and expects it to end as given before it has done anything. */
async function refused(
  t: ExecutionContext,
  args: readonly string[],
  expected: { exitCode: number; message: RegExp },
): Promise<void> {
  let printed = '';
  const command = checkCommand()
    .exitOverride()
    .configureOutput({ writeErr: (text) => void (printed += text) });
  const dir = join(await folder(t), 'report');
  const error = await t.throwsAsync<CommanderError>(
    command.parseAsync(['--report-dir', dir, ...args], { from: 'user' }),
    { instanceOf: CommanderError },
  );
  // Commander prints its own complaints, and the program gives them the exit code 2.
  const own = error.code.startsWith('docfeed.');
  t.is(own ? error.exitCode : 2, expected.exitCode);
  const message = own ? error.message : printed.trimEnd();
  t.regex(message, expected.message);
  t.false(message.includes('\n'));
}

test('no URL: 2', (t) => refused(t, [], { exitCode: 2, message: /^give the URL of a target$/ }));

test('an unknown option: 2', (t) =>
  refused(t, ['--frobnicate'], { exitCode: 2, message: /unknown option '--frobnicate'/ }));

test('a number that is none: 2', (t) =>
  refused(t, ['--seed', 'x'], { exitCode: 2, message: /--seed <n>.* 32-bit integer/ }));

test('a shard beyond the last: 2', (t) => refused(t, ['--shard', '3/2'], { exitCode: 2, message: /I\/N/ }));

test('a profile that there is not: 2', (t) =>
  refused(t, ['--profile', 'quick'], { exitCode: 2, message: /smoke, default, thorough/ }));

test('a pattern that fits no check: 2', (t) =>
  refused(t, ['http://127.0.0.1:1', '--only', 'sesion-*'], {
    exitCode: 2,
    message: /^--only sesion-\* fits no check; did you mean session-\*\?$/,
  }));

test('a URL that is none: 2', (t) =>
  refused(t, ['localhost:5984'], { exitCode: 2, message: /^"localhost:5984" is no http URL, such as / }));

test('a URL with a query: 2', (t) =>
  refused(t, ['http://127.0.0.1:1/?x=1'], { exitCode: 2, message: /must end before \? and #$/ }));
test('a version that is none: 2', (t) =>
  refused(t, ['http://127.0.0.1:1', '--service-version', 'x'], {
    exitCode: 2,
    message: /^"x" is no service version, such as 3\.4/,
  }));
test('credentials in the URL: 2, without repeating them', (t) =>
  refused(t, ['http://admin:hush@127.0.0.1:1'], {
    exitCode: 2,
    message: /^give credentials with --admin(?!.*hush)/,
  }));

test('an administrator without a password: 2, without repeating it', (t) =>
  refused(t, ['http://127.0.0.1:1', '--admin', 'hush'], {
    exitCode: 2,
    message: /^--admin and DOCFEED_ADMIN must be name:password$/,
  }));

test('a damaged replay token: 2', (t) =>
  refused(t, ['http://127.0.0.1:1', '--replay', 'xx'], { exitCode: 2, message: /replay token is damaged/ }));

test('a baseline that cannot be read: 2', (t) =>
  refused(t, ['http://127.0.0.1:1', '--baseline', '/nowhere.yaml'], {
    exitCode: 2,
    message: /^cannot read baseline \/nowhere\.yaml: ENOENT/,
  }));

test('a baseline of a check that there is not: 2', async (t) => {
  const file = join(await folder(t), 'baseline.yaml');
  await writeFile(file, '- { check: feed-colour, reason: x }\n');
  await refused(t, ['http://127.0.0.1:1', '--baseline', file], {
    exitCode: 2,
    message: /there is no check "feed-colour"; did you mean /,
  });
});

test('a report directory that cannot be made: 2, before any request', async (t) => {
  const file = join(await folder(t), 'file');
  await writeFile(file, '');
  let requests = 0;
  const server = await serve((_, response) => {
    requests += 1;
    response.end();
  });
  t.teardown(() => server.stop());
  await refused(t, [server.url, '--report-dir', join(file, 'report')], {
    exitCode: 2,
    message: /^cannot write to report directory .*: ENOTDIR$/,
  });
  t.is(requests, 0);
});

test('a report directory where nothing can be made: 2', async (t) => {
  if (process.platform !== 'linux') return t.pass('there is no such place');
  await refused(t, ['http://127.0.0.1:1', '--report-dir', '/proc/docfeed/report'], {
    exitCode: 2,
    message: /^cannot write to report directory \/proc\/docfeed\/report: ENOENT$/,
  });
});

test('nobody listening: 3', async (t) => {
  const gone = await serve(() => {});
  await gone.stop();
  await refused(t, [gone.url], {
    exitCode: 3,
    message: /^http:\/\/127\.0\.0\.1:\d+\/: no answer to GET \/: connection refused$/,
  });
});

for (const [what, status, type, body, message] of [
  [
    'a web page',
    200,
    'text/html',
    '<p>Hello</p>',
    /is not such a service: GET \/ is answered with text\/html$/,
  ],
  [
    'another JSON service',
    200,
    'application/json',
    '{"name":"x","version":"1"}',
    /with JSON that is no greeting$/,
  ],
  ['a JSON list', 200, 'application/json', '[]', /with JSON that is no greeting$/],
  ['closed', 401, 'application/json', '{}', /gives its greeting to nobody without credentials/],
  ['a missing page', 404, 'application/json', '{}', /with status 404$/],
  ['elsewhere', 302, 'text/html', '', /with a redirection to "\/there", which is not followed$/],
] as const) {
  test(`a URL that is ${what}: 3`, async (t) => {
    const server = await serve((_, response) => {
      const elsewhere = status === 302 ? { location: '/there' } : {};
      response.writeHead(status, { 'content-type': type, ...elsewhere }).end(body);
    });
    t.teardown(() => server.stop());
    await refused(t, [server.url], { exitCode: 3, message });
  });
}

test('a wrong password of the administrator: 2, without repeating it', async (t) => {
  const server = await referenceServer(t);
  await refused(t, [server.url, '--admin', 'admin:hush'], {
    exitCode: 2,
    message: /^the target refuses the credentials of "admin" \(401\)$/,
  });
});

test('somebody who may not create databases: 2', async (t) => {
  const server = await referenceServer(t);
  await fetch(`${server.url}/_users/org.service.user:anna`, {
    method: 'PUT',
    headers: {
      Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ name: 'anna', password: 'hush', roles: [], type: 'user' }),
  });
  await refused(t, [server.url, '--admin', 'anna:hush'], {
    exitCode: 2,
    message: /^"anna" may not create databases \(401\)$/,
  });
});

test.serial('Ctrl-C ends the run with a report, and nothing stays behind', async (t) => {
  const [server, dir] = [await referenceServer(t), await folder(t)];
  const headers = { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const databases = async (): Promise<string[]> => {
    const all = (await (await fetch(`${server.url}/_all_dbs`, { headers })).json()) as string[];
    return all.filter((name) => name.startsWith('docfeed-'));
  };
  const run = docfeed([
    ...[server.url, '--admin', credentials, '--report-dir', dir],
    ...['--only', 'feed-post-same', '--runs', '100000'],
  ]);
  // The run is under way once it has made another database than the first, which tries out the target.
  let over = false;
  void run.finally(() => (over = true));
  while (!over && (await databases()).every((name) => name.endsWith('-1')));
  run.kill('SIGINT');
  t.is((await run).exitCode, 3);
  t.deepEqual(await databases(), []);
  const report = await reportIn(dir);
  t.deepEqual(
    report.checks.map(({ outcome, reason }) => [outcome, reason]),
    [['inconclusive', 'The run was interrupted.']],
  );
});
