/** Faults that show when a client requests the same feed in several ways or several times. */
import { faultsOf, perServer } from '../shared/components.faults.js';
import {
  changeFeedBody,
  changeFeedQuery,
  changeRow,
  changeRows,
  type FeedRequest,
  type FeedRow,
} from '../shared/feeds.faults.js';

const isPost = ({ method }: FeedRequest): boolean => method === 'POST';

export const feedEquivalenceFaults = faultsOf({
  'feed-defaults': {
    'default-since-skips': {
      summary: 'The server omits the first change with since=0 and without include_docs.',
      replace: changeRows((rows, { query, sent }) =>
        sent.get('since') === '0' && !query.include_docs ? rows.slice(1) : rows,
      ),
    },
    'default-style-unknown': {
      summary: 'The server reads every style as all_docs.',
      replace: changeFeedQuery('any', { style: 'all_docs' }, ({ sent }) => sent.has('style')),
    },
  },
  'feed-post-same': {
    'post-without-style': {
      summary: 'The server ignores style in POST requests.',
      replace: changeFeedQuery('any', { style: 'main_only' }, isPost),
    },
    'post-without-limit': {
      summary: 'The server ignores limit in POST requests.',
      replace: changeFeedQuery('any', { limit: -1 }, isPost),
    },
    'post-nothing-pending': {
      summary: 'The server sends 0 as pending in response to POST.',
      replace: changeFeedBody((_, { method }) => (method === 'POST' ? { pending: 0 } : {})),
    },
    'post-last-seq-of-start': {
      summary: 'The server sends the start of the feed as last_seq in response to POST.',
      replace: changeFeedBody((_, { method, query }) => (method === 'POST' ? { last_seq: query.since } : {})),
    },
    'post-without-style-when-waiting': {
      summary: 'The server ignores style in POST requests for a continuous feed.',
      onlyIn: ['modes'],
      replace: changeFeedQuery('continuous', { style: 'main_only' }, isPost),
    },
  },
  'feed-partial-order': {
    'calls-differ': {
      summary: 'The server omits the last row from every third response.',
      replace: perServer(() => {
        let calls = 0;
        return changeRows((rows) => ((calls += 1) % 3 === 0 ? rows.slice(0, -1) : rows));
      }),
    },
    'calls-change-winner': {
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
  },
  'feed-idempotent': {
    'row-read-once': {
      summary: 'The server repeats the revisions of a document from the first time that it sent its row.',
      knownIn: ['goydb-0.1'],
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
    'resumed-row-not-deleted': {
      summary: 'The server omits deleted from all rows if since is not 0.',
      knownIn: ['goydb-0.1'],
      replace: changeRows((rows, { query }) =>
        query.since === '0' ? rows : rows.map((row) => ({ ...row, deleted: undefined })),
      ),
    },
  },
});
