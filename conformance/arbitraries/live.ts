/** What happens around a feed that stays open. */
import fc from 'fast-check';
import type { Life } from '../model/history.js';
import { stagedHistories } from './histories.js';
import { ids } from './ids.js';
import { bodies } from './json.js';
import { requests } from './requests.js';

/** Requests for feeds that stay open: the mode is the check's, and the order is that in which changes come. */
export const liveRequests = requests({ feed: undefined, descending: undefined });

/** Where a feed begins that is to give nothing of what is there already. */
export const presents = fc.constantFrom('now' as const, 'last_seq' as const);

/** A database, then what is written while the feed is open. */
export const liveHistories = stagedHistories(2).map(([before, during]) => ({
  before: before!,
  during: during!,
}));

/** One change, to any document. */
export const singleChanges: fc.Arbitrary<Life> = fc.record({
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
        kind: fc.constant('graft' as const),
        from: fc.nat({ max: 8 }),
        ranks: fc.array(fc.nat({ max: 15 }), { minLength: 1, maxLength: 2 }),
        deleted: fc.boolean(),
        body: bodies,
      }),
    ),
  ),
});
