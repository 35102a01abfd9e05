/** `seq_interval`: seqs in every Nth row only (SERVICE 4.5, 8). */
import fc from 'fast-check';
import { defineRule, mustMatch, readFeed, requests, withQuery } from '../../kit.js';
import { rowPicks, sampleRows } from '../shared/resume.js';
import { aSeq, mustContainIds, mustHaveSameMembers, mustHaveSeqInEach } from '../shared/row-assertions.js';
import { forSharedHistories } from '../shared/shared-histories.js';
import { feedSeqIntervalFiltered, filteredByContent, filteredById } from '../shared/filtered-paging.js';
import { unseen } from '../shared/unseen.js';

const intervals = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 2, max: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 10, 1000) },
);

export const feedSeqInterval = defineRule('feed-seq-interval', {
  rung: 'parameters',
  otherRungs: {
    'feed-seq-interval/filtered-by-id': 'filters',
    'feed-seq-interval/filtered-by-content': 'filters',
  },
  inTraffic: {
    part: { judged: 'Of so many rows in a row as `seq_interval` says, one has a `seq`.', rest: unseen.order },
    feed: ({ arrival, feed }) => {
      const { rows, parameters } = feed;
      const { seqInterval, isStream } = parameters;
      if (seqInterval === undefined || arrival.kind !== (isStream ? 'row' : 'end')) return false;
      mustHaveSeqInEach(seqInterval, isStream ? rows.slice(-seqInterval) : rows);
    },
  },
  checks: {
    'feed-seq-interval': forSharedHistories(
      { request: requests(), interval: intervals },
      async ({ database }, { request, interval }) => {
        const all = await readFeed(database, request);
        const { rows } = await readFeed(database, withQuery(request, { seq_interval: interval }));
        const what = 'seq_interval changes more than the seqs of the rows';
        mustHaveSameMembers(what, rows, all.rows);
        mustHaveSeqInEach(interval, rows);
      },
    ),

    'feed-seq-interval/resume': forSharedHistories(
      {
        request: requests({ descending: undefined }),
        interval: intervals,
        limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
        picks: rowPicks,
      },
      async ({ database }, { request, interval, limit, picks }) => {
        const all = await readFeed(database, request);
        const first = await readFeed(database, withQuery(request, { limit, seq_interval: interval }));
        const numbered = first.rows.filter(({ seq }) => seq !== null && seq !== undefined);
        const positions = sampleRows(numbered, picks).map((row) => ({
          since: row.seq,
          later: first.ids.slice(first.rows.indexOf(row) + 1),
        }));
        const remaining = all.ids.filter((id) => !first.ids.includes(id));
        for (const { since, later } of [...positions, { since: first.lastSeq, later: [] }]) {
          mustMatch('last_seq is not a seq', since, aSeq, '$.last_seq');
          const { ids } = await readFeed(database, withQuery(request, { since }));
          const what = 'Resuming from a seq of a feed with seq_interval loses later changes';
          mustContainIds(what, ids, [...later, ...remaining], since);
        }
      },
    ),

    'feed-seq-interval/filtered-by-id': filteredById(feedSeqIntervalFiltered),

    'feed-seq-interval/filtered-by-content': filteredByContent(feedSeqIntervalFiltered),
  },
});
