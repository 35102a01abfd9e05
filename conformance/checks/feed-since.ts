/** Places in the feed: what `since` skips and what it must not lose (SERVICE 4.5, 4.7 rules 2 and 3). */
import fc from 'fast-check';
import { histories, stagedHistories } from '../arbitraries/histories.js';
import { requests } from '../arbitraries/requests.js';
import { changedIds, type DatabaseState } from '../model/history.js';
import { requestFeed, readFeed, comparableRow, type Feed, type Row } from '../play/feed.js';
import { play, playNew } from '../play/player.js';
import { allSettledOrThrow } from '../play/settled.js';
import { equalTo, mustMatch, sameElements } from '../verdict/matchers.js';
import { Violation } from '../verdict/outcomes.js';
import { check, forAll, type Check, type Run } from '../check.js';
import { mustContainIds, mustNotContainIds, rowPicks, sampleRows } from './shared/resume.js';

/** Ascending: what a place in a descending feed means, the service document does not say. */
const ascending = requests({ descending: undefined });

/** A database, then what is written after the feed was read. */
const twoStages = stagedHistories(2).map(([before, after]) => ({ before: before!, after: after! }));

const limits = fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined });

function unchangedIds(before: DatabaseState, after: DatabaseState): Set<string> {
  const changed = changedIds(before, after);
  return new Set([...before.keys()].filter((id) => !changed.has(id)));
}

/** What is written after the feed was read, then the feed again from each of the places that its rows name. */
function resumingFromRows(
  judge: (
    resumed: Feed,
    place: { row: Row; before: readonly string[]; after: readonly string[]; changed: ReadonlySet<string> },
  ) => void,
): Run {
  return forAll(
    fc.record({ history: twoStages, request: ascending, limit: limits, picks: rowPicks }),
    async (context, { history, request: { method, query }, limit, picks }) => {
      const { database, state: before } = await playNew(context, history.before);
      const first = await readFeed(database, { ...query, limit }, method);
      const changed = changedIds(before, await play(database, history.after, before));
      await allSettledOrThrow(
        sampleRows(first.rows, picks).map(async (row) => {
          const resumed = await readFeed(database, { ...query, since: row.seq }, method);
          const next = first.rows.indexOf(row) + 1;
          judge(resumed, { row, before: first.ids.slice(0, next), after: first.ids.slice(next), changed });
        }),
      );
    },
  );
}

export const feedSinceChecks: readonly Check[] = [
  check({
    rule: 'feed-complete',
    what: 'since',
    run: forAll(
      fc.record({ history: twoStages, request: ascending }),
      async (context, { history, request }) => {
        const { database, state: before } = await playNew(context, history.before);
        const { lastSeq: since } = await readFeed(database);
        const after = await play(database, history.after, before);
        const { ids } = await readFeed(database, { ...request.query, since }, request.method);
        mustContainIds('A document changed after since has no row', ids, changedIds(before, after), since);
      },
    ),
  }),

  check({
    rule: 'feed-since-excludes',
    needs: ['single-copy'],
    run: resumingFromRows(({ rows }, { row, before, changed }) => {
      const seen = new Set(before.filter((id) => !changed.has(id)));
      mustNotContainIds('since gives a row from before it', rows, seen, row.seq);
    }),
  }),

  check({
    rule: 'feed-since-excludes',
    what: 'last-seq',
    needs: ['single-copy'],
    run: forAll(
      fc.record({ history: twoStages, request: ascending }),
      async (context, { history, request: { method, query } }) => {
        const { database, state: before } = await playNew(context, history.before);
        const { lastSeq: since } = await readFeed(database, query, method);
        const what = 'since gives a row from before it';
        const atOnce = await readFeed(database, { ...query, since }, method);
        mustNotContainIds(what, atOnce.rows, new Set(before.keys()), since);
        const after = await play(database, history.after, before);
        const later = await readFeed(database, { ...query, since }, method);
        mustNotContainIds(what, later.rows, unchangedIds(before, after), since);
      },
    ),
  }),

  check({
    rule: 'feed-since-resume',
    run: resumingFromRows(({ ids }, { row, after, changed }) => {
      mustContainIds('Resuming from a row loses what comes after it', ids, [...after, ...changed], row.seq);
    }),
  }),

  check({
    rule: 'feed-since-default',
    run: forAll(
      fc.record({ history: histories, request: requests() }),
      async (context, { history, request: { method, query } }) => {
        const { database } = await playNew(context, history);
        const { rows } = await readFeed(database, query, method);
        const zero = await readFeed(database, { ...query, since: 0 }, method);
        const what = 'Without since the rows are not those of since=0';
        mustMatch(what, rows.map(comparableRow), sameElements(zero.rows.map(comparableRow)), '$.results');
      },
    ),
  }),

  check({
    rule: 'feed-since-now',
    needs: ['single-copy'],
    run: forAll(
      fc.record({ history: twoStages, request: ascending }),
      async (context, { history, request: { method, query } }) => {
        const { database, state: before } = await playNew(context, history.before);
        const now = await readFeed(database, { ...query, since: 'now' }, method);
        mustMatch('since=now gives past changes', now.ids, equalTo([]), '$.results');
        const after = await play(database, history.after, before);
        const { rows, ids } = await readFeed(database, { ...query, since: now.lastSeq }, method);
        const { lastSeq: since } = now;
        mustContainIds(
          'The last_seq of since=now loses later changes',
          ids,
          changedIds(before, after),
          since,
        );
        mustNotContainIds(
          'The last_seq of since=now gives earlier changes',
          rows,
          unchangedIds(before, after),
          since,
        );
      },
    ),
  }),

  check({
    rule: 'feed-seq-any-json',
    run: forAll(
      fc.record({ history: histories, request: ascending, picks: rowPicks }),
      async (context, { history, request: { method, query }, picks }) => {
        const { database } = await playNew(context, history);
        const { rows, lastSeq } = await readFeed(database, query, method);
        const seqs = [...sampleRows(rows, picks).map(({ seq }) => seq), lastSeq];
        await allSettledOrThrow(
          seqs.map(async (since) => {
            const answer = await requestFeed(database, { ...query, since }, method);
            if (answer.status === 200 && Array.isArray(answer.object().results)) return;
            throw new Violation('A seq that the feed gave is not understood as since', {
              path: 'since',
              expected: `${JSON.stringify(since)} accepted`,
              actual: `${answer.status} ${answer.text.slice(0, 200)}`,
            });
          }),
        );
      },
    ),
  }),
];
