/** Faults in what the server keeps from earlier writes and requests. */
import { faultsOf, perServer, replaceHandler, combine } from '../shared/components.faults.js';
import {
  changeFeed,
  changeFeedBody,
  changeFeedQuery,
  changeRow,
  type FeedBody,
  type FeedRow,
  positionOf,
} from '../shared/feeds.faults.js';
import { changeAccepted } from '../shared/filters.faults.js';

export const feedStatesFaults = faultsOf({
  'feed-present-state': {
    'database-again-with-old-row': {
      summary: 'The server shows a row of the deleted database of the same name in an empty database.',
      knownIn: ['goydb-0.1'],
      replace: perServer(() => {
        const shown = new Map<string, FeedRow>();
        const deleted = new Map<string, FeedRow>();
        return combine(
          replaceHandler('deleteDatabase', (original, request, context) => {
            const { db } = request.params;
            const row = shown.get(db);
            if (row) deleted.set(db, row);
            return original(request, context);
          }),
          changeFeedBody((feed, { params: { db } }) => {
            const [first] = feed.results;
            if (first) shown.set(db, first);
            const old = deleted.get(db);
            return first || !old ? {} : { results: [old] };
          }),
        );
      }),
    },
    'document-again-deleted': {
      summary: 'The server marks a live document as deleted if it has shown its deletion before.',
      replace: perServer(() => {
        const deleted = new Set<string>();
        return changeRow((row, { id }, _, { name }) => {
          const key = JSON.stringify([name, id]);
          if (row.deleted) deleted.add(key);
          return deleted.has(key) ? { ...row, deleted: true } : row;
        });
      }),
    },
    'response-kept-for-update': {
      summary: 'The server repeats the response to a request if there are as many documents as before.',
      replace: perServer(() => {
        const kept = new Map<string, FeedBody>();
        return changeFeed(async ({ params: { db }, context: { requestHead, store }, read }) => {
          const key = JSON.stringify([requestHead.url, store.database(db).documentCount]);
          const feed = kept.get(key) ?? (await read());
          kept.set(key, feed);
          return feed;
        });
      }),
    },
    'function-result-kept': {
      summary: 'The server keeps the result of a filter function for a revision when the function changes.',
      onlyIn: ['filters'],
      knownIn: ['goydb-0.1'],
      replace: perServer(() => {
        const kept = new Map<string, readonly boolean[]>();
        return changeAccepted((accepted, { head }, { name, database }) => {
          if (!name.includes('/')) return accepted;
          const key = JSON.stringify([database.name, name, head.position, accepted.length]);
          const result = kept.get(key) ?? accepted;
          kept.set(key, result);
          return result;
        });
      }),
    },
    'since-hundred-back': {
      summary: 'The server starts 100 changes back at most.',
      knownIn: ['goydb-0.1'],
      replace: changeFeedQuery('normal', ({ query, params: { db }, context: { store } }) => {
        const database = store.database(db);
        const start = positionOf(query.since);
        return start > 0 && database.position - start > 100
          ? { since: database.sequenceOf(database.position - 100) as string }
          : {};
      }),
    },
  },
});
