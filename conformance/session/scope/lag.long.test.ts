/** Targets with several copies, of which one lags behind: only a read soon after a write is tried again. */
import fc from 'fast-check';
import test, { type ExecutionContext } from 'ava';
import { newDocument } from '../../oracle/history.js';
import { checksOf, type Run } from './rule-checks.js';
import { runConformance } from '../../index.js';
import { readFeed } from '../../play/read-feed.js';
import { probesOf, withLiveFeed } from '../../play/live-feed.js';
import { playNew } from '../../play/player.js';
import { isInTime } from '../../engine/deadlines.js';
import { forAll } from '../../engine/property.js';
import { admin, referenceServer } from '../../testing/reference.js';
import { must } from '../../engine/matchers.js';
import type { CheckResult } from '../../../reports/report.js';

const runOnCopies = async (
  t: ExecutionContext,
  run: Run,
  lack: readonly string[] = ['single-copy'],
): Promise<CheckResult> => {
  const server = await referenceServer(t);
  const checks = checksOf({ 'feed-latest/lag': run });
  const report = await runConformance({ urls: [server.url], admin, checks, lack, cases: 1, shrinkMs: 0 });
  return report.checks[0]!;
};

/** @param wrong the reads, from 0, that show a violation. */
const reads = (wrong: readonly number[]): Run => {
  let read = -1;
  return forAll(fc.constant('a'), async (context, id) => {
    const { database } = await playNew(context, [newDocument(id)]);
    await readFeed(database);
    read += 1;
    must(!wrong.includes(read), 'The row is missing');
  });
};

test('a violation in a read soon after a write is tried again twice, and counted', async (t) => {
  t.like(await runOnCopies(t, reads([0])), { outcome: 'pass', lagging: 1, cases: 1 });
});

for (const [what, wrong, lack] of [
  ['a violation that the second try shows again counts', [0, 1], undefined],
  ['a violation that the third try shows again counts', [0, 2], undefined],
  ['with one copy, no violation is tried again', [0], []],
] as const) {
  test(what, async (t) => {
    t.is((await runOnCopies(t, reads(wrong), lack)).outcome, 'fail');
  });
}

test('the time of a feed begins when lagging copies no longer delay it', async (t) => {
  let tries = 0;
  const run: Run = forAll(fc.constant('a'), async (context, id) => {
    tries += 1;
    const { database } = await playNew(context, [newDocument(id)]);
    await withLiveFeed(database, { mode: 'continuous' }, (feed) =>
      feed.mustMeetInTime('The feed returns nothing', {
        by: feed.sentAt,
        expected: 'a row',
        isMet: () => feed.rows.length > 0,
      }),
    );
    must(tries > 1, 'The row is missing');
  });
  t.like(await runOnCopies(t, run), { outcome: 'pass', lagging: 1 });
});

test('the time of a read begins when lagging copies no longer delay it', async (t) => {
  let tries = 0;
  const run: Run = forAll(fc.constant('a'), async (context, id) => {
    tries += 1;
    const { database } = await playNew(context, [newDocument(id)]);
    const read = readFeed(database);
    must(await isInTime(read, { by: performance.now(), ...probesOf(database, {}) }), 'The feed is late');
    must(tries > 1, 'The row is missing');
  });
  t.like(await runOnCopies(t, run), { outcome: 'pass', lagging: 1 });
});

test('without a write before the read, no copy can lag behind', async (t) => {
  let tries = 0;
  const run: Run = forAll(fc.constant('a'), async ({ target }) => {
    await target.request({ path: '/' });
    tries += 1;
    must(tries > 1, 'The greeting is wrong');
  });
  t.is((await runOnCopies(t, run)).outcome, 'fail');
});
