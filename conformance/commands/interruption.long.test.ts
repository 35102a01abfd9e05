/**
 * Runs that are interrupted on a terminal, from outside or by the reader of their output end at once, and the target is
 * as before. The server holds back a request, so that each interruption comes in a certain phase.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import anyTest, { type ExecutionContext } from 'ava';
import { execa } from 'execa';
import type { Components } from '../../reference/index.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { exitCode } from '../../reports/report.js';
import { requirePrograms } from '../../reports/testing/programs.js';
import { leaveJournal } from '../session/testing/killing.js';
import { everyHandler, stateOf } from '../session/testing/target-state.js';
import { asAdmin, referenceServer } from '../testing/reference.js';
import { closedUrl } from '../testing/server.js';
import { credentials, docfeed, reportIn, withoutVendorVersion } from './testing/docfeed.js';
import { onTerminal, type Terminal } from './testing/terminal.js';

/** One after the other: side by side, so many programs would take longer to clean up than they may. */
const test = anyTest.serial;

test.before((t) => requirePrograms(t, 'Tests on a terminal', ['script', 'stty', 'mkfifo']));

interface Request {
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
}

/** A server that does not begin with the first request that matches until it is released. */
async function gatedServer(
  t: ExecutionContext,
  matches: (request: Request) => boolean,
  replace = (components: Components): Components => components,
) {
  let reach!: () => void;
  let release!: () => void;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  let isHeld = false;
  const { url } = await referenceServer(t, {
    config: everyHandler,
    components: (components) => ({
      ...components,
      handlers: Object.fromEntries(
        Object.entries(replace(components).handlers).map(([operation, handle]) => [
          operation,
          async (request: Request, context: unknown) => {
            if (!isHeld && matches({ operation, params: request.params })) {
              isHeld = true;
              reach();
              await released;
            }
            return (handle as (request: Request, context: unknown) => unknown)(request, context);
          },
        ]),
      ) as unknown as typeof components.handlers,
    }),
  });
  t.teardown(() => release());
  return { url, reached, release, before: await stateOf(url) };
}

const isLock = ({ params }: Request): boolean => params['db'] === 'docfeed-lock';
const isProbe = ({ params }: Request): boolean => /-1(-feed)?$/.test(params['db'] ?? '');

const phases = {
  discovery: (request) => request.operation === 'putDatabase' && isProbe(request),
  lock: (request) => request.operation === 'putDatabase' && isLock(request),
  configuration: ({ operation }) => operation === 'putConfigKey',
  database: (request) => request.operation === 'putDatabase' && !isProbe(request) && !isLock(request),
  user: ({ operation }) => operation === 'putUser',
  feed: (request) => request.operation === 'getChanges' && !isProbe(request),
  cleanup: (request) => request.operation === 'deleteDatabase' && isLock(request),
} satisfies Readonly<Record<string, (request: Request) => boolean>>;

/** Starts a run with `--configure` on a terminal, and waits until it has reached a phase. */
async function startRun(
  t: ExecutionContext,
  phase: keyof typeof phases,
  only: readonly string[] = ['root-*', 'feed-latest'],
  args: readonly string[] = [],
) {
  const dir = await emptyFolder(t);
  const server = await gatedServer(t, phases[phase]);
  const report = join(dir, 'report');
  const terminal = onTerminal(t, dir, [
    'check',
    server.url,
    '--configure',
    '--seed',
    '1',
    '--report-dir',
    report,
    ...args,
    ...only.flatMap((glob) => ['--only', glob]),
  ]);
  await Promise.race([server.reached, terminal.ended]);
  return { server, terminal, dir, report };
}

const interrupted = /docfeed: interrupted; cleaning up, Ctrl-C again ends at once\r\n/;

/** Releases the request late: a run that does not wait for its response would clean up before it takes effect. */
async function releaseLate({ server, terminal }: Awaited<ReturnType<typeof startRun>>): Promise<void> {
  await terminal.until(interrupted);
  await Promise.race([terminal.ended, wait(1000)]);
  server.release();
}

/** The run has cleaned up, and its journal is gone. */
async function mustBeClean(
  t: ExecutionContext,
  { server, dir }: Awaited<ReturnType<typeof startRun>>,
): Promise<void> {
  t.deepEqual(await stateOf(server.url), server.before);
  t.deepEqual(await readdir(join(dir, 'docfeed')), []);
}

for (const phase of ['discovery', 'lock', 'configuration'] as const) {
  test(`Ctrl-C before the first check: ${phase}`, async (t) => {
    const run = await startRun(t, phase);
    const { terminal } = run;
    await terminal.mustHaveItsModes();
    terminal.pressCtrlC();
    await releaseLate(run);
    t.is(await terminal.exitCode, 3);
    t.regex(
      terminal.output,
      /docfeed: the run was interrupted before the first check, so there is no report\r\n$/,
    );
    await mustBeClean(t, run);
    t.deepEqual(await readdir(run.report), []);
  });
}

for (const [phase, only] of [
  ['database', ['root-*', 'feed-latest']],
  ['user', ['root-*', 'users-create']],
  ['feed', ['root-*', 'heartbeat-*']],
] as const) {
  test(`Ctrl-C during the checks: ${phase}`, async (t) => {
    const run = await startRun(t, phase, only);
    const { terminal, report } = run;
    await terminal.until(/\r█+░* 2 of \d+ checks done/);
    await terminal.mustHaveItsModes();
    const pressedAt = performance.now();
    terminal.pressCtrlC();
    await releaseLate(run);
    t.is(await terminal.exitCode, 3);
    t.log(`ended after ${Math.round(performance.now() - pressedAt)} ms`);
    await mustBeClean(t, run);
    const { suite, checks } = await reportIn(report);
    t.is(suite.stopped, 'The run was interrupted.');
    const outcomes = checks.map(({ outcome }) => outcome);
    t.true(outcomes.includes('pass') && outcomes.includes('inconclusive'), outcomes.join());
    t.regex(terminal.output, /The run was interrupted\./);
  });
}

test('Ctrl-C while a finished run cleans up changes nothing', async (t) => {
  const run = await startRun(t, 'cleanup');
  const { terminal, server, report } = run;
  terminal.pressCtrlC();
  await terminal.until(interrupted);
  server.release();
  t.is(await terminal.exitCode, 0);
  await mustBeClean(t, run);
  t.is((await reportIn(report)).suite.stopped, undefined);
});

test('Ctrl-C while a finished run writes its report changes nothing', async (t) => {
  const run = await startRun(t, 'database');
  const { terminal, server, report } = run;
  const previous = join(report, 'report.json');
  await execa('mkfifo', [previous]);
  server.release();
  // The run looks for a previous report before it writes its own.
  const writer = execa('sh', ['-c', `exec >'${previous}'; echo open >&2; read -r _`], { stdin: 'pipe' });
  t.teardown(() => writer.kill());
  await new Promise((resolve) => writer.stderr.once('data', resolve));
  terminal.pressCtrlC();
  await terminal.until(interrupted);
  await rm(previous);
  writer.stdin.write('\n');
  t.is(await terminal.exitCode, 0);
  await mustBeClean(t, run);
  t.is((await reportIn(report)).suite.stopped, undefined);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} from outside during the checks`, async (t) => {
    const run = await startRun(t, 'database');
    const { terminal, server, report } = run;
    await terminal.kill(signal);
    await terminal.until(interrupted);
    server.release();
    t.is(await terminal.exitCode, 3);
    await mustBeClean(t, run);
    t.is((await reportIn(report)).suite.stopped, 'The run was interrupted.');
  });
}

test('the end of the terminal ends the run', async (t) => {
  const run = await startRun(t, 'database');
  const { terminal, server, report } = run;
  const ended = terminal.close();
  server.release();
  t.is(await ended, 3);
  await mustBeClean(t, run);
  t.is((await reportIn(report)).suite.stopped, 'The run was interrupted.');
});

for (const [how, exitCode] of [
  ['Ctrl-C', 130],
  ['SIGTERM', 143],
] as const) {
  test(`a second ${how} ends the clean-up, and says how to clean up later`, async (t) => {
    const { terminal, server, dir } = await startRun(t, 'cleanup');
    const interrupt = (): void | Promise<void> =>
      how === 'Ctrl-C' ? terminal.pressCtrlC() : terminal.kill(how);
    await interrupt();
    await terminal.until(interrupted);
    // The program takes two signals within half a second for one.
    await wait(1000);
    await interrupt();
    t.is(await terminal.exitCode, exitCode);
    t.regex(
      terminal.output,
      /docfeed: ended while cleaning up; run `docfeed restore` to restore the settings and remove databases and users\r\n$/,
    );
    server.release();
    const restore = onTerminal(t, dir, ['restore']);
    t.is(await restore.exitCode, 0);
    t.regex(restore.output, /^run of \d+ (second|minute)s? ago on http:/);
    await mustBeClean(t, { terminal, server, dir, report: '' });
  });
}

for (const output of ['stdout', 'stderr'] as const) {
  test(`a run whose ${output} nobody reads ends`, async (t) => {
    // A failure that is printed at once, so that the run writes to stderr.
    const [dir, server] = [await emptyFolder(t), await gatedServer(t, () => false, withoutVendorVersion)];
    // Without the interruption, the run would take hours.
    const run = docfeed(
      [
        server.url,
        '--configure',
        '--verbose',
        '--reporter',
        'ndjson',
        '--report-dir',
        dir,
        '--cases',
        '1000000',
        '--only',
        'root-*',
        '--only',
        'feed-latest',
      ],
      { env: { DOCFEED_ADMIN: credentials, XDG_STATE_HOME: dir } },
    );
    run[output]!.destroy();
    const { exitCode: code } = await run;
    t.deepEqual(await stateOf(server.url), server.before);
    const report = await reportIn(dir);
    t.is(report.suite.stopped, 'The run was interrupted.');
    t.is(code, exitCode(report));
  });
}

test('check --watch ends at Ctrl-C: while it waits for the target, in a round, and after it', async (t) => {
  const args = ['check', await closedUrl(), '--watch', '--report-dir', '/tmp'];
  const waiting = onTerminal(t, await emptyFolder(t), args);
  await waiting.until(/waiting for http/);
  await waiting.mustHaveItsModes();
  waiting.pressCtrlC();
  t.is(await waiting.exitCode, 3);

  const run = await startRun(t, 'database', undefined, ['--watch']);
  run.terminal.pressCtrlC();
  await run.terminal.until(interrupted);
  run.server.release();
  t.is(await run.terminal.exitCode, 3);
  await mustBeClean(t, run);

  const idle = await startRun(t, 'database', undefined, ['--watch']);
  idle.server.release();
  await idle.terminal.until(/press Enter to run again, q and Enter to quit/);
  await idle.terminal.mustHaveItsModes();
  idle.terminal.pressCtrlC();
  t.is(await idle.terminal.exitCode, 0);
  await mustBeClean(t, idle);
});

test('selftest ends its servers and removes its folders at Ctrl-C', async (t) => {
  const [dir, temporary] = [await emptyFolder(t), await emptyFolder(t)];
  const args = ['selftest', '--only', 'feed-*', '--report-dir', join(dir, 'report')];
  const terminal = onTerminal(t, dir, args, { TMPDIR: temporary });
  await terminal.until(/ 1 of \d+ trials done/);
  terminal.pressCtrlC();
  t.is(await terminal.exitCode, 1);
  t.regex(terminal.output, /faults: \d+ of \d+ trials killed/);
  t.deepEqual(
    (await readdir(temporary)).filter((name) => name.startsWith('docfeed')),
    [],
  );
});

test('restore keeps the journal at Ctrl-C', async (t) => {
  const [dir, server] = [
    await emptyFolder(t),
    await gatedServer(t, ({ operation }) => operation === 'deleteDatabase'),
  ];
  const names = ['docfeed-a', 'docfeed-b'];
  for (const name of names) await asAdmin(server.url, 'PUT', `/${name}`);
  const tasks = names.map((name) => ({ kind: 'database', name }) as const);
  leaveJournal(join(dir, 'docfeed'), server.url, {}, tasks);
  const first = onTerminal(t, dir, ['restore']);
  await Promise.race([server.reached, first.ended]);
  first.pressCtrlC();
  await first.until(interrupted);
  t.is(await first.exitCode, 3);
  t.regex(first.output, /not restored: database docfeed-[ab]\r\n.*: kept for another attempt\r\n$/s);
  server.release();
  t.is(await onTerminal(t, dir, ['restore']).exitCode, 0);
  t.deepEqual(await stateOf(server.url), server.before);
});

test('serve ends at Ctrl-C, at SIGTERM and with its terminal, and the next one can use its folder', async (t) => {
  const dir = await emptyFolder(t);
  const start = async (): Promise<Terminal> => {
    const terminal = onTerminal(t, dir, ['serve', '--port', '0', '--data', join(dir, 'data')]);
    await terminal.until(/^listening on http/m);
    return terminal;
  };
  const first = await start();
  await first.mustHaveItsModes();
  first.pressCtrlC();
  t.is(await first.exitCode, 0);
  const second = await start();
  await second.kill('SIGTERM');
  t.is(await second.exitCode, 0);
  t.is(await (await start()).close(), 0);
  const last = await start();
  last.pressCtrlC();
  t.is(await last.exitCode, 0);
});
