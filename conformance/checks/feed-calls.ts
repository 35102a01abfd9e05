/** Several calls of one feed: POST as GET, the same call again, a consumer that resumes (SERVICE 4.6, 4.7). */
import fc from 'fast-check';
import { histories, stagedHistories } from '../arbitraries/histories.js';
import { requests } from '../arbitraries/requests.js';
import { emptyState } from '../model/history.js';
import { winner } from '../model/revisions.js';
import type { FeedQuery } from '../model/feed.js';
import { requestFeed, feedOf, readFeed, comparableRow } from '../play/feed.js';
import { play, playNew } from '../play/player.js';
import { equalTo, mustMatch, sameElements, satisfying } from '../verdict/matchers.js';
import { check, forAll, type Check } from '../check.js';

const limits = fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 2 });

/** A consumer's call. It begins at the seq it was given last, or at one it was given before. */
const reads = fc.record({
  limit: limits,
  /** How many seqs it goes back. */
  back: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 6 }) }),
  /** After how many rows it breaks off; never, where that is undefined. */
  taken: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
});

const stages = 3;

/** Some of the parameters, each with the value that it has when it is not there (SERVICE 4.5). */
const defaults = fc.record<FeedQuery, never>(
  {
    feed: fc.constant('normal'),
    style: fc.constant('main_only'),
    since: fc.constant(0),
    include_docs: fc.constant(false),
    conflicts: fc.constant(false),
    descending: fc.constant(false),
    attachments: fc.constant(false),
    att_encoding_info: fc.constant(false),
  },
  { requiredKeys: [] },
);

export const feedCallsChecks: readonly Check[] = [
  check({
    rule: 'feed-defaults',
    run: forAll(
      fc.record({ history: histories, request: requests(), defaults }),
      async (context, { history, request: { method, query }, defaults }) => {
        const { database } = await playNew(context, history);
        const without = await readFeed(database, query, method);
        // The parameters of the request stay as they are: a default is given only where nothing else is.
        const { rows } = await readFeed(database, { ...defaults, ...query }, method);
        const what = 'A parameter with its default value changes the rows';
        mustMatch(what, rows.map(comparableRow), sameElements(without.rows.map(comparableRow)), '$.results');
      },
    ),
  }),

  check({
    rule: 'feed-accept',
    run: forAll(
      fc.record({ history: histories, request: requests() }),
      async (context, { history, request: { method, query } }) => {
        const { database } = await playNew(context, history);
        const { rows } = feedOf(await requestFeed(database, query, method, { headers: { accept: '*/*' } }));
        const asked = await requestFeed(database, query, method, {
          headers: { accept: 'application/json' },
        });
        mustMatch('A request that accepts JSON is refused', asked.status, equalTo(200), 'status');
        const what = 'Accept: application/json changes the rows';
        mustMatch(
          what,
          feedOf(asked).rows.map(comparableRow),
          sameElements(rows.map(comparableRow)),
          '$.results',
        );
      },
    ),
  }),

  check({
    rule: 'feed-post-same',
    run: forAll(
      fc.record({ history: histories, request: requests(), limit: limits }),
      async (context, { history, request: { query }, limit }) => {
        const { database } = await playNew(context, history);
        const asked = { ...query, limit };
        const got = await readFeed(database, asked, 'GET');
        const posted = await readFeed(database, asked, 'POST');
        const what = 'POST does not give the rows that GET gives';
        // Which rows come within a limit is a matter of order, and that may differ from call to call.
        const same =
          got.rows.length === limit
            ? satisfying(`${limit} rows`, () => posted.rows.length === limit)
            : sameElements(got.rows.map(comparableRow));
        mustMatch(what, posted.rows.map(comparableRow), same, '$.results');
      },
    ),
  }),

  check({
    rule: 'feed-partial-order',
    run: forAll(
      fc.record({ history: histories, request: requests() }),
      async (context, { history, request: { method, query } }) => {
        const { database } = await playNew(context, history);
        const first = await readFeed(database, query, method);
        for (const call of ['second', 'third']) {
          const { rows } = await readFeed(database, query, method);
          const what = `The ${call} call gives other rows than the first`;
          mustMatch(what, rows.map(comparableRow), sameElements(first.rows.map(comparableRow)), '$.results');
        }
      },
    ),
  }),

  check({
    rule: 'feed-idempotent',
    run: forAll(
      fc.record({
        history: stagedHistories(stages),
        reads: fc.array(fc.array(reads, { minLength: 1, maxLength: 3 }), {
          minLength: stages,
          maxLength: stages,
        }),
        request: requests({ style: undefined, descending: undefined }),
      }),
      async (context, { history, reads, request: { method, query } }) => {
        const database = await context.createDatabase();
        const known = new Map<string, { rev: unknown; deleted: boolean }>();
        const given: unknown[] = [undefined];
        const consume = async ({ limit, back, taken }: { limit?: number; back: number; taken?: number }) => {
          const since = given[Math.max(0, given.length - 1 - back)];
          const { rows, lastSeq } = await readFeed(database, { ...query, since, limit }, method);
          for (const { id, revs, value, seq } of rows.slice(0, taken)) {
            known.set(id, { rev: revs[0], deleted: value.deleted === true });
            given.push(seq);
          }
          if (taken === undefined) given.push(lastSeq);
        };

        let state = emptyState;
        for (const [stage, writes] of history.entries()) {
          state = await play(database, writes, state);
          for (const read of reads[stage]!) await consume(read);
        }
        await consume({ back: 0 });

        const expected = [...state].map(([id, tree]) => {
          const { rev, deleted } = winner(tree)!;
          return [id, { rev, deleted }] as const;
        });
        mustMatch(
          'A consumer that resumed from seqs it was given does not end with the state of the database',
          Object.fromEntries(known),
          equalTo(Object.fromEntries(expected)),
          '$',
        );
      },
    ),
  }),
];
