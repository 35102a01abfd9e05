/** How much of the feed an answer holds, and in which order: limit, last_seq, pending, descending (SERVICE 2.5, 4.5). */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { histories } from '../arbitraries/histories.js';
import { requests } from '../arbitraries/requests.js';
import { readFeed, comparableRow } from '../play/feed.js';
import { playNew } from '../play/player.js';
import { anInteger, equalTo, mustMatch, sameElements, satisfying } from '../verdict/matchers.js';
import { Violation } from '../verdict/outcomes.js';
import { check, forAll, type Check, type CheckContext } from '../check.js';

/** Around the sizes that histories have; 0 is not judged, since real servers differ about it. */
const limits = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2 }) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 130 }) },
);
const someLimit = fc.option(limits, { nil: undefined });

const ascending = requests({ descending: undefined });

/** Where databases have shards, only one of a single shard has a total order, and one seq for each place. */
export function oneShard({ target }: CheckContext): Parameters<CheckContext['createDatabase']>[0] {
  return target.has('total-order') ? { query: { q: 1 } } : undefined;
}

export const feedExtentChecks: readonly Check[] = [
  check({
    rule: 'feed-last-seq',
    run: forAll(
      fc.record({ history: histories, request: requests(), limit: someLimit }),
      async (context, { history, request: { method, query }, limit }) => {
        const { database } = await playNew(context, history, oneShard(context));
        const { rows, lastSeq } = await readFeed(database, { ...query, limit }, method);
        const last = rows.at(-1);
        if (last)
          mustMatch('last_seq is not the seq of the last row', lastSeq, equalTo(last.seq), '$.last_seq');
      },
    ),
  }),

  check({
    // Over several shards one place has several seqs: CouchDB gives out a row before every shard has said where it
    // stands, and may then end with a last_seq that says more. Lawful is what resumes at the same place.
    rule: 'feed-last-seq',
    what: 'same-place',
    run: forAll(
      fc.record({ history: histories, request: ascending, limit: someLimit }),
      async (context, { history, request: { method, query }, limit }) => {
        const { database } = await playNew(context, history);
        const { rows, lastSeq } = await readFeed(database, { ...query, limit }, method);
        const last = rows.at(-1);
        if (!last || isDeepStrictEqual(last.seq, lastSeq)) return;
        const afterRow = await readFeed(database, { ...query, since: last.seq }, method);
        const afterAll = await readFeed(database, { ...query, since: lastSeq }, method);
        const what = 'last_seq does not resume where the seq of the last row does';
        mustMatch(what, afterAll.ids, sameElements(afterRow.ids), '$.results');
      },
    ),
  }),

  check({
    rule: 'feed-pending',
    needs: ['single-copy'],
    run: forAll(
      fc.record({ history: histories, request: ascending, limit: someLimit }),
      async (context, { history, request: { method, query }, limit }) => {
        const { database } = await playNew(context, history);
        const { pending, lastSeq } = await readFeed(database, { ...query, limit }, method);
        mustMatch('pending is no count', pending, anInteger({ min: 0 }), '$.pending');
        const { ids } = await readFeed(database, { ...query, since: lastSeq }, method);
        const what = 'pending is not the number of rows that a further call gives';
        mustMatch(what, pending, equalTo(ids.length), '$.pending');
      },
    ),
  }),

  check({
    rule: 'feed-limit',
    run: forAll(
      fc.record({ history: histories, request: requests(), limit: limits }),
      async (context, { history, request: { method, query }, limit }) => {
        const { database } = await playNew(context, history);
        const all = await readFeed(database, query, method);
        const { ids } = await readFeed(database, { ...query, limit }, method);
        const count = Math.min(limit, all.ids.length);
        const exact = satisfying(`${count} of the ${all.ids.length} rows`, () => ids.length === count);
        mustMatch('limit does not give that many rows', ids, exact, '$.results');
      },
    ),
  }),

  check({
    rule: 'feed-paging',
    needs: ['single-copy'],
    run: forAll(
      fc.record({ history: histories, request: ascending, limit: limits }),
      async (context, { history, request: { method, query }, limit }) => {
        const { database } = await playNew(context, history);
        const whole = await readFeed(database, query, method);
        // A hundred pages are no better evidence than a dozen.
        const size = Math.max(limit, Math.ceil(whole.ids.length / 12));
        const seen: string[] = [];
        let since: unknown;
        for (;;) {
          const page = await readFeed(database, { ...query, limit: size, since }, method);
          if (page.ids.length === 0) break;
          seen.push(...page.ids);
          since = page.lastSeq;
          const repeated = page.rows.find(({ id }) => seen.indexOf(id) !== seen.lastIndexOf(id));
          if (!repeated) continue;
          throw new Violation('A page repeats a document of an earlier one', {
            path: `${repeated.path}.id`,
            expected: 'an id that no page had before',
            actual: repeated.id,
          });
        }
        const missed = whole.ids.filter((id) => !seen.includes(id));
        const complete = satisfying(`also ${JSON.stringify(missed)}`, () => missed.length === 0);
        mustMatch('The pages miss a document', seen, complete, 'the ids of all pages');
      },
    ),
  }),

  check({
    rule: 'feed-descending',
    run: forAll(
      fc.record({ history: histories, request: requests({ descending: true }), limit: someLimit }),
      async (context, { history, request: { method, query }, limit }) => {
        const { database } = await playNew(context, history, oneShard(context));
        const oldestFirst = await readFeed(database, { ...query, descending: undefined }, method);
        const newestFirst = await readFeed(database, { ...query, limit }, method);
        const expected = oldestFirst.rows.toReversed().slice(0, limit);
        mustMatch(
          'descending does not give the newest first',
          newestFirst.rows.map(comparableRow),
          equalTo(expected.map(comparableRow)),
          '$.results',
        );
      },
    ),
  }),
];
