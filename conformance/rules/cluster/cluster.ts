/** Rules that hold between the nodes of one cluster (SERVICE 4.7 rules 2 to 4, 5.4). */
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import {
  allSettledOrThrow,
  asObject,
  Blocked,
  changedIds,
  type CheckContext,
  type DatabaseClient,
  type DatabaseState,
  defineRule,
  type Exchange,
  feedModes,
  type FeedRequest,
  forAll,
  histories,
  must,
  play,
  probesOf,
  readFeed,
  readWinners,
  requests,
  roles,
  stagedHistories,
  subjects,
  type TargetRequest,
  token,
  winner,
  withQuery,
} from '../../kit.js';
import { isInTime } from '../../engine/deadlines.js';
import {
  claimsFor,
  headerFor,
  keyNamed,
  keyNames,
  untrustedKey,
  usableKeys,
  withRoles,
} from '../shared/jwt.js';
import { consumerPlans, mustConverge } from '../shared/live-consumers.js';
import { mustHaveSameRows } from '../shared/row-assertions.js';
import { mustBeAnonymous, mustBeUser } from '../shared/sessions.js';
import { unseen } from '../shared/unseen.js';

/** The time for a write to reach all nodes, in probes of the target: see {@link isInTime}. Later means that it is lost. */
const replicationMs = 8000;

const pauseMs = 20;

/** The database as seen through each node. */
function onEachNode(database: DatabaseClient, { target }: CheckContext): DatabaseClient[] {
  return Array.from({ length: target.nodes }, (_, node) => ({
    ...database,
    request: (request: TargetRequest) => database.request({ ...request, node }),
    open: (request: TargetRequest) => database.open({ ...request, node }),
  }));
}

/**
 * Reads repeatedly until nothing is missing or the time for replication is over.
 *
 * @param read returns the ids of the missing documents.
 * @returns the ids that are still missing.
 */
async function missingAfterReplication(
  node: DatabaseClient,
  read: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  let missing = await read();
  let isOver = false;
  const readUntilComplete = async (): Promise<void> => {
    while (missing.length > 0 && !isOver) {
      await wait(pauseMs);
      missing = await read();
    }
  };
  const complete = readUntilComplete();
  await isInTime(complete, { by: performance.now(), graceMs: replicationMs, ...probesOf(node, {}) });
  isOver = true;
  await complete;
  return missing;
}

/** The wanted documents whose winning revision the feed does not return. */
async function missingIn(
  node: DatabaseClient,
  request: FeedRequest,
  wanted: ReadonlySet<string>,
  state: DatabaseState,
): Promise<string[]> {
  const { rows } = await readFeed(node, request);
  const returned = new Set(rows.map(({ id, revs }) => JSON.stringify([id, revs[0]])));
  return [...wanted].filter((id) => !returned.has(JSON.stringify([id, winner(state.get(id)!)!.rev])));
}

/** Throws Blocked unless all nodes have the state, since only then a seq stands for all changes before it. */
async function waitForReplication(nodes: Iterable<DatabaseClient>, state: DatabaseState): Promise<void> {
  const all = new Set(state.keys());
  for (const node of nodes) {
    const missing = await missingAfterReplication(node, () => missingIn(node, {}, all, state));
    if (missing.length > 0) throw new Blocked('A node does not return all writes (see feed-latest).');
  }
}

const nodeNumbers = fc.nat({ max: 15 });

const twoStages = stagedHistories(2).map(([before, after]) => ({ before: before!, after: after! }));

/** Indexes of the rows from whose seqs the check resumes. */
const picks = fc.array(fc.nat({ max: 150 }), { minLength: 2, maxLength: 2 });

const cases = { smoke: 2, default: 10, thorough: 100 };

export const clusterJwtKeys = defineRule('cluster-jwt-keys', {
  rung: 'cluster',
  notInTraffic: unseen.nodes,
  checks: {
    'cluster-jwt-keys': forAll(
      (context) => fc.record({ key: keyNames(context), name: subjects, roles }),
      async (context, { key: keyName, name, roles }) => {
        const key = keyNamed(context, keyName);
        const bearer = token(headerFor(key), withRoles(context, claimsFor(context, name), roles), key);
        const sessions = await Promise.all(
          Array.from({ length: context.target.nodes }, (_, node) =>
            context.target.request({ path: '/_session', node, as: { authorization: `Bearer ${bearer}` } }),
          ),
        );
        const users = sessions.map(userIn);
        const accepting = users.findIndex((user) => user?.name === name);
        const user = users[accepting];
        if (!user) throw new Blocked(`No node accepts a token of ${keyName} (see jwt-accepts).`);
        for (const [node, session] of sessions.entries()) {
          mustBeUser(user, session, `on node ${node + 1} a token that node ${accepting + 1} accepts`);
        }
      },
      { cases: { ...cases, smoke: 3 } },
    ),

    // Each node must verify tokens, also one that the other checks of tokens do not use.
    'cluster-jwt-keys/stranger': async (context) => {
      for (const key of usableKeys(context)) {
        const bearer = token(headerFor(key), claimsFor(context, 'docfeed-nobody'), {
          key: untrustedKey(key),
          alg: key.alg,
        });
        for (let node = 0; node < context.target.nodes; node += 1) {
          const as = { authorization: `Bearer ${bearer}` };
          const session = await context.target.request({ path: '/_session', node, as });
          mustBeAnonymous(session, `on node ${node + 1} the signature of another ${key.type} key`);
        }
      }
    },
  },
});

export const clusterSeqPortable = defineRule('cluster-seq-portable', {
  rung: 'cluster',
  notInTraffic: unseen.nodes,
  checks: {
    // Changes must be complete on each node in time after the last request; only time in which the node answers other
    // requests counts.
    'cluster-seq-portable': forAll(
      fc.record({
        history: twoStages,
        request: requests({ descending: undefined, style: undefined }),
        reader: nodeNumbers,
        writer: nodeNumbers,
        picks,
      }),
      async (context, { history, request, reader, writer, picks }) => {
        const nodes = onEachNode(await context.createDatabase(), context);
        const readerIndex = reader % nodes.length;
        const [reading, writing] = [nodes[readerIndex]!, nodes[writer % nodes.length]!];
        const before = await readWinners(reading, await play(reading, history.before));
        await waitForReplication(new Set([reading, writing]), before);
        const { rows, lastSeq } = await readFeed(reading, request);
        const after = await readWinners(writing, await play(writing, history.after, before));
        const changed = changedIds(before, after);

        const chosen = new Set(picks.map((pick) => pick % (rows.length + 1)));
        const positions = [...chosen].map((index) => ({
          since: index < rows.length ? rows[index]!.seq : lastSeq,
          wanted: new Set([...rows.slice(index + 1).map(({ id }) => id), ...changed]),
        }));
        await allSettledOrThrow(
          positions.flatMap(({ since, wanted }) =>
            nodes.map(async (node, index) => {
              const resumed = withQuery(request, { since });
              const missing = await missingAfterReplication(node, () =>
                missingIn(node, resumed, wanted, after),
              );
              const what = `Resuming from a seq of node ${readerIndex + 1} on node ${index + 1} loses changes`;
              must(missing.length === 0, what, {
                path: '$.results',
                expected: `current rows for ${JSON.stringify(missing)} since ${JSON.stringify(since)}`,
              });
            }),
          ),
        );
      },
      { cases },
    ),
  },
});

export const clusterConverges = defineRule('cluster-converges', {
  rung: 'cluster',
  notInTraffic: unseen.nodes,
  checks: {
    'cluster-converges': {
      waits: 'changes',
      run: forAll(
        fc.record({
          stages: stagedHistories(3),
          plan: consumerPlans(...feedModes),
          order: fc.array(nodeNumbers, { minLength: 2, maxLength: 6 }),
        }),
        async (context, { stages, plan, order }) =>
          mustConverge(onEachNode(await context.createDatabase(), context), {
            stages,
            consumers: [{ plan }],
            order,
            graceMs: replicationMs,
          }),
        { cases },
      ),
    },

    // Each node must return all documents, and respond to the same request with the same rows.
    'cluster-converges/parameters': forAll(
      fc.record({ request: requests(), limit: fc.integer({ min: 1, max: 4 }), history: histories }),
      async (context, { history, request, limit }) => {
        const nodes = onEachNode(await context.createDatabase(), context);
        const state = await readWinners(nodes[0]!, await play(nodes[0]!, history));
        for (const [index, node] of nodes.entries()) {
          const missing = await missingAfterReplication(node, async () => {
            const { ids } = await readFeed(node);
            return [...state.keys()].filter((id) => !ids.includes(id));
          });
          must(missing.length === 0, `Node ${index + 1} does not return all documents`, {
            path: '$.results',
            expected: `rows for ${JSON.stringify(missing)}`,
          });
        }
        await waitForReplication(nodes, state);
        const { rows } = await readFeed(nodes[0]!, request);
        for (const [index, node] of nodes.entries()) {
          const all = await readFeed(node, request);
          mustHaveSameRows(`Node ${index + 1} returns other rows than node 1`, all.rows, rows);
          const { ids } = await readFeed(node, withQuery(request, { limit }));
          const count = Math.min(limit, rows.length);
          must(ids.length === count, `Node ${index + 1} does not return as many rows as limit allows`, {
            path: '$.results',
            expected: `${count} of the ${rows.length} rows`,
            actual: ids,
          });
        }
      },
      { cases },
    ),
  },
});

/** The user of a session; undefined if it is anonymous or malformed. */
function userIn(session: Exchange): { name: string; roles: readonly string[] } | undefined {
  if (session.status !== 200) return undefined;
  const { name, roles } = asObject(session.object()['userCtx']);
  if (typeof name !== 'string' || !Array.isArray(roles)) return undefined;
  return { name, roles: roles as string[] };
}
