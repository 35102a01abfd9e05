import test, { type ExecutionContext } from 'ava';
import { stagedHistories } from '../arbitraries/histories.js';
import { checksOf, type Run } from '../session/scope/rule-checks.js';
import { forAll } from '../engine/property.js';
import { type ConformanceOptions, runConformance } from '../index.js';
import { emptyState, type DatabaseState, type Write } from '../oracle/history.js';
import { ancestry, leaves, winner } from '../oracle/revisions.js';
import { equalTo, mustMatch, sameElements } from '../engine/matchers.js';
import type { DatabaseClient } from '../http/client.js';
import { combine, type Replace, replaceFunction, replaceHandler } from '../rules/shared/components.faults.js';
import { changeFeed } from '../rules/shared/feeds.faults.js';
import { admin, referenceServer } from '../testing/reference.js';
import { readFeed } from './read-feed.js';
import { documentPath } from '../http/document-requests.js';
import { play, playNew, readWinners } from './player.js';

/** Runs one check against a new reference server. */
async function runCheck(
  t: ExecutionContext,
  run: Run,
  components?: Replace,
  options: Partial<ConformanceOptions> = {},
) {
  const server = await referenceServer(t, { components });
  const checks = checksOf({ 'feed-latest/player': run });
  const report = await runConformance({ urls: [server.url], admin, seed: 1, checks, ...options });
  return report.checks[0]!;
}

/** Compares the leaves of every document with the state, without using the feed. */
async function mustHaveState(database: DatabaseClient, state: DatabaseState): Promise<void> {
  for (const [id, tree] of state) {
    const path = documentPath(id);
    const response = await database.request({ path, query: { open_revs: 'all', revs: true } });
    const stored = (response.json() as { ok: unknown }[]).map(({ ok }) => ok);
    const expected = leaves(tree).map(({ rev, deleted, body }) => ({
      ...body,
      _id: id,
      _rev: rev,
      ...(deleted && { _deleted: true }),
      _revisions: {
        start: Number.parseInt(rev, 10),
        ids: ancestry(tree, rev).map((ancestor) => ancestor.slice(ancestor.indexOf('-') + 1)),
      },
    }));
    mustMatch(`The leaves of ${id} differ`, stored, sameElements(expected));
  }
}

test('after a history the database has the state of the model', async (t) => {
  const { outcome, reason, counterexample } = await runCheck(
    t,
    forAll(stagedHistories(2), async (context, stages) => {
      const database = await context.createDatabase();
      let state = emptyState;
      for (const history of stages) {
        state = await play(database, history, state);
        await mustHaveState(database, state);
      }
    }),
  );
  t.is(outcome, 'pass', `${reason} ${JSON.stringify(counterexample?.input)}`);
});

const put: Write = { kind: 'put', leaf: 0, body: {} };
const replicate: Write = { kind: 'replicate', parent: 0, hashDigits: [1], deleted: false, body: {} };

test('writes are sent in as few requests as possible', async (t) => {
  const { outcome, requests } = await runCheck(t, async (context) => {
    await playNew(context, [
      { id: 'a', writes: [put, replicate, replicate, put] },
      { id: 'b', writes: [put] },
      { id: 'c', writes: [replicate, put] },
    ]);
    await playNew(context, []);
  });
  t.is(outcome, 'pass');
  // The database; the first edits; the replicated writes; the second edits; an empty database.
  t.is(requests, 1 + 3 + 1);
});

test('the target says which leaf wins', async (t) => {
  /** Unlike in CouchDB, the lower hash wins in histories of the same length. */
  const lowestWins = replaceFunction('winningRevision', (_, leaves) => {
    const revisions = leaves.map(({ revision }) => revision).sort();
    return revisions.find((revision) => revision.startsWith('2-')) ?? revisions[0]!;
  });
  const branch = (digit: number, deleted: boolean): Write => ({ ...replicate, hashDigits: [digit], deleted });
  const run: Run = async (context) => {
    const { database, state: played } = await playNew(context, [
      { id: 'live', writes: [branch(2, false), branch(1, false)] },
      { id: 'deleted', writes: [branch(2, true), branch(1, true)] },
      { id: 'created again', writes: [branch(2, true), branch(1, true), put] },
    ]);
    const state = await readWinners(database, played);
    await mustHaveState(database, state);
    for (const { id, revs } of (await readFeed(database)).rows) {
      mustMatch('Another leaf wins', revs, equalTo([winner(state.get(id)!)!.rev]));
    }
  };
  const { outcome, reason } = await runCheck(t, run, lowestWins);
  t.is(outcome, 'pass', reason);
});

test('a rejected document blocks the check', async (t) => {
  const { outcome, reason } = await runCheck(t, async (context) => {
    const { database } = await playNew(context, [{ id: 'a', writes: [put] }]);
    // Plays it as if the document did not exist.
    await play(database, [{ id: 'a', writes: [put] }]);
  });
  t.is(outcome, 'blocked');
  t.regex(reason!, /rejects a document.*conflict/);
});

/** The next `hidden` feeds have no rows. */
const emptyAtFirst = (lag: { hidden: number }): Replace =>
  changeFeed(async ({ read }) => {
    const feed = await read();
    lag.hidden -= 1;
    return lag.hidden < 0 ? feed : { ...feed, results: [] };
  });

test('play waits until the feed contains the writes, with several copies and with one', async (t) => {
  const lag = { hidden: 0 };
  const run: Run = async (context) => {
    const database = await context.createDatabase();
    let state = emptyState;
    for (const id of ['a', 'b']) {
      lag.hidden = 5;
      state = await play(database, [{ id, writes: [put, replicate] }], state);
      const { ids } = await readFeed(database);
      mustMatch('A row is missing', ids, sameElements([...state.keys()]));
    }
  };
  const outcome = async (lack: string[]) => (await runCheck(t, run, emptyAtFirst(lag), { lack })).outcome;
  t.is(await outcome(['single-copy']), 'pass');
  t.is(await outcome([]), 'pass');
});

test('with several copies, a deleted document is only created again when the feed contains its deletion', async (t) => {
  const lag = { hidden: 0 };
  const hiddenAtWrites: number[] = [];
  const recorded = replaceHandler('bulkDocs', async (original, request, context) => {
    hiddenAtWrites.push(lag.hidden);
    const response = await original(request, context);
    lag.hidden = 5;
    return response;
  });
  const run: Run = async (context) => {
    // Probes write as well.
    hiddenAtWrites.length = 0;
    lag.hidden = 0;
    await playNew(context, [{ id: 'a', writes: [{ ...replicate, deleted: true }, put] }]);
  };
  const { outcome } = await runCheck(t, run, combine(emptyAtFirst(lag), recorded), { lack: ['single-copy'] });
  t.is(outcome, 'pass');
  t.is(hiddenAtWrites.length, 2);
  t.true(hiddenAtWrites[1]! < 0, 'the deletion is visible before the second write');
});

test('stubs are sent unchanged if the target returns no usable ones', async (t) => {
  const keeping: Write = { kind: 'put', leaf: 0, body: {}, keepAttachments: true };
  const writing: Write = { ...put, attachments: [{ name: 'a.txt', data: 'YQ==', type: 'text/plain' }] };
  for (const shown of [null, 5, undefined]) {
    const changed = replaceHandler('getDocument', async (original, request, context) => {
      const response = await original(request, context);
      return { ...response, body: { ...(response.body as object), _attachments: shown } };
    });
    const run: Run = async (context) =>
      void (await playNew(context, [{ id: 'a', writes: [writing, keeping] }]));
    const { outcome, reason } = await runCheck(t, run, changed);
    t.is(outcome, 'pass', reason);
  }
});
