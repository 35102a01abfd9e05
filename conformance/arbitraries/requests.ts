/** Requests to the changes feed. */
import fc from 'fast-check';
import type { FeedQuery, FeedRequest } from '../model/feed.js';

/** The parameters that change how rows look or in which order they come, but not which documents have one. */
type Free = 'feed' | 'style' | 'include_docs' | 'conflicts' | 'descending';

/** Values that differ from the default come more often than the default itself, which is also what absence means. */
const free: { [Name in Free]: fc.Arbitrary<FeedQuery[Name]> } = {
  feed: fc.constant('normal'),
  style: fc.constantFrom('main_only', 'all_docs', 'all_docs'),
  include_docs: fc.constantFrom(false, true, true),
  conflicts: fc.constantFrom(false, true, true),
  descending: fc.boolean(),
};

/**
 * Requests over all combinations of the parameters that leave the set of documents alone, each of them there or not.
 *
 * @param fixed parameters with the value to use; `undefined` keeps one out.
 */
export function requests(fixed: FeedQuery = {}): fc.Arbitrary<FeedRequest> {
  return fc.record({
    method: fc.constantFrom('GET' as const, 'POST' as const),
    query: fc.record<FeedQuery, never>(free, { requiredKeys: [] }).map((query) => ({ ...query, ...fixed })),
  });
}
