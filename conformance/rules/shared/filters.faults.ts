/** Changes the filters of the changes feed, in every mode. */
import type { Components, Context } from '../../../reference/index.js';
import type { FeedRequest, Query } from './feeds.faults.js';
import { replaceFunction, type JsonObject, type Replace } from './components.faults.js';

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

function openFilterOf(...[database, request, context]: Parameters<CreateFilter>): OpenFilter {
  const query = request.query as Query;
  return {
    ...request,
    query,
    name: query.filter ?? '',
    database,
    user: context.user,
    sent: new URL(context.requestHead.url, 'http://localhost').searchParams,
    openedAt: database.position,
  };
}

/** Changes what programs see: the documents of selectors and functions, or the request object of filter functions. */
const changeSeen = (
  kind: 'document' | 'request',
  change: (seen: JsonObject, filter: OpenFilter) => JsonObject,
): Replace =>
  replaceFunction('createFilter', async (original, database, request, context) => {
    const openFilter = openFilterOf(database, request, context);
    const { workerPool } = context;
    const changed = (text: string): string =>
      JSON.stringify(change(JSON.parse(text) as JsonObject, openFilter));
    const evaluate: typeof workerPool.evaluate = (program, texts, options) =>
      kind === 'document'
        ? workerPool.evaluate(program, texts.map(changed), options)
        : workerPool.evaluate(
            program.kind === 'filter' ? { ...program, request: changed(program.request) } : program,
            texts,
            options,
          );
    const changing = { ...context, workerPool: { evaluate } as typeof workerPool };
    const filter = await original(database, request, changing);
    if (!filter) return filter;
    // Without its other members, feeds that the fault affects share no rows with those that it does not.
    return {
      needsBodies: filter.needsBodies,
      accept: (batch: readonly Candidate[]) => filter.accept(batch),
      close: () => filter.close(),
    };
  });

/** A document that a program sees, and through which filter. */
interface SeenDocument extends OpenFilter {
  readonly id: string;
  readonly isDeleted: boolean;
  /** Whether it is the winning revision. */
  readonly isWinner: boolean;
}

/** Hides a member of documents from selectors or functions. */
export const hideMember = (
  member: '_deleted' | '_attachments' | '_revisions',
  isHidden: (seen: SeenDocument) => boolean,
): Replace =>
  changeSeen('document', (document, filter) => {
    const { _id: id, _rev: rev, _deleted: isDeleted = false } = document as Partial<SentDocument>;
    const isWinner = filter.database.find(id!)!.leaves.winner === rev;
    return isHidden({ ...filter, id: id!, isDeleted, isWinner })
      ? { ...document, [member]: undefined }
      : document;
  });

interface SentDocument {
  readonly _id: string;
  readonly _rev: string;
  readonly _deleted: boolean;
}

/** Changes members of the request object that filter functions get. */
export const changeRequestObject = (change: (request: JsonObject, filter: OpenFilter) => object): Replace =>
  changeSeen('request', (request, filter) => ({ ...request, ...change(request, filter) }));

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
    const openFilter = openFilterOf(database, request, context);
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
