/**
 * The library and the command line, and what consumers survive: a careful one, a real replicator, and weak ones, which fail
 * in the scenario about their bug.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import test from 'ava';
import { execa, execaNode } from 'execa';
import { emptyFolder } from '../../reports/testing/folder.js';
import { program } from '../../reports/testing/program.js';
import { consumerCommand } from '../commands/consumer.js';
import { expectError } from '../commands/testing/expect-error.js';
import { CheckFailed, consumerScenarios } from './index.js';
import { runConsumer } from './run-consumer.js';
import { scenarios } from './scenarios.js';
import {
  carefulConsumer,
  carefulOfEvents,
  weakConsumers,
  writeWeakConsumer,
} from './testing/weak-consumers.js';

const node = process.execPath;

test('consumerScenarios rejects with the reason and the command that repeats the failure', async (t) => {
  t.timeout(180_000);
  const ignoresDeletions = weakConsumers.find(({ bug }) => bug === 'ignores deletions')!;
  const file = await writeWeakConsumer(t, ignoresDeletions);
  const options = { only: ['feed-deleted', 'feed-latest'], seed: 1, graceMs: 1000, shrinkMs: 4000 };
  const run = await consumerScenarios({ ...options, command: [node, file] });
  t.is((await run.verify('feed-latest')).outcome, 'pass');
  const { result, message } = await t.throwsAsync(run.verify('feed-deleted'), { instanceOf: CheckFailed });
  t.regex(
    message,
    /^fail: The consumer does not know that a document is deleted.*\nrun again: docfeed consumer --replay/s,
  );
  const { timeline, writes, input } = result.counterexample!;
  t.like(input, { vary: {}, treatments: [] });
  const kindOf = (beginning: string) => timeline!.find(({ text }) => text.startsWith(beginning))?.kind;
  t.deepEqual(['write', 'GET /', 'gets the row', 'says doc-'].map(kindOf), [
    'step',
    'traffic',
    'traffic',
    'output',
  ]);
  t.true(writes!.some(({ kind }) => kind === 'delete'));
  const replayed = await runConsumer({ replay: result.replay!, graceMs: 1000, command: [node, file] });
  t.is(replayed.checks[0]!.reason, result.reason);
});

test('a consumer that alternates between two statements fails', async (t) => {
  t.timeout(180_000);
  const line = (rev: string) => `console.log('${JSON.stringify({ id: 'doc-0', rev })}')`;
  const script = `setInterval(() => { ${line('1-a')}; ${line('1-b')}; }, 10)`;
  const options = { only: ['feed-latest'], seed: 1, graceMs: 200, shrinkMs: 1, deadlineMs: 60_000 };
  const { checks } = await runConsumer({ ...options, command: [node, '-e', script] });
  t.is(checks[0]!.outcome, 'fail');
});

test('a consumer that asks again and again without learning anything fails soon', async (t) => {
  t.timeout(420_000);
  const script = `const { origin, pathname, username, password } = new URL(process.env.DOCFEED_DATABASE_URL);
    const headers = { authorization: 'Basic ' + btoa(username + ':' + password) };
    const changes = origin + pathname + '/_changes?feed=longpoll&timeout=100&since=now';
    for (;;) await (await fetch(changes, { headers })).text();`;
  // The treatments of these scenarios are for a thousand requests and for a hundred.
  const only = ['continuous-lines', 'heartbeat-lines'];
  const options = { only, seed: 1, graceMs: 1000, shrinkMs: 1, deadlineMs: 120_000 };
  const { checks } = await runConsumer({ ...options, command: [node, '--input-type=module', '-e', script] });
  t.deepEqual(
    checks.map(({ outcome }) => outcome),
    ['fail', 'fail', 'fail'],
  );
});

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`COMMAND ends with a process that uses the library and is ended by ${signal}`, async (t) => {
    t.timeout(180_000);
    const server = createServer().listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    const connected = once(server, 'connection') as Promise<[Socket]>;
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connect = `require('node:net').connect(${port}, '127.0.0.1')`;
    const command = JSON.stringify([node, '-e', connect]);
    const library = new URL('index.js', import.meta.url).href;
    const script = `(await import('${library}')).runConsumer({ command: ${command}, only: ['feed-latest'] })`;
    // Nobody removes the folder of its scenario.
    const env = { TMPDIR: await emptyFolder(t) };
    const run = execa(node, ['--input-type=module', '--eval', script], { reject: false, env });
    const [connection] = await connected;
    connection.on('error', () => {}).resume();
    run.kill(signal);
    await once(connection, 'close');
    t.is((await run).signal, signal);
  });
}

for (const [args, message] of [
  [[], /^missing the command of the consumer after --/],
  [['--', 'no-such-program'], /^cannot run no-such-program: there is no such program in PATH/],
  [['--only', 'feed-colour', '--', 'node'], /^--only feed-colour matches no check/],
] as const) {
  test(`the command line refuses what it cannot run: ${args.join(' ')}`, async (t) =>
    expectError(t, consumerCommand(), ['--report-dir', await emptyFolder(t), ...args], 2, message));
}

test('--list lists scenarios', async (t) => {
  const args = ['consumer', '--list', '--json', '--only', 'feed-deleted'];
  const { stdout } = await execaNode(program, args);
  t.like(JSON.parse(stdout), [{ scenario: 'feed-deleted', rule: 'feed-deleted' }]);
});

test('--try shows what a consumer does when nothing happens to it', async (t) => {
  const { stdout, exitCode } = await execaNode(program, ['consumer', '--try', '--', node, carefulConsumer]);
  t.is(exitCode, 0);
  const events = stdout.split('\n').map((line) => line.replace(/^ *\d+ ms {2}/, ''));
  t.is(events[0], 'write');
  t.true(events.some((event) => event.startsWith('GET /db/_changes?')));
  t.true(events.some((event) => event.startsWith('says doc-0 1-')));
  t.is(events.at(-1), 'The consumer knows what it must know.');
});

test('--try says why nobody can judge a consumer', async (t) => {
  const args = ['consumer', '--try', '--', node, '-e', 'console.error("no such database"); process.exit(7)'];
  const { stdout, exitCode } = await execaNode(program, args, { reject: false });
  t.is(exitCode, 3);
  t.regex(stdout, / ms {2}stderr: no such database\n/);
  t.regex(stdout, /has ended by itself before it sent a request: exit code 7 no such database$/);
});

test.serial('the careful consumer survives all scenarios, six side by side', async (t) => {
  const { checks } = await runConsumer({
    command: [process.execPath, carefulConsumer],
    seed: 1,
    concurrency: 6,
  });
  t.is(checks.length, scenarios.length);
  const notItsOwn = scenarios.filter(({ needs = '' }) => ['event stream', 'target'].includes(needs));
  const ids = notItsOwn.map(({ id }) => id);
  t.deepEqual(
    checks
      .filter(({ id, outcome }) => outcome !== 'pass' && !ids.includes(id))
      .map(({ id, reason }) => `${id}: ${reason}`),
    [],
  );
});

test.serial('a careful consumer of event streams survives what is about them', async (t) => {
  const file = await writeWeakConsumer(t, carefulOfEvents);
  const only = ['eventsource-stream', 'feed-live-converges/cut'];
  const { checks } = await runConsumer({ command: [node, file], only, seed: 1 });
  t.deepEqual(
    checks.map(({ id, outcome, reason }) => `${id}: ${reason ?? outcome}`),
    checks.map(({ id }) => `${id}: pass`),
  );
});

test.serial('PouchDB replicates to a database of its own', async (t) => {
  const file = new URL('real/pouchdb.js', import.meta.url).pathname;
  const only = ['feed-deleted', 'feed-style-all', 'feed-idempotent/killed*'];
  const { checks } = await runConsumer({
    only,
    seed: 1,
    targetDatabase: true,
    command: [process.execPath, file],
  });
  t.deepEqual(
    checks.map(({ id, outcome, reason }) => `${id}: ${reason ?? outcome}`),
    checks.map(({ id }) => `${id}: pass`),
  );
});

for (const [index, weak] of weakConsumers.entries()) {
  test.serial(`a consumer that ${weak.bug} fails where it must, and only there`, async (t) => {
    const file = await writeWeakConsumer(t, weak);
    const ids = scenarios.map(({ id }) => id);
    const own = ids.filter((id) => weak.foundBy.test(id));
    // The weak consumers share the other scenarios out. The mixture of everything contains what each of them is about.
    const others = ids.filter(
      (id, position) =>
        position % weakConsumers.length === index &&
        !own.includes(id) &&
        !weak.mayBeFoundBy?.test(id) &&
        id !== 'feed-live-converges/everything',
    );
    const { checks } = await runConsumer({
      command: [process.execPath, file],
      ...(weak.replicates && { targetDatabase: true }),
      graceMs: 2000,
      shrinkMs: 1,
      concurrency: 3,
      seed: 1,
      only: [...own, ...others],
    });
    const verdicts = checks.filter(({ outcome }) => ['fail', 'warn'].includes(outcome));
    t.true(verdicts.some(({ id }) => own.includes(id)));
    // Not every scenario means something for each consumer, and a busy machine may leave some undecided.
    const unlawful = ['fail', 'warn', 'error', 'blocked'];
    t.deepEqual(
      checks
        .filter(({ id, outcome }) => others.includes(id) && unlawful.includes(outcome))
        .map(({ id, reason }) => `${id}: ${reason}`),
      [],
    );
  });
}
