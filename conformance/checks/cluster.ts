/** What holds between the nodes of one cluster (SERVICE 4.7 rules 2 to 4, 5.4). */
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { stagedHistories } from '../arbitraries/histories.js';
import { roles, subjects } from '../arbitraries/tokens.js';
import { requests } from '../arbitraries/requests.js';
import type { FeedRequest } from '../model/feed.js';
import { changedIds, type DatabaseState } from '../model/history.js';
import { winner } from '../model/revisions.js';
import { readFeed } from '../play/feed.js';
import { pinging } from '../play/live-feed.js';
import { play } from '../play/player.js';
import { allSettledOrThrow } from '../play/settled.js';
import { token } from '../play/tokens.js';
import { isInTime } from '../verdict/deadlines.js';
import { mustMatch, satisfying } from '../verdict/matchers.js';
import { Blocked } from '../verdict/outcomes.js';
import type { TargetRequest, DatabaseClient, Exchange } from '../client/client.js';
import { claimsFor, headerFor, keyNamed, someKey, withRoles } from './shared/jwt.js';
import { check, forAll, type Check, type CheckContext } from '../check.js';
import { consumers, modes, mustConverge } from './shared/consumers.js';
import { mustBeUser } from './shared/sessions.js';

/** Nodes tell each other of writes when they can: what is later than this, after which nothing is written, is lost. */
const lateMs = 8000;

/** Between two looks at what is not there yet. */
const pauseMs = 20;

/** As each node has it. */
function onEachNode(database: DatabaseClient, { target }: CheckContext): DatabaseClient[] {
  return Array.from({ length: target.nodes }, (_, node) => ({
    ...database,
    request: (ask: TargetRequest) => database.request({ ...ask, node }),
    open: (ask: TargetRequest) => database.open({ ...ask, node }),
  }));
}

/**
 * Reads until nothing is missing, or until nobody would wait any longer.
 *
 * @param read gives the ids of what is missing.
 * @returns what is missing in the end.
 */
async function missingInTheEnd(
  node: DatabaseClient,
  read: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  let missing = await read();
  let isOver = false;
  const reading = async (): Promise<void> => {
    while (missing.length > 0 && !isOver) {
      await wait(pauseMs);
      missing = await read();
    }
  };
  const complete = reading();
  await isInTime(complete, { by: performance.now(), graceMs: lateMs, look: pinging(node) });
  isOver = true;
  await complete;
  return missing;
}

/** The documents of which the feed does not show the winning revision. */
async function unseen(
  node: DatabaseClient,
  { method, query }: FeedRequest,
  wanted: ReadonlySet<string>,
  state: DatabaseState,
): Promise<string[]> {
  const { rows } = await readFeed(node, query, method);
  const shown = new Set(rows.map(({ id, revs }) => JSON.stringify([id, revs[0]])));
  return [...wanted].filter((id) => !shown.has(JSON.stringify([id, winner(state.get(id)!)!.rev])));
}

const nodeNumbers = fc.nat({ max: 15 });

const twoStages = stagedHistories(2).map(([before, after]) => ({ before: before!, after: after! }));

/** Which places of the first feed are tried. */
const picks = fc.array(fc.nat({ max: 150 }), { minLength: 2, maxLength: 2 });

export const clusterChecks: readonly Check[] = [
  check({
    rule: 'cluster-jwt-keys',
    run: forAll(
      (context) => fc.record({ key: someKey(context), name: subjects, roles }),
      async (context, { key: keyName, name, roles }) => {
        const key = keyNamed(context, keyName);
        const bearer = token(headerFor(key), withRoles(context, claimsFor(context, name), roles), key);
        const sessions = await Promise.all(
          Array.from({ length: context.target.nodes }, (_, node) =>
            context.target.request({ path: '/_session', node, as: { authorization: `Bearer ${bearer}` } }),
          ),
        );
        const accepted = sessions.flatMap((session, node) => {
          const user = userIn(session);
          return user?.name === name ? [{ node, user }] : [];
        })[0];
        if (!accepted) throw new Blocked(`No node accepts a token of ${keyName}: see jwt-accepts.`);
        for (const [node, session] of sessions.entries()) {
          mustBeUser(
            accepted.user,
            session,
            `On node ${node + 1} a token that node ${accepted.node + 1} accepts`,
          );
        }
      },
      { runs: { smoke: 3, default: 10, thorough: 100 } },
    ),
  }),

  check({
    rule: 'cluster-seq-portable',
    run: forAll(
      fc.record({
        history: twoStages,
        request: requests({ descending: undefined, style: undefined }),
        giver: nodeNumbers,
        writer: nodeNumbers,
        picks,
      }),
      async (context, { history, request, giver, writer, picks }) => {
        const nodes = onEachNode(await context.createDatabase(), context);
        const [giving, writing] = [nodes[giver % nodes.length]!, nodes[writer % nodes.length]!];
        const before = await play(giving, history.before);
        // Only where all is there a place in the feed says what came before it.
        for (const node of new Set([giving, writing])) {
          const all = new Set(before.keys());
          const missing = await missingInTheEnd(node, () =>
            unseen(node, { method: 'GET', query: {} }, all, before),
          );
          if (missing.length > 0)
            throw new Blocked('A node does not show what was written: see feed-latest.');
        }
        const { rows, lastSeq } = await readFeed(giving, request.query, request.method);
        const after = await play(writing, history.after, before);
        const changed = changedIds(before, after);

        const chosen = new Set(picks.map((pick) => pick % (rows.length + 1)));
        const places = [...chosen].map((index) => ({
          since: index < rows.length ? rows[index]!.seq : lastSeq,
          wanted: new Set([...rows.slice(index + 1).map(({ id }) => id), ...changed]),
        }));
        await allSettledOrThrow(
          places.flatMap(({ since, wanted }) =>
            nodes.map(async (node, number) => {
              const resumed = { ...request, query: { ...request.query, since } };
              const missing = await missingInTheEnd(node, () => unseen(node, resumed, wanted, after));
              const complete = satisfying(
                `current rows for ${JSON.stringify(missing)} since ${JSON.stringify(since)}`,
                () => missing.length === 0,
              );
              const what = `A seq of node ${(giver % nodes.length) + 1} loses changes on node ${number + 1}`;
              mustMatch(what, undefined, complete, '$.results');
            }),
          ),
        );
      },
      { runs: { smoke: 2, default: 10, thorough: 100 } },
    ),
  }),

  check({
    rule: 'cluster-converges',
    waits: true,
    run: forAll(
      fc.record({
        stages: stagedHistories(3),
        consumption: consumers(...modes),
        order: fc.array(nodeNumbers, { minLength: 2, maxLength: 6 }),
      }),
      async (context, { stages, consumption, order }) =>
        mustConverge(onEachNode(await context.createDatabase(), context), {
          stages,
          consumers: [{ consumption }],
          order,
          graceMs: lateMs,
        }),
      { runs: { smoke: 2, default: 10, thorough: 100 } },
    ),
  }),
];

/** Whose session it is; undefined when it is nobody's. */
function userIn(session: Exchange): { name: string; roles: readonly string[] } | undefined {
  if (session.status !== 200) return undefined;
  const { userCtx } = session.object() as { userCtx?: { name?: unknown; roles?: unknown } };
  const { name, roles } = userCtx ?? {};
  if (typeof name !== 'string' || !Array.isArray(roles)) return undefined;
  return { name, roles: roles as string[] };
}
