/** A run that is killed leaves a journal, and `docfeed restore` leaves the target as it was. */
import { EventEmitter, once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Refusal } from '../runner/refusal.js';
import { admin, referenceServer } from '../testing/reference.js';
import { factsOf, Journal, openJournal } from './journal.js';
import { restoreFrom } from './restore.js';
import { docfeed, journalsOf, killedRun, only } from './testing/killing.js';
import { everyHandler, plain, stateOf } from './testing/target-state.js';

async function folder(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(dir, { recursive: true }));
  return dir;
}

test.serial('kill -9 in the midst of it, then restore: as before, once and for all', async (t) => {
  const [server, state] = [await referenceServer(t, { config: plain }), await folder(t)];
  const before = await stateOf(server.url);

  t.true(await killedRun(server.url, state, 20));
  const [journal] = await journalsOf(state);
  t.is((await stat(journal!)).mode & 0o077, 0, 'nobody else may read it');
  t.notDeepEqual(await stateOf(server.url), before);

  const second = await docfeed(state, [
    'check',
    server.url,
    '--configure',
    '--report-dir',
    join(state, 'report'),
  ]);
  t.is(second.exitCode, 3);
  t.regex(String(second.stderr), /changes the settings of this target since .*`docfeed restore`/);

  const restored = await docfeed(state, ['restore']);
  t.is(restored.exitCode, 0, String(restored.stderr));
  t.regex(String(restored.stdout), /^restored: setting jwt_keys\/hmac:docfeed-[0-9a-f]{8}-secret$/m);
  t.regex(String(restored.stdout), /^restored: lock$/m);
  t.deepEqual(await stateOf(server.url), before);

  const again = await docfeed(state, ['restore']);
  t.deepEqual([again.exitCode, again.stdout], [0, 'nothing to restore']);
});

for (const lines of [2, 4, 9]) {
  test.serial(`killed after ${lines} lines of the journal`, async (t) => {
    const [server, state] = [await referenceServer(t, { config: plain }), await folder(t)];
    const before = await stateOf(server.url);
    await killedRun(server.url, state, lines);
    for (const file of await journalsOf(state)) t.deepEqual((await restoreFrom(file, admin)).left, []);
    t.deepEqual(await stateOf(server.url), before);
    t.deepEqual(await journalsOf(state), []);
  });
}

test.serial(
  'a run without --configure that is killed leaves databases and users, and those go',
  async (t) => {
    const events = new EventEmitter();
    const killed = once(events, 'killed');
    const server = await referenceServer(t, {
      config: everyHandler,
      components: (parts) => ({
        ...parts,
        handlers: {
          ...parts.handlers,
          async putUser(request, context) {
            const answer = await parts.handlers.putUser(request, context);
            events.emit('user');
            await killed;
            return answer;
          },
          async putDatabase(request, context) {
            const answer = await parts.handlers.putDatabase(request, context);
            // The first is of no check: it tells what the target offers.
            if (request.params.db.endsWith('-1')) return answer;
            events.emit('database');
            await killed;
            return answer;
          },
        },
      }),
    });
    const [state, before] = [await folder(t), await stateOf(server.url)];
    const bothMade = Promise.all([once(events, 'user'), once(events, 'database')]);
    t.true(await killedRun(server.url, state, bothMade, only('totp-*', 'proxy-*', 'feed-live-converges')));
    events.emit('killed');
    const left = await stateOf(server.url);
    t.regex(left.databases, /docfeed-/);
    t.regex(left.users, /docfeed-/);

    const { exitCode, stdout } = await docfeed(state, ['restore']);
    t.is(exitCode, 0);
    t.regex(String(stdout), /^restored: user org\.service\.user:docfeed-/m);
    t.regex(String(stdout), /^restored: database docfeed-/m);
    t.deepEqual(await stateOf(server.url), before);
  },
);

test('a run that is going on is left alone', async (t) => {
  const dir = await folder(t);
  const journal = new Journal(dir, factsOf('0123abcd', []));
  journal.owe({ kind: 'database', name: 'docfeed-x' });
  t.like(await restoreFrom(journal.file, admin), { busy: true, done: [], left: [] });
  journal.close();
  t.deepEqual(openJournal(journal.file)?.debts, [{ kind: 'database', name: 'docfeed-x' }]);
});

test('a torn last line was never acted upon', async (t) => {
  const dir = await folder(t);
  const journal = new Journal(dir, factsOf('0123abcd', []));
  journal.owe({ kind: 'setting', node: 0, name: 'a/b', before: null });
  journal.close();
  await appendFile(journal.file, '{"id":2,"owe":{"kind":"datab');
  const left = openJournal(journal.file)!;
  t.deepEqual(left.debts, [{ kind: 'setting', node: 0, name: 'a/b', before: null }]);
  left.close(true);
});

test('a target that is gone keeps its journal', async (t) => {
  const dir = await folder(t);
  const journal = new Journal(dir, factsOf('0123abcd', [new URL('http://127.0.0.1:1')]));
  journal.owe({ kind: 'database', name: 'docfeed-x' });
  journal.close();
  const error = await t.throwsAsync(restoreFrom(journal.file, admin), { instanceOf: Refusal });
  t.is(error.exitCode, 3);
  t.regex(await readFile(journal.file, 'utf8'), /docfeed-x/);
});

test('wrong credentials are said, and change nothing', async (t) => {
  const [server, dir] = [await referenceServer(t), await folder(t)];
  const journal = new Journal(dir, factsOf('0123abcd', [new URL(server.url)]));
  journal.owe({ kind: 'database', name: 'docfeed-x' });
  journal.close();
  const error = await t.throwsAsync(restoreFrom(journal.file, { ...admin, password: 'wrong' }), {
    instanceOf: Refusal,
  });
  t.is(error.exitCode, 2);
});

test('a lock is taken away from a target that is named only', async (t) => {
  const { exitCode, stderr } = await docfeed(await folder(t), ['restore', '--force']);
  t.deepEqual([exitCode, stderr], [2, 'docfeed: --force needs the URL of a target']);
});

const damaged: Readonly<Record<string, string>> = {
  'no JSON': 'x',
  'a database of somebody else': '{"id":1,"owe":{"kind":"database","name":"inventory"}}',
  'a user of somebody else': '{"id":1,"owe":{"kind":"user","name":"org.service.user:jan"}}',
  'a debt of no kind': '{"id":1,"owe":{"kind":"house","name":"docfeed-"}}',
  'a setting without a name': '{"id":1,"owe":{"kind":"setting","node":0,"name":"x","before":null}}',
};

for (const [what, line] of Object.entries(damaged)) {
  test(`a journal with ${what} is refused with the line`, async (t) => {
    const dir = await folder(t);
    const file = join(dir, 'x.journal.jsonl');
    await writeFile(file, `${JSON.stringify(factsOf('0123abcd', []))}\n${line}\n`);
    const error = await t.throwsAsync(restoreFrom(file, admin), { instanceOf: Refusal });
    t.is(error.exitCode, 2);
    t.regex(error.message, /x\.journal\.jsonl:2: is no line of a journal/);
  });
}
