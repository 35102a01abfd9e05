/** Requests to the changes feed. */
import fc from 'fast-check';
import type { FeedQuery, FeedRequest } from '../oracle/allowed-rows.js';
import { unknownMember } from '../session/probe/capabilities.js';
import { essential } from '../session/probe/service-version.js';

/** Parameters that change the content or order of rows, but not the set of documents. */
type PresentationParameter = 'feed' | 'style' | 'include_docs' | 'conflicts' | 'descending';

/** Default values are less frequent, since a missing parameter has the same effect. */
const parameters: { [Name in PresentationParameter]: fc.Arbitrary<FeedQuery[Name] | undefined> } = {
  feed: fc.constantFrom(undefined, 'normal'),
  style: fc.constantFrom(undefined, 'main_only', 'all_docs', 'all_docs'),
  include_docs: fc.constantFrom(undefined, false, true, true),
  conflicts: fc.constantFrom(undefined, false, true, true),
  descending: fc.constantFrom(undefined, false, true),
};

/**
 * Requests with any combination of the parameters that do not change the set of documents.
 *
 * @param fixed parameters with fixed values; `undefined` omits a parameter.
 */
export function requests(fixed: FeedQuery = {}): fc.Arbitrary<FeedRequest> {
  return fc
    .record({
      method: fc.constantFrom('GET' as const, 'POST' as const),
      query: fc.record(parameters).map((query) => ({
        ...given({ ...query, ...fixed }),
        [essential]: Object.keys(given(fixed)),
      })),
      hasMember: fc.boolean(),
    })
    .map(({ method, query, hasMember }) => ({
      method,
      query,
      ...(method === 'POST' && hasMember && { json: unknownMember }),
    }));
}

const given = (query: FeedQuery): FeedQuery =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));

/** Two of them, for checks that read a database twice: writing it takes more requests than reading it. */
export const twice = <T>(inputs: fc.Arbitrary<T>): fc.Arbitrary<[T, T]> => fc.tuple(inputs, inputs);
