/** Faults of one node among several that share one store. */
import { httpError } from '../../../reference/index.js';
import {
  combine,
  faultsOf,
  perServer,
  replaceFunction,
  replaceHandler,
  type JsonObject,
  type Replace,
} from '../shared/components.faults.js';
import { changeFeedQuery, positionOf, type FeedRequest } from '../shared/feeds.faults.js';
import type { Candidate } from '../shared/filters.faults.js';
import { changeUserContext, misreportHandler } from '../shared/sessions.faults.js';

/** Changes where feeds of one node start, except at the beginning. */
const changeSince = (node: number, change: (request: FeedRequest) => string): Replace =>
  changeFeedQuery('any', (request) =>
    request.context.node === node && request.query.since !== '0' ? { since: change(request) } : {},
  );

/** Omits documents from the feeds of one node, with and without a filter. */
const omitDocuments = (node: number, isOmitted: (document: Candidate['head']) => boolean): Replace =>
  replaceFunction('createFilter', async (original, database, request, context) => {
    const filter = await original(database, request, context);
    if (context.node !== node) return filter;
    return {
      needsBodies: filter?.needsBodies ?? false,
      async accept(batch: readonly Candidate[]) {
        const accepted = await filter?.accept(batch);
        return batch.map(({ head, revisions }, index) =>
          revisions.map((_, leaf) => !isOmitted(head) && (accepted?.[index]![leaf] ?? true)),
        );
      },
      close: () => filter?.close(),
    };
  });

/** Changes the user context in sessions of tokens on one node. */
const changeTokenUser = (node: number, userCtx: JsonObject): Replace =>
  changeUserContext((context) =>
    context.node === node && context.user.authenticatedBy === 'jwt' ? userCtx : {},
  );

export const clusterFaults = faultsOf({
  'cluster-jwt-keys': {
    'node-without-keys': {
      summary: 'The server does not accept tokens at one node.',
      replace: combine(
        changeTokenUser(2, { name: null, roles: [] }),
        misreportHandler('jwt', undefined, ({ node }) => node === 2),
      ),
    },
    'node-without-roles': {
      summary: 'The server does not read the roles of a token at one node.',
      replace: changeTokenUser(1, { roles: [] }),
    },
    'node-without-signatures': {
      summary: 'The server does not verify the signatures of tokens at one node.',
      replace: perServer(() => {
        const invalid = new Set<string>();
        return combine(
          replaceFunction('verifySignature', async (original, token, ...rest) => {
            if (!(await original(token, ...rest))) invalid.add(`Bearer ${token}`);
            return true;
          }),
          replaceHandler('getSession', (original, request, context) => {
            const { authorization = '' } = context.requestHead.headers;
            if (context.node !== 1 && invalid.has(authorization))
              throw httpError(400, 'bad_request', 'Bad signature');
            return original(request, context);
          }),
        );
      }),
    },
  },
  'cluster-seq-portable': {
    'node-since-now': {
      summary: 'The server reads every sequence as now at one node.',
      replace: changeSince(1, () => 'now'),
    },
    'node-since-skips-one': {
      summary: 'The server skips one change after since at one node.',
      replace: changeSince(2, ({ params: { db }, query: { since }, context: { store } }) => {
        if (since === 'now') return since;
        const database = store.database(db);
        return database.sequenceOf(Math.min(positionOf(since) + 1, database.position)) as string;
      }),
    },
  },
  'cluster-converges': {
    'node-without-deletions': {
      summary: 'The server omits deleted documents at one node.',
      replace: omitDocuments(1, ({ leaves }) => leaves.deleted),
    },
    'node-without-conflicts': {
      summary: 'The server omits documents in conflict at one node.',
      replace: omitDocuments(2, ({ leaves }) => leaves.conflicts.length > 0),
    },
    'node-without-documents': {
      summary: 'The server ignores include_docs at one node.',
      replace: changeFeedQuery('any', { include_docs: false }, ({ context }) => context.node === 1),
    },
    'node-one-row-more': {
      summary: 'The server returns one row more than limit allows at one node.',
      replace: changeFeedQuery('normal', ({ query: { limit }, context: { node } }) =>
        node === 2 && limit !== undefined && limit > 0 ? { limit: limit + 1 } : {},
      ),
    },
  },
}).map((fault) => ({ ...fault, nodes: 3 }));
