/** Faults of one node among several that share one store. */
import { type Fault } from '../../reference/index.js';
import { handlingFeeds, positionOf, type Query } from './shared/feeds.js';
import { answering, bodyOf, type Context, type Replace } from './shared/components.js';
import { type Candidate } from './shared/filters.js';

type Request = { readonly params: { readonly db: string }; readonly query: Query };

const nodes = 3;

/** Answers requests to the feed of one node as if they had been others, in every mode. */
const asking = (node: number, change: (request: Request, context: Context) => Partial<Query>): Replace =>
  handlingFeeds(
    (handle) => (request, context) =>
      context.node === node
        ? handle({ ...request, query: { ...request.query, ...change(request, context) } }, context)
        : handle(request, context),
  );

/** Leaves documents out of the feeds of one node, in every mode. */
const hiding =
  (node: number, isHidden: (document: Candidate['head']) => boolean): Replace =>
  (parts) => ({
    ...parts,
    async createFilter(database, request, context) {
      const filter = await parts.createFilter(database, request, context);
      if (context.node !== node) return filter;
      return {
        needsBodies: filter?.needsBodies ?? false,
        async accept(batch) {
          const verdicts = await filter?.accept(batch);
          return batch.map(({ head, revisions }, index) =>
            revisions.map((_, leaf) => !isHidden(head) && (verdicts?.[index]![leaf] ?? true)),
          );
        },
        close: () => filter?.close(),
      };
    },
  });

/** Sessions of tokens, on one node. */
const tokenSession = (node: number, change: (body: Record<string, unknown>) => object): Replace =>
  answering('getSession', (answer, context) =>
    context.node === node && context.user.authenticatedBy === 'jwt'
      ? { ...answer, body: change(bodyOf(answer)) }
      : answer,
  );

export const clusterFaults: readonly Fault[] = [
  {
    id: 'node-without-keys',
    rule: 'cluster-jwt-keys',
    summary: 'One node trusts no keys for tokens.',
    nodes,
    replace: tokenSession(2, (body) => ({
      ...body,
      userCtx: { name: null, roles: [] },
      info: { ...(body['info'] as object), authenticated: undefined },
    })),
  },
  {
    id: 'node-without-roles',
    rule: 'cluster-jwt-keys',
    summary: 'One node looks for the roles of a token in another claim.',
    nodes,
    replace: tokenSession(1, (body) => ({ ...body, userCtx: { ...(body['userCtx'] as object), roles: [] } })),
  },
  {
    id: 'node-since-now',
    rule: 'cluster-seq-portable',
    summary: 'One node takes every sequence for the present.',
    nodes,
    replace: asking(1, ({ query: { since } }) => (since === '0' ? {} : { since: 'now' })),
  },
  {
    id: 'node-since-skips-one',
    rule: 'cluster-seq-portable',
    summary: 'One node counts from one further than the others.',
    nodes,
    replace: asking(2, ({ params: { db }, query: { since } }, { store }) => {
      const database = store.database(db);
      const further = Math.min(positionOf(since) + 1, database.position);
      return since === '0' || since === 'now' ? {} : { since: database.sequenceOf(further) as string };
    }),
  },
  {
    id: 'node-without-deletions',
    rule: 'cluster-converges',
    summary: 'One node never tells that a document was deleted, but tells what came after.',
    nodes,
    replace: hiding(1, ({ leaves }) => leaves.deleted),
  },
  {
    id: 'node-without-conflicts',
    rule: 'cluster-converges',
    summary: 'One node never tells of documents in conflict, but tells what came after.',
    nodes,
    replace: hiding(2, ({ leaves }) => leaves.conflicts.length > 0),
  },
];
