/** What a run says of others that were killed. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { emptyFolder } from '../../reports/testing/folder.js';
import { replaceHandler } from '../rules/shared/components.faults.js';
import { journalHeader, RunJournal } from '../session/cleanup/journal.js';
import { leaveJournal } from '../session/testing/killing.js';
import { referenceServer } from '../testing/reference.js';
import { credentials, docfeed } from './testing/docfeed.js';

const hourMs = 3_600_000;

/** A state folder with the journals of killed runs on a target. */
async function stateWith(t: ExecutionContext, url: string, ages: readonly number[]): Promise<string> {
  const state = await emptyFolder(t);
  for (const [index, age] of ages.entries()) {
    const startedAt = new Date(Date.now() - age).toISOString();
    leaveJournal(join(state, 'docfeed'), url, { run: `${index}`, startedAt });
  }
  return state;
}

/** @returns what a run of one check prints on stderr */
async function messages(state: string, args: readonly string[]): Promise<string> {
  const { stderr } = await docfeed(
    [...args, '--only', 'root-vendor', '--report-dir', join(state, 'report')],
    {
      env: { XDG_STATE_HOME: state },
    },
  );
  return String(stderr);
}

test('a run names killed runs on its target once, with the age of the last one', async (t) => {
  const { url } = await referenceServer(t);
  const one = await stateWith(t, url, [2.5 * hourMs]);
  const advice = '`docfeed restore` cleans up after it';
  t.is(await messages(one, [url]), `docfeed: the run of 2 hours ago on ${url}/ was killed; ${advice}`);
  const two = await stateWith(t, url, [50 * hourMs, 1.5 * hourMs]);
  t.is(
    await messages(two, [url, '--quiet']),
    `docfeed: the run of 1 hour ago on ${url}/ was killed, and 1 before it; ${advice}`,
  );
});

test('a run says nothing of killed runs on other targets, nor before an error in its arguments', async (t) => {
  const [{ url }, other] = [await referenceServer(t), await referenceServer(t)];
  const state = await stateWith(t, url, [hourMs]);
  t.is(await messages(state, [other.url]), '');
  t.regex(await messages(state, [url, '--have', 'telepathy']), /^docfeed: --have telepathy is not .*$/);
  t.regex(
    await messages(state, [url, '--seed', 'x']),
    /^docfeed: option '--seed <n>' argument 'x' is invalid\..*$/,
  );
});

test('a run without an administrator leaves nothing behind that was never created', async (t) => {
  const { url } = await referenceServer(t);
  const state = await emptyFolder(t);
  const only = ['*-rejects/unknown-name', 'feed-pending', 'error-*'].flatMap((glob) => ['--only', glob]);
  const { stdout } = await docfeed([url, ...only, '--report-dir', join(state, 'report')], {
    env: { XDG_STATE_HOME: state },
  });
  t.notRegex(String(stdout), /could not restore or remove/);
  t.deepEqual(await readdir(join(state, 'docfeed')), []);
  t.is(await messages(state, [url]), '');
});

test('a run that could not clean up says so once, with the names; a later run does not take it for killed', async (t) => {
  const { url } = await referenceServer(t, {
    components: replaceHandler('deleteDatabase', () =>
      Promise.resolve({
        status: 405,
        body: { error: 'method_not_allowed', reason: 'Nobody removes a database.' },
      }),
    ),
  });
  const state = await emptyFolder(t);
  const args = [url, '--admin', credentials, '--only', 'feed-pending', '--profile', 'smoke'];
  const env = { XDG_STATE_HOME: state };
  const { stdout } = await docfeed([...args, '--report-dir', join(state, 'report')], { env });
  t.regex(
    String(stdout),
    /could not restore or remove: (database docfeed-\S+[,;]? ?)+.*`docfeed restore` to try again/,
  );
  t.is(await messages(state, [url]), '');
});

test('settings that a run could not restore are named by each later run', async (t) => {
  const { url } = await referenceServer(t);
  const state = await emptyFolder(t);
  const startedAt = new Date(Date.now() - 2.5 * hourMs).toISOString();
  const journal = new RunJournal(join(state, 'docfeed'), {
    ...journalHeader('0', [new URL(url)]),
    startedAt,
  });
  journal.add({ kind: 'lock', run: '0' });
  journal.markReported();
  journal.close();
  t.is(
    await messages(state, [url]),
    `docfeed: the run of 2 hours ago on ${url}/ could not restore all settings; \`docfeed restore\` cleans up after it`,
  );
});
