/** Changes the filters of the changes feed, in every mode. */
import type { Components, Context } from '../../../reference/index.js';
import type { FeedRequest, Query } from './feeds.faults.js';
import { replaceFunction, type Replace } from './components.faults.js';

type CreateFilter = Components['createFilter'];
type Database = Parameters<CreateFilter>[0];
type Filter = NonNullable<Awaited<ReturnType<CreateFilter>>>;
export type Candidate = Parameters<Filter['accept']>[0][number];

export interface FilterRequest extends Omit<Parameters<CreateFilter>[1], 'query'> {
  readonly query: Query;
}

/** A filter of one open feed. */
export interface OpenFilter extends FilterRequest {
  readonly name: string;
  readonly database: Database;
  readonly user: Context['user'];
  /** The query string as sent: `query` contains parsed values. */
  readonly sent: URLSearchParams;
  /** The position of the database when the feed was opened. */
  readonly openedAt: number;
}

/**
 * Changes which revisions a filter accepts.
 *
 * @param change gets whether the filter accepts each revision of a document, winner first
 * @param needsBodies whether `change` reads the content of the revisions
 */
export const changeAccepted = (
  change: (accepted: readonly boolean[], candidate: Candidate, filter: OpenFilter) => readonly boolean[],
  needsBodies = false,
): Replace =>
  replaceFunction('createFilter', async (original, database, request, context) => {
    const filter = await original(database, request, context);
    if (!filter) return filter;
    const query = request.query as Query;
    const openFilter = {
      ...request,
      query,
      name: query.filter ?? '',
      database,
      user: context.user,
      sent: new URL(context.requestHead.url, 'http://localhost').searchParams,
      openedAt: database.position,
    };
    return {
      needsBodies: needsBodies || filter.needsBodies,
      async accept(batch: readonly Candidate[]) {
        const accepted = await filter.accept(batch);
        return batch.map((candidate, index) => [...change(accepted[index]!, candidate, openFilter)]);
      },
      close: () => filter.close(),
    };
  });

/** Accepts only revisions for which `holds` is true as well. Applies to filters with the given name. */
export const acceptOnly = (
  name: RegExp,
  holds: (candidate: Candidate, filter: OpenFilter) => boolean,
): Replace =>
  changeAccepted((accepted, candidate, filter) =>
    accepted.map((isAccepted) => isAccepted && (!name.test(filter.name) || holds(candidate, filter))),
  );

/** Also accepts every revision of a document for which `holds` is true. Applies to filters with the given name. */
export const acceptAlso = (
  name: string,
  holds: (candidate: Candidate, filter: OpenFilter) => boolean,
): Replace =>
  changeAccepted((accepted, candidate, filter) =>
    filter.name === name && holds(candidate, filter) ? accepted.map(() => true) : accepted,
  );

/** Changes the request that a filter is created from. */
export const changeFilterRequest = (
  change: (request: FilterRequest) => { query?: Partial<Query>; body?: FilterRequest['body'] },
): Replace =>
  replaceFunction('createFilter', (original, database, { query, body }, context) => {
    const changed = change({ query: query as Query, body });
    return original(database, { query: { ...query, ...changed.query }, body: changed.body ?? body }, context);
  });

export const documentIdsOf = ({ query, body }: Pick<FeedRequest, 'query' | 'body'>): readonly string[] =>
  body?.doc_ids ?? query.doc_ids ?? [];

/** Reads only the IDs of doc_ids before `end`, as `slice` does, in some requests. Default: in all. */
export const shortenDocumentIds = (
  end: number,
  isAffected: (query: Query) => boolean = () => true,
): Replace =>
  changeFilterRequest(({ query, body }) => {
    if (!isAffected(query)) return {};
    return {
      query: { doc_ids: query.doc_ids?.slice(0, end) },
      body: body && { ...body, doc_ids: body.doc_ids?.slice(0, end) },
    };
  });

/** Changes the JSON text of selectors. */
export const changeSelector = (change: (selector: string) => string): Replace =>
  changeFilterRequest(({ body }) => {
    if (body?.selector === undefined) return {};
    const selector = JSON.parse(change(JSON.stringify(body.selector))) as typeof body.selector;
    return { body: { ...body, selector } };
  });

export const isLive = ({ head }: Candidate): boolean => !head.leaves.deleted;

export const isDesign = ({ head }: Candidate): boolean => head.id.startsWith('_design/');
