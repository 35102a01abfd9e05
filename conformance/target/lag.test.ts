/** Targets with several copies, of which one lags behind: only a read soon after a write is tried again. */
import fc from 'fast-check';
import test, { type ExecutionContext } from 'ava';
import { newDocument } from '../model/history.js';
import { check, type Run } from './check.js';
import { runConformance } from '../index.js';
import { readFeed } from '../play/feed.js';
import { playNew } from '../play/player.js';
import { forAll } from '../engine/property.js';
import { admin, referenceServer } from '../testing/reference.js';
import { must } from '../engine/matchers.js';
import type { CheckResult } from '../../reports/report.js';

const runOnCopies = async (t: ExecutionContext, run: Run, lack = ['single-copy']): Promise<CheckResult> => {
  const server = await referenceServer(t);
  const checks = [check({ rule: 'feed-latest', variant: 'lag', run })];
  const report = await runConformance({ urls: [server.url], admin, checks, lack, cases: 1, shrinkMs: 0 });
  return report.checks[0]!;
};

/** @param isWrong whether the n-th read, from 0, shows a violation. */
const reads = (isWrong: (read: number) => boolean): Run => {
  let read = -1;
  return forAll(fc.constant('a'), async (context, id) => {
    const { database } = await playNew(context, [newDocument(id)]);
    await readFeed(database);
    read += 1;
    must(!isWrong(read), 'The row is missing');
  });
};

test('a violation in a read soon after a write is tried again twice, and counted', async (t) => {
  const result = await runOnCopies(
    t,
    reads((read) => read === 0),
  );
  t.like(result, { outcome: 'pass', lagging: 1, cases: 1 });
});

test('a violation that shows again when the read waits for the copies counts', async (t) => {
  t.is(
    (
      await runOnCopies(
        t,
        reads((read) => read <= 1),
      )
    ).outcome,
    'fail',
  );
  t.is(
    (
      await runOnCopies(
        t,
        reads((read) => read === 0 || read === 2),
      )
    ).outcome,
    'fail',
  );
});

test('with one copy, no violation is tried again', async (t) => {
  t.is(
    (
      await runOnCopies(
        t,
        reads((read) => read === 0),
        [],
      )
    ).outcome,
    'fail',
  );
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
