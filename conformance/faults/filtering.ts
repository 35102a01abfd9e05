/** Ways to make the filters of the changes feed wrong, in every mode. */
import type { Components } from '../../reference/index.js';
import type { Replace } from './feeding.js';

type CreateFilter = Components['createFilter'];
type Database = Parameters<CreateFilter>[0];
type FilterRequest = Parameters<CreateFilter>[1];
type Context = Parameters<CreateFilter>[2];
type Filter = NonNullable<Awaited<ReturnType<CreateFilter>>>;
export type Candidate = Parameters<Filter['accept']>[0][number];

export interface Filtered {
  /** The name of the filter, as it was asked for. */
  readonly name: string;
  readonly request: FilterRequest;
  readonly database: Database;
}

/**
 * Judges documents in another way.
 *
 * @param change what becomes of the verdicts on the revisions of a document, winner first
 * @param needsBodies whether it looks at the content of the revisions
 */
export function filtering(
  change: (verdicts: readonly boolean[], candidate: Candidate, filtered: Filtered) => boolean[],
  needsBodies = false,
): Replace {
  return (parts) => ({
    ...parts,
    async createFilter(database, request, context) {
      const filter = await parts.createFilter(database, request, context);
      if (!filter) return filter;
      const filtered = { name: request.query.filter ?? '', request, database };
      return {
        needsBodies: needsBodies || filter.needsBodies,
        async accept(batch) {
          const verdicts = await filter.accept(batch);
          return batch.map((candidate, index) => change(verdicts[index]!, candidate, filtered));
        },
        close: () => filter.close(),
      };
    },
  });
}

/** Lets pass of the documents that pass only those for which this holds too, by filters of the given name. */
export function passingOnly(name: RegExp, holds: (candidate: Candidate) => boolean): Replace {
  return filtering((verdicts, candidate, filtered) =>
    verdicts.map((passes) => passes && (!name.test(filtered.name) || holds(candidate))),
  );
}

/** Takes the request for another than it is. */
export function askingFilter(
  change: (request: FilterRequest, context: Context) => { request?: FilterRequest; context?: Context },
): Replace {
  return (parts) => ({
    ...parts,
    createFilter(database, request, context) {
      const changed = change(request, context);
      return parts.createFilter(database, changed.request ?? request, changed.context ?? context);
    },
  });
}

/** Reads selectors as if they were written in another way. */
export function readingSelector(change: (selector: string) => string): Replace {
  return askingFilter((request) => {
    const { body } = request;
    if (body?.selector === undefined) return {};
    const selector = JSON.parse(change(JSON.stringify(body.selector))) as typeof body.selector;
    return { request: { ...request, body: { ...body, selector } } };
  });
}
