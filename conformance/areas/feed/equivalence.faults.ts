/** Faults that show when a client requests the same feed in several ways or several times. */
import type { Fault } from '../../../reference/index.js';
import { perServer } from '../shared/components.faults.js';
import { changeFeed, changeFeedQuery, changeRow, changeRows, type FeedRow } from '../shared/feeds.faults.js';

export const feedEquivalenceFaults: readonly Fault[] = [
  {
    id: 'default-since-skips',
    rule: 'feed-defaults',
    summary: 'The server omits the first change with since=0 and without include_docs.',
    replace: changeRows((rows, { query, sent }) =>
      sent.get('since') === '0' && !query.include_docs ? rows.slice(1) : rows,
    ),
  },
  {
    id: 'default-style-unknown',
    rule: 'feed-defaults',
    summary: 'The server reads every style as all_docs.',
    replace: changeFeedQuery('any', ({ sent }) => (sent.has('style') ? { style: 'all_docs' } : {})),
  },
  {
    id: 'post-without-style',
    rule: 'feed-post-same',
    summary: 'The server ignores style in POST requests.',
    replace: changeFeedQuery('any', ({ method }) => (method === 'POST' ? { style: 'main_only' } : {})),
  },
  {
    id: 'post-without-limit',
    rule: 'feed-post-same',
    summary: 'The server ignores limit in POST requests.',
    replace: changeFeedQuery('any', ({ method }) => (method === 'POST' ? { limit: -1 } : {})),
  },
  {
    id: 'post-nothing-pending',
    rule: 'feed-post-same',
    summary: 'The server sends 0 as pending in response to POST.',
    replace: changeFeed(async ({ method, read }) => {
      const feed = await read();
      return method === 'POST' ? { ...feed, pending: 0 } : feed;
    }),
  },
  {
    id: 'post-last-seq-of-start',
    rule: 'feed-post-same',
    summary: 'The server sends the start of the feed as last_seq in response to POST.',
    replace: changeFeed(async ({ method, query, read }) => {
      const feed = await read();
      return method === 'POST' ? { ...feed, last_seq: query.since } : feed;
    }),
  },
  {
    id: 'post-without-style-when-waiting',
    rule: 'feed-post-same',
    summary: 'The server ignores style in POST requests for a continuous feed.',
    replace: changeFeedQuery('continuous', ({ method }) => (method === 'POST' ? { style: 'main_only' } : {})),
  },
  {
    id: 'calls-differ',
    rule: 'feed-partial-order',
    summary: 'The server omits the last row from every third response.',
    replace: perServer(() => {
      let calls = 0;
      return changeRows((rows) => ((calls += 1) % 3 === 0 ? rows.slice(0, -1) : rows));
    }),
  },
  {
    id: 'calls-change-winner',
    rule: 'feed-partial-order',
    summary: 'The server shows a losing revision of a document in conflict in every other row.',
    replace: perServer(() => {
      const rows = new Map<string, number>();
      return changeRow((row, { leaves }, { query: { style } }, { name }) => {
        const [loser] = leaves.conflicts;
        const count = (rows.get(name) ?? 0) + 1;
        rows.set(name, count);
        const isLoserShown = loser !== undefined && style === 'main_only' && count % 2 === 0;
        return isLoserShown ? { ...row, changes: [{ rev: loser }] } : row;
      });
    }),
  },
  {
    id: 'row-read-once',
    rule: 'feed-idempotent',
    summary: 'The server repeats the revisions of a document from the first time that it sent its row.',
    replace: perServer(() => {
      const first = new Map<string, Partial<FeedRow>>();
      return changeRow((row, { id }, _, { name }) => {
        const key = JSON.stringify([name, id]);
        const { changes, deleted } = first.get(key) ?? row;
        first.set(key, { changes, deleted });
        return { ...row, changes, deleted };
      });
    }),
  },
  {
    id: 'resumed-row-not-deleted',
    rule: 'feed-idempotent',
    summary: 'The server omits deleted from all rows if since is not 0.',
    replace: changeRows((rows, { query }) =>
      query.since === '0' ? rows : rows.map((row) => ({ ...row, deleted: undefined })),
    ),
  },
];
