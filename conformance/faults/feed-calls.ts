/** Faults that show when the same feed is requested in several ways or several times. */
import { type Fault, httpError } from '../../reference/index.js';
import { feeding, type FeedRow, rendering } from './shared/feeds.js';

export const feedCallsFaults: readonly Fault[] = [
  {
    id: 'default-since-skips',
    rule: 'feed-defaults',
    summary: 'since=0 begins after the first change when the documents are not included.',
    replace: feeding(async ({ context, query, read }) => {
      const feed = await read();
      const given = /[?&]since=0(&|$)/.test(context.requestHead.url) && !query.include_docs;
      return given ? { ...feed, results: feed.results.slice(1) } : feed;
    }),
  },
  {
    id: 'default-style-unknown',
    rule: 'feed-defaults',
    summary: 'A style that is given, whichever it is, means all_docs.',
    replace: feeding(({ context, read }) =>
      read({ style: /[?&]style=/.test(context.requestHead.url) ? 'all_docs' : 'main_only' }),
    ),
  },
  {
    id: 'accept-json-without-deleted',
    rule: 'feed-accept',
    summary: 'Who accepts JSON only is not told of deleted documents.',
    replace: feeding(async ({ context, read }) => {
      const feed = await read();
      if (context.requestHead.headers.accept !== 'application/json') return feed;
      return { ...feed, results: feed.results.filter(({ deleted }) => !deleted) };
    }),
  },
  {
    id: 'accept-json-refused',
    rule: 'feed-accept',
    summary: 'A POST that accepts JSON only is not acceptable.',
    replace: (parts) => ({
      ...parts,
      handlers: {
        ...parts.handlers,
        postChanges(request, context) {
          if (context.requestHead.headers.accept === 'application/json')
            throw httpError(406, 'not_acceptable', 'Only text is given.');
          return parts.handlers.postChanges(request, context);
        },
      },
    }),
  },
  {
    id: 'post-without-style',
    rule: 'feed-post-same',
    summary: 'POST knows no style.',
    replace: feeding(({ method, read }) => read(method === 'POST' ? { style: 'main_only' } : {})),
  },
  {
    id: 'post-without-limit',
    rule: 'feed-post-same',
    summary: 'POST knows no limit.',
    replace: feeding(({ method, read }) => read(method === 'POST' ? { limit: -1 } : {})),
  },
  {
    id: 'calls-differ',
    rule: 'feed-partial-order',
    summary: 'Every third answer lacks its last row.',
    replace: (parts) => {
      let calls = 0;
      return feeding(async ({ read }) => {
        const feed = await read();
        calls += 1;
        return { ...feed, results: calls % 3 === 0 ? feed.results.slice(0, -1) : feed.results };
      })(parts);
    },
  },
  {
    id: 'calls-change-winner',
    rule: 'feed-partial-order',
    summary: 'Every other row of a database shows the best loser of a document in conflict.',
    replace: (parts) => {
      const rows = new Map<string, number>();
      return rendering((row, { leaves }, { allLeaves }, { name }) => {
        const [loser] = leaves.conflicts;
        const count = (rows.get(name) ?? 0) + 1;
        rows.set(name, count);
        return loser !== undefined && !allLeaves && count % 2 === 0
          ? { ...row, changes: [{ rev: loser }] }
          : row;
      })(parts);
    },
  },
  {
    id: 'row-read-once',
    rule: 'feed-idempotent',
    summary: 'What a row said when it was first read, it says ever after.',
    replace: (parts) => {
      const first = new Map<string, Partial<FeedRow>>();
      return rendering((row, { id }, _, { name }) => {
        const key = JSON.stringify([name, id]);
        const { changes, deleted } = first.get(key) ?? row;
        first.set(key, { changes, deleted });
        return { ...row, changes, deleted };
      })(parts);
    },
  },
  {
    id: 'resumed-row-not-deleted',
    rule: 'feed-idempotent',
    summary: 'With since, no row says that its document is deleted.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.since === '0') return feed;
      return { ...feed, results: feed.results.map((row) => ({ ...row, deleted: undefined })) };
    }),
  },
];
