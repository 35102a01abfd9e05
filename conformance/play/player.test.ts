import test, { type ExecutionContext } from 'ava';
import { stagedHistories } from '../arbitraries/histories.js';
import { check, forAll, type Run } from '../check.js';
import { runConformance } from '../index.js';
import { emptyState, type DatabaseState, type Write } from '../model/history.js';
import { ancestry, leaves } from '../model/revisions.js';
import { equalTo, mustMatch, sameElements } from '../verdict/matchers.js';
import type { DatabaseClient } from '../client/client.js';
import { changeFeed } from '../faults/shared/feeds.js';
import { admin, referenceServer } from '../testing/reference.js';
import { readFeed } from './feed.js';
import { documentPath, play, playNew } from './player.js';

/** Runs a check that this test has, against a server of its own. */
async function result(t: ExecutionContext, run: Run) {
  const server = await referenceServer(t);
  const checks = [check({ rule: 'feed-latest', what: 'player', run })];
  const report = await runConformance({ urls: [server.url], admin, seed: 1, checks });
  return report.checks[0]!;
}

/** The leaves of every document as the server tells them document by document, not through the feed. */
async function mustHoldTheSame(database: DatabaseClient, state: DatabaseState): Promise<void> {
  for (const [id, tree] of state) {
    const path = documentPath(id);
    const answer = await database.request({ path, query: { open_revs: 'all', revs: true } });
    const told = (answer.json() as { ok: unknown }[]).map(({ ok }) => ok);
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
    mustMatch(`The leaves of ${id} differ`, told, sameElements(expected));
  }
}

test('what was played is what the model says', async (t) => {
  const { outcome, reason, counterexample } = await result(
    t,
    forAll(stagedHistories(2), async (context, stages) => {
      const database = await context.createDatabase();
      let state = emptyState;
      for (const history of stages) {
        state = await play(database, history, state);
        await mustHoldTheSame(database, state);
      }
    }),
  );
  t.is(outcome, 'pass', `${reason} ${JSON.stringify(counterexample?.input)}`);
});

const put: Write = { kind: 'put', leaf: 0, body: {} };
const graft: Write = { kind: 'graft', from: 0, ranks: [1], deleted: false, body: {} };

test('writes go out in as few calls as they allow', async (t) => {
  const { outcome, requests } = await result(t, async (context) => {
    await playNew(context, [
      { id: 'a', writes: [put, graft, graft, put] },
      { id: 'b', writes: [put] },
      { id: 'c', writes: [graft, put] },
    ]);
  });
  t.is(outcome, 'pass');
  // The database; the first edits; the grafts; the second edits.
  t.is(requests, 1 + 3);
});

test('a history of nothing makes no call', async (t) => {
  const { requests } = await result(t, async (context) => {
    const { state } = await playNew(context, []);
    mustMatch('Something was written', [...state], equalTo([]));
  });
  t.is(requests, 1);
});

test('a database that is not there, or not yet, decides nothing', async (t) => {
  const { outcome, reason } = await result(t, async (context) => {
    const { database } = await playNew(context, []);
    await database.request({ path: '', method: 'DELETE' });
    await play(database, [{ id: 'a', writes: [put] }]);
  });
  t.is(outcome, 'inconclusive');
  t.regex(reason!, /_bulk_docs answered 404/);
});

test('a document that the server refuses blocks the check', async (t) => {
  const { outcome, reason } = await result(t, async (context) => {
    const { database } = await playNew(context, [{ id: 'a', writes: [put] }]);
    // As if the document were not there yet.
    await play(database, [{ id: 'a', writes: [put] }]);
  });
  t.is(outcome, 'blocked');
  t.regex(reason!, /refused a document.*conflict/);
});

test('histories shrink to the smallest that still shows the fault', async (t) => {
  const { counterexample } = await result(
    t,
    forAll(stagedHistories(1), async (context, [history]) => {
      const { state } = await playNew(context, history!);
      const contested = [...state.values()].find((tree) => leaves(tree).length > 1);
      mustMatch('A document is contested', contested, equalTo(undefined));
    }),
  );
  t.like(counterexample?.input, [[{ writes: [graft, graft].map(() => ({ kind: 'graft' })) }]]);
});

test('where there are several copies, each write is shown before the next step', async (t) => {
  let hidden = 0;
  const late = changeFeed(async ({ read }) => {
    const feed = await read();
    hidden -= 1;
    return hidden < 0 ? feed : { ...feed, results: [] };
  });
  const server = await referenceServer(t, { parts: late });
  const run: Run = async (context) => {
    const database = await context.createDatabase();
    let state = emptyState;
    for (const id of ['a', 'b']) {
      hidden = 5;
      state = await play(database, [{ id, writes: [put, graft] }], state);
      const { ids } = await readFeed(database);
      mustMatch('It is not there', ids, sameElements([...state.keys()]));
    }
  };
  const checks = [check({ rule: 'feed-latest', what: 'player', run })];
  const outcome = async (deny: string[]) =>
    (await runConformance({ urls: [server.url], admin, checks, deny })).checks[0]!.outcome;
  t.is(await outcome(['single-copy']), 'pass');
  t.is(await outcome([]), 'fail');
});

test('stubs that the target does not show, or not as an object, are sent as they are known', async (t) => {
  const keeping: Write = { kind: 'put', leaf: 0, body: {}, keeps: true };
  const writing: Write = { ...put, attachments: [{ name: 'a.txt', data: 'YQ==', type: 'text/plain' }] };
  for (const shown of [null, 5, undefined]) {
    const server = await referenceServer(t, {
      parts: (parts) => ({
        ...parts,
        handlers: {
          ...parts.handlers,
          async getDocument(request, context) {
            const answer = await parts.handlers.getDocument(request, context);
            return { ...answer, body: { ...(answer.body as object), _attachments: shown } } as typeof answer;
          },
        },
      }),
    });
    const run: Run = async (context) =>
      void (await playNew(context, [{ id: 'a', writes: [writing, keeping] }]));
    const checks = [check({ rule: 'feed-latest', what: 'player', run })];
    const report = await runConformance({ urls: [server.url], admin, checks });
    t.is(report.checks[0]?.outcome, 'pass', report.checks[0]?.reason);
  }
});
