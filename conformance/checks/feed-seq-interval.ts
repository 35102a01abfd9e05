/** Seqs for every Nth row only (SERVICE 4.5, 8). */
import fc from 'fast-check';
import { histories } from '../arbitraries/histories.js';
import { requests } from '../arbitraries/requests.js';
import { readFeed, comparableRow, type Row } from '../play/feed.js';
import { playNew } from '../play/player.js';
import { mustMatch, sameElements, satisfying } from '../verdict/matchers.js';
import { check, forAll, type Check } from '../check.js';
import { mustContainIds, rowPicks, sampleRows } from './shared/resume.js';

const intervals = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 2, max: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 10, 1000) },
);

/** Without its seq a row says the same as without the parameter. */
const withoutSeq = (row: Row): unknown => [comparableRow(row), Object.keys(row.value).sort()];

export const feedSeqIntervalChecks: readonly Check[] = [
  check({
    rule: 'feed-seq-interval',
    run: forAll(
      fc.record({ history: histories, request: requests(), interval: intervals }),
      async (context, { history, request: { method, query }, interval }) => {
        const { database } = await playNew(context, history);
        const whole = await readFeed(database, query, method);
        const { rows } = await readFeed(database, { ...query, seq_interval: interval }, method);
        const what = 'seq_interval changes the rows';
        mustMatch(what, rows.map(withoutSeq), sameElements(whole.rows.map(withoutSeq)), '$.results');
        for (const [start, { path }] of rows.slice(0, Math.max(0, rows.length - interval + 1)).entries()) {
          const neighbours = rows.slice(start, start + interval).map(({ seq }) => seq);
          const oneAtLeast = satisfying(
            `a seq in one of ${interval} neighbouring rows`,
            () => !neighbours.every((seq) => seq === null || seq === undefined),
          );
          mustMatch('Too many rows have no seq', neighbours, oneAtLeast, `${path}.seq`);
        }
      },
    ),
  }),

  check({
    rule: 'feed-seq-interval',
    what: 'resume',
    run: forAll(
      fc.record({
        history: histories,
        request: requests({ descending: undefined }),
        interval: intervals,
        limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
        picks: rowPicks,
      }),
      async (context, { history, request: { method, query }, interval, limit, picks }) => {
        const { database } = await playNew(context, history);
        const asked = { ...query, limit, seq_interval: interval };
        const [whole, first] = [
          await readFeed(database, query, method),
          await readFeed(database, asked, method),
        ];
        const numbered = first.rows.filter(({ seq }) => seq !== null);
        const places = sampleRows(numbered, picks).map((row) => ({
          since: row.seq,
          later: first.ids.slice(first.rows.indexOf(row) + 1),
        }));
        const left = whole.ids.filter((id) => !first.ids.includes(id));
        for (const { since, later } of [...places, { since: first.lastSeq, later: [] }]) {
          const usable = satisfying('a seq', () => since !== null && since !== undefined);
          mustMatch('last_seq is no seq', since, usable, '$.last_seq');
          const { ids } = await readFeed(database, { ...query, since }, method);
          const what = 'Resuming from a seq under seq_interval loses what comes after it';
          mustContainIds(what, ids, [...later, ...left], since);
        }
      },
    ),
  }),
];
