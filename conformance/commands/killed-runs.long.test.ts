/** What a run says of others that were killed. */
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { emptyFolder } from '../../reports/testing/folder.js';
import { leaveJournal } from '../target/testing/killing.js';
import { referenceServer } from '../testing/reference.js';
import { docfeed } from './testing/docfeed.js';

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
    /^error: option '--seed <n>' argument 'x' is invalid\..*$/,
  );
});
