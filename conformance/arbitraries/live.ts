/** Requests and histories for feeds that stay open while documents are written. */
import fc from 'fast-check';
import { withQuery, type FeedQuery } from '../oracle/allowed-rows.js';
import type { DocumentHistory } from '../oracle/history.js';
import { replicated, stagedHistories } from './histories.js';
import { ids } from './ids.js';
import { bodies } from './bodies.js';
import { requests } from './requests.js';

/**
 * More than the rows of any history, also if each write has one, and not much more: a server may have a maximum
 * (SERVICE 8).
 */
export const unreachedLimit = 600;

/** Parameters that have no effect on databases of few documents without attachments. */
const ineffective = fc.constantFrom<FeedQuery[]>(
  { attachments: true, att_encoding_info: true },
  { limit: unreachedLimit },
  { seq_interval: 1 },
);

/**
 * Requests without `feed`, which the check adds, and in ascending order, since new changes arrive last. Some have a
 * parameter that must change nothing.
 */
export const liveRequests = fc
  .tuple(requests({ feed: undefined, descending: undefined }), fc.option(ineffective, { nil: {}, freq: 2 }))
  .map(([request, query]) => withQuery(request, query));

/** Where a feed starts that must skip all existing changes. */
export type Start = 'now' | 'last_seq';
export const starts = fc.constantFrom<Start[]>('now', 'last_seq');

/** The content of a database, and the writes while the feed is open. */
export const liveHistories = stagedHistories(2).map(([before, during]) => ({
  before: replicated(before!),
  during: during!,
}));

/** One write to any document. */
export const singleChanges: fc.Arbitrary<DocumentHistory> = fc.record({
  id: ids,
  writes: fc.oneof(
    fc.tuple(
      fc.record({
        kind: fc.constantFrom('put' as const, 'delete' as const),
        leaf: fc.nat({ max: 2 }),
        body: bodies,
      }),
    ),
    fc.tuple(
      fc.record({
        kind: fc.constant('replicate' as const),
        parent: fc.nat({ max: 8 }),
        hashDigits: fc.array(fc.nat({ max: 15 }), { minLength: 1, maxLength: 2 }),
        deleted: fc.boolean(),
        body: bodies,
      }),
    ),
  ),
});
