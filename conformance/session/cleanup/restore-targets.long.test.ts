/** Tests that a killed run leaves a journal, and that `docfeed restore` restores the target. */
import { EventEmitter, once } from 'node:events';
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { emptyFolder } from '../../../reports/testing/folder.js';
import { combine, replaceHandler } from '../../rules/shared/components.faults.js';
import { Refusal } from '../../engine/refusal.js';
import { sendTo } from '../../../reports/testing/request.js';
import { admin, asAdmin, referenceServer } from '../../testing/reference.js';
import { journalHeader, RunJournal, openJournal } from './journal.js';
import { restoreFrom } from './restore-targets.js';
import { docfeed, journalsOf, killRun, leaveJournal, only } from '../testing/killing.js';
import { everyHandler, plain, refusal, stateOf } from '../testing/target-state.js';

/** A target that does not respond. */
const nowhere = 'http://127.0.0.1:1';

/** A server whose `events` are its requests that change settings or the lock, by their number from 1. */
async function countingServer(t: ExecutionContext) {
  const events = new EventEmitter();
  let count = 0;
  const server = await referenceServer(t, {
    config: plain,
    components: (components) => ({
      ...components,
      prepareResponse(response) {
        components.prepareResponse(response);
        const { method, url = '' } = response.req;
        if (method === 'GET' || !/^\/(_node|docfeed-lock)/.test(url)) return;
        count += 1;
        events.emit(String(count));
      },
    }),
  });
  /** When the server has received so many more of them. */
  const after = (more: number): Promise<unknown> => once(events, String(count + more));
  return { url: server.url, after };
}

test.serial('restore after kill -9 restores everything, once', async (t) => {
  const [server, state] = [await countingServer(t), await emptyFolder(t)];
  const before = await stateOf(server.url);

  t.true(await killRun(server.url, state, server.after(12)));
  const [journal] = await journalsOf(state);
  t.is((await stat(journal!)).mode & 0o077, 0, 'only the owner can read the journal');
  t.notDeepEqual(await stateOf(server.url), before);

  const check = ['check', server.url, '--configure', '--report-dir', join(state, 'report')];
  const concurrent = await docfeed(state, check);
  t.is(concurrent.exitCode, 3);
  t.regex(String(concurrent.stderr), /changing the settings of this target since .*`docfeed restore`/);

  const restored = await docfeed(state, ['restore']);
  t.is(restored.exitCode, 0, String(restored.stderr));
  t.regex(String(restored.stdout), /setting jwt_keys\/hmac:docfeed-[0-9a-f]{8}-secret$/m);
  t.regex(String(restored.stdout), /: lock$/m);
  t.deepEqual(await stateOf(server.url), before);

  const again = await docfeed(state, ['restore']);
  t.deepEqual([again.exitCode, again.stdout], [0, 'nothing to restore']);
});

test.serial('restore removes databases and users of a killed run without --configure', async (t) => {
  const events = new EventEmitter();
  const killed = once(events, 'killed');
  const server = await referenceServer(t, {
    config: everyHandler,
    components: combine(
      replaceHandler('putUser', async (putUser, request, context) => {
        const response = await putUser(request, context);
        events.emit('user');
        await killed;
        return response;
      }),
      replaceHandler('putDatabase', async (putDatabase, request, context) => {
        const response = await putDatabase(request, context);
        // Two databases are for the probes.
        if (/-1(-feed)?$/.test(request.params.db)) return response;
        events.emit('database');
        await killed;
        return response;
      }),
    ),
  });
  const [state, before] = [await emptyFolder(t), await stateOf(server.url)];
  const bothCreated = Promise.all([once(events, 'user'), once(events, 'database')]);
  t.true(await killRun(server.url, state, bothCreated, only('totp-*', 'proxy-*', 'feed-live-converges')));
  events.emit('killed');
  const left = await stateOf(server.url);
  t.regex(left.databases, /docfeed-/);
  t.regex(left.users, /docfeed-/);

  const { exitCode, stdout } = await docfeed(state, ['restore']);
  t.is(exitCode, 0);
  t.regex(String(stdout), /user org\.service\.user:docfeed-/m);
  t.regex(String(stdout), /database docfeed-/m);
  t.deepEqual(await stateOf(server.url), before);
});

test('the journal of an active run is left alone', async (t) => {
  const dir = await emptyFolder(t);
  const journal = new RunJournal(dir, journalHeader('0123abcd', []));
  journal.add({ kind: 'database', name: 'docfeed-x' });
  t.is(await restoreFrom(journal.file, admin), undefined);
  journal.close();
  t.deepEqual(openJournal(journal.file)?.tasks, [{ kind: 'database', name: 'docfeed-x' }]);
});

test('an unterminated last line is ignored', async (t) => {
  const file = leaveJournal(await emptyFolder(t), nowhere);
  await appendFile(file, '{"id":2,"todo":{"kind":"datab');
  const left = openJournal(file)!;
  t.deepEqual(left.tasks, [{ kind: 'database', name: 'docfeed-x' }]);
  left.close(true);
});

test('the journal of an unreachable target is kept', async (t) => {
  const file = leaveJournal(await emptyFolder(t), nowhere);
  const error = await t.throwsAsync(restoreFrom(file, admin), { instanceOf: Refusal });
  t.is(error.exitCode, 3);
  t.regex(await readFile(file, 'utf8'), /docfeed-x/);
});

test('wrong credentials are refused', async (t) => {
  const file = leaveJournal(await emptyFolder(t), (await referenceServer(t)).url);
  const error = await t.throwsAsync(restoreFrom(file, { ...admin, password: 'wrong' }), {
    instanceOf: Refusal,
  });
  t.is(error.exitCode, 2);
});

const damaged: Readonly<Record<string, string>> = {
  'a line that is not JSON': 'x',
  'a database without the prefix': '{"id":1,"todo":{"kind":"database","name":"inventory"}}',
  'a user without the prefix': '{"id":1,"todo":{"kind":"user","name":"org.service.user:jan"}}',
  'an unknown kind of task': '{"id":1,"todo":{"kind":"house","name":"docfeed-"}}',
};

for (const [what, line] of Object.entries(damaged)) {
  test(`refuses a journal with ${what}, with the line`, async (t) => {
    const dir = await emptyFolder(t);
    const file = join(dir, 'x.journal.jsonl');
    await writeFile(file, `${JSON.stringify(journalHeader('0123abcd', []))}\n${line}\n`);
    const error = await t.throwsAsync(restoreFrom(file, admin), { instanceOf: Refusal });
    t.is(error.exitCode, 2);
    t.regex(error.message, /x\.journal\.jsonl:2: invalid journal entry at \$/);
  });
}

test.serial('restore after kill -9 at twenty moments', async (t) => {
  const server = await countingServer(t);
  const state = await emptyFolder(t);
  const before = await stateOf(server.url);
  let killed = 0;
  for (let writes = 1; writes <= 39; writes += 2) {
    if (await killRun(server.url, state, server.after(writes))) killed += 1;
    for (const file of await journalsOf(state)) t.deepEqual((await restoreFrom(file, admin))?.left, []);
    t.deepEqual(await journalsOf(state), []);
    t.deepEqual(
      await stateOf(server.url),
      before,
      `killed after ${writes} requests for settings or the lock`,
    );
  }
  t.true(killed >= 10, `${killed} of 20 runs were killed before they ended`);
});

test.serial('a machine without the journal restores the settings', async (t) => {
  const [server, state, otherState] = [await countingServer(t), await emptyFolder(t), await emptyFolder(t)];
  const { config } = await stateOf(server.url);
  t.true(await killRun(server.url, state, server.after(12)));
  t.not((await stateOf(server.url)).config, config);
  const stranger = await sendTo(server.url, 'GET', '/docfeed-lock/holder');
  t.is(stranger.status, 401, 'values of settings may be secrets');

  const restored = await docfeed(otherState, ['restore', '--force', server.url]);
  t.is(restored.exitCode, 0, String(restored.stderr));
  t.regex(String(restored.stdout), /^restored: setting jwt_keys\/hmac:docfeed-[0-9a-f]{8}-secret$/m);
  t.regex(String(restored.stdout), /: removed the lock of run [0-9a-f]{8}$/m);
  t.is((await stateOf(server.url)).config, config);
  const again = await docfeed(otherState, ['restore', '--force', server.url]);
  t.deepEqual([again.exitCode, again.stdout], [0, `${server.url}/: has no lock`]);
});

/** Leaves the lock of a killed run that lists these settings. */
async function leaveLock(url: string, settings: unknown): Promise<void> {
  await asAdmin(url, 'PUT', '/docfeed-lock');
  await asAdmin(url, 'PUT', '/docfeed-lock/holder', { run: '0123abcd', settings });
}

const setting = { kind: 'setting', node: 0, name: 'chttpd/changes_timeout', before: '1234' };

test.serial('the lock stays while a setting that it lists is not restored', async (t) => {
  const components = replaceHandler('putConfigKey', refusal(403));
  const [server, state] = [await referenceServer(t, { components }), await emptyFolder(t)];
  await leaveLock(server.url, [setting]);
  const { exitCode, stdout } = await docfeed(state, ['restore', '--force', server.url]);
  t.is(exitCode, 3);
  t.regex(String(stdout), /^not restored: setting chttpd\/changes_timeout$/m);
  t.regex(
    String(stdout),
    /kept the lock of run 0123abcd, which lists what is not restored; .*delete docfeed-lock$/m,
  );
  t.is((await asAdmin(server.url, 'GET', '/docfeed-lock')).status, 200);
});

test.serial('a lock that lists something else than settings is refused', async (t) => {
  const [server, state] = [await referenceServer(t), await emptyFolder(t)];
  await leaveLock(server.url, [setting, { kind: 'database', name: 'inventory' }]);
  const { exitCode, stderr } = await docfeed(state, ['restore', '--force', server.url]);
  t.is(exitCode, 3);
  t.regex(String(stderr), /\/docfeed-lock\/holder of the target is damaged at \$\.settings\[1\]\.\w+$/);
});
