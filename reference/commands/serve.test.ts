/** `docfeed serve`: tests of the process, and tests of the options without a process. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { CommanderError, type Command } from 'commander';
import type { Fault } from '../server/components.js';
import { sendTo } from '../../reports/testing/request.js';
import { serve } from '../testing/serve-process.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { serveCommand } from './serve.js';

const session = (url: string, credentials: string) =>
  sendTo(url, 'GET', '/_session', { headers: { authorization: `Basic ${btoa(credentials)}` } });

for (const signal of ['SIGINT', 'SIGHUP'] as const) {
  test.serial(`it prints its URL, and exits with 0 on ${signal}`, async (t) => {
    const { child, url } = await serve(t, ['--admin', 'root:pass:word']);
    t.like(await session(url, 'root:pass:word'), { status: 200, json: { userCtx: { name: 'root' } } });
    child.kill(signal);
    const { exitCode, stdout, stderr } = await child;
    t.is(exitCode, 0);
    t.is(stdout, `listening on ${url}`);
    t.is(stderr, '');
  });
}

test.serial('without an administrator, it generates and prints a password', async (t) => {
  const { url, report } = await serve(t, []);
  const [, password] =
    /^administrator admin, password ([\w-]{20}) \(generated for this run; use --admin to set it\)$/.exec(
      await report,
    ) ?? [];
  t.like(await session(url, `admin:${password}`), { status: 200, json: { userCtx: { roles: ['_admin'] } } });
  t.is((await session(url, 'admin:admin')).status, 401);
});

test.serial(
  'the administrator can be set in the environment, and dialect, body limit and log level with options',
  async (t) => {
    const options = ['--dialect=couchdb', '--max-body-bytes=10', '--log-level=info'];
    const { child, url } = await serve(t, options, { DOCFEED_ADMIN: 'root:secret' });
    t.like(await session(url, 'root:secret'), { status: 200 });
    t.like((await sendTo(url, 'GET', '/')).json, { couchdb: 'Welcome' });
    t.is((await sendTo(url, 'POST', '/_session', { body: { name: 'root' } })).status, 413);
    child.kill();
    const { stdout, stderr } = await child;
    t.is(stdout, `listening on ${url}`);
    const logged = { level: 'info', user: 'root', path: '/_session', status: 200 };
    t.like(JSON.parse(stderr.split('\n')[0]!), logged);
  },
);

/** @returns the error of a command that cannot start */
async function refusal(t: ExecutionContext, command: Command, args: readonly string[]) {
  command.exitOverride().configureOutput({ writeErr: () => {} });
  return t.throwsAsync(command.parseAsync(args, { from: 'user' }), { instanceOf: CommanderError });
}

test('a port in use is reported with one line and exit code 2', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.teardown(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  t.like(await refusal(t, serveCommand(), ['--port', String(port)]), {
    exitCode: 2,
    message: `cannot listen on 127.0.0.1, port ${port}: the port is in use`,
  });
});

test.serial('several nodes print one line each, and stop together on SIGTERM', async (t) => {
  const { child, url } = await serve(t, ['--nodes=3', '--admin=root:secret']);
  t.like(await session(url, 'root:secret'), { status: 200 });
  child.kill('SIGTERM');
  const { exitCode, stdout } = await child;
  t.is(exitCode, 0);
  const lines = stdout.split('\n');
  t.is(new Set(lines).size, 3);
  for (const line of lines) t.regex(line, /^listening on http:\/\/127\.0\.0\.1:\d+$/);
});

/** Creates files for one test. */
async function files(t: ExecutionContext, contents: Readonly<Record<string, string>>): Promise<string> {
  const folder = await emptyFolder(t);
  for (const [name, content] of Object.entries(contents)) await writeFile(join(folder, name), content);
  return folder;
}

test.serial('later configuration files override earlier ones, and unknown settings are logged', async (t) => {
  const folder = await files(t, {
    'one.ini': '[chttpd]\nauthentication_handlers = cookie\nport = 1\n[admins]\nroot = apple ; pie\n',
    'two.ini': '; more\n[chttpd]\nauthentication_handlers = {chttpd_auth, default_authentication_handler}\nx',
  });
  const configs = ['one.ini', 'two.ini'].flatMap((name) => ['--config', join(folder, name)]);
  const { url, child } = await serve(t, configs);
  t.like(await session(url, 'root:apple'), {
    json: { userCtx: { roles: ['_admin'] }, info: { authentication_handlers: ['default'] } },
  });
  t.is((await session(url, 'admin:apple')).status, 401);
  child.kill();
  const { stderr } = await child;
  const messages = stderr.split('\n').map((line) => (JSON.parse(line) as { msg: string }).msg);
  t.deepEqual(messages, [
    `${join(folder, 'one.ini')}, line 3: chttpd/port has no effect on this server`,
    `${join(folder, 'two.ini')}, line 4: ignored, because it is neither a section nor a setting`,
  ]);
});

for (const [what, content, message] of [
  [
    'an invalid value',
    '[chttpd]\n\nchanges_timeout = soon',
    'x.ini, line 3: chttpd/changes_timeout must be an integer from 1 to 2147483647',
  ],
  [
    'an invalid hash',
    '[admins]\nroot = -hashed-hidden,secret',
    'x.ini, line 2: admins/root must be a password or a PBKDF2 hash',
  ],
  ['a missing file', undefined, 'the file does not exist'],
] as const) {
  test(`a configuration file with ${what} is rejected with one line`, async (t) => {
    const folder = await files(t, content === undefined ? {} : { 'x.ini': content });
    const file = join(folder, 'x.ini');
    const error = await refusal(t, serveCommand(), ['--port=0', '--config', file]);
    t.is(error.exitCode, 2);
    t.true(error.message.endsWith(message), error.message);
    t.true(error.message.includes(file));
  });
}

const faults: readonly Fault[] = (
  [
    ['root-greeting', 'root-greeting'],
    ['pending-one-more', 'feed-pending'],
    ['pending-absent', 'feed-pending'],
    ['longpoll-pending', 'longpoll-waits'],
  ] as const
).map(([id, rule]) => ({ id, rule, summary: 'It is wrong.', replace: (components) => components }));

for (const [args, message] of [
  [['--port', 'x'], /--port.*must be an integer from 0 to 65535/],
  [['--port', '65536'], /--port.*must be an integer from 0 to 65535/],
  [['--port', '-1'], /--port/],
  [
    ['--port', '0', '--host', '203.0.113.1'],
    /cannot listen on 203\.0\.113\.1.*the address does not belong to this machine/,
  ],
  [
    ['--port', '0', '--host', 'no.such.host.invalid'],
    /cannot listen on no\.such\.host\.invalid.*the host is unknown/,
  ],
  [['--admin', 'secret'], /--admin and DOCFEED_ADMIN must be name:password/],
  [['--admin', ':secret'], /--admin and DOCFEED_ADMIN must be name:password/],
  [['--admin', 'secret:'], /--admin and DOCFEED_ADMIN must be name:password/],
  [['--dialect', 'mongo'], /--dialect.*service, couchdb/],
  [['--log-level', 'all'], /--log-level.*info, warn, error, silent/],
  [['--max-body-bytes', '0'], /--max-body-bytes.*must be an integer from 1/],
  [
    ['--fault', 'rot-greeting'],
    /^unknown fault rot-greeting; did you mean root-greeting\?; `docfeed faults` lists all$/,
  ],
  [['--fault', 'foo'], /^unknown fault foo; `docfeed faults` lists all$/],
  [['--fault', 'pending'], /^unknown fault pending; these begin so: pending-one-more, pending-absent; /],
  [['--fault', 'poll-p'], /^unknown fault poll-p; these contain it: longpoll-pending; /],
  [
    ['--fault', 'feed-pending'],
    /; it is a rule, which these faults break: pending-one-more, pending-absent; /,
  ],
  [['--nodes', '0'], /--nodes.*must be an integer from 1 to 100/],
  [
    ['--port', '65535', '--nodes', '2'],
    /--nodes 2 needs ports 65535 to 65536, but the highest port is 65535/,
  ],
  [['--frobnicate'], /unknown option '--frobnicate'/],
  [['--json'], /^--json needs --list-settings$/],
  [['more'], /too many arguments/],
] as const) {
  test(`serve ${args.join(' ')} is rejected with one line`, async (t) => {
    const error = await refusal(t, serveCommand({ loadFaults: () => Promise.resolve(faults) }), args);
    t.regex(error.message, message);
    t.notRegex(error.message, /\n|secret/);
    // bin/docfeed.ts exits with 2 for all errors of commander.
    if (!error.code.startsWith('commander.')) t.is(error.exitCode, 2);
  });
}

test('without faults, there is no --fault option', (t) => {
  t.notRegex(serveCommand().helpInformation(), /--fault/);
  t.regex(serveCommand({ loadFaults: () => Promise.resolve([]) }).helpInformation(), /--fault <id>/);
});
