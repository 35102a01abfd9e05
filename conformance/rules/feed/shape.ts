/** The shape of the feed in normal mode and of its rows (SERVICE 2.5, 2.6). */
import {
  arrayOf,
  Blocked,
  type DatabaseClient,
  defineRule,
  expectJson,
  feedObject,
  type FeedRequest,
  mustMatch,
  mustRespond,
  requestFeed,
  requests,
  withQuery,
  parseJson,
  withSeq,
} from '../../kit.js';
import { forSharedHistories } from '../shared/shared-histories.js';
import { responseShape, rowShape } from '../shared/row-assertions.js';
import { feedShapeLongpoll } from '../shared/longpoll-paging.js';

const cases = { request: requests() };

async function readShape(database: DatabaseClient, request: FeedRequest): Promise<Record<string, unknown>> {
  const response = await requestFeed(database, request);
  mustRespond(response, 200, 'The target rejects a request for the feed');
  mustMatch('The response does not have the shape of a feed', response.json(), responseShape);
  return response.object();
}

export const feedShape = defineRule('feed-shape', {
  rung: 'feed',
  otherRungs: {
    'feed-shape/longpoll': 'modes',
  },
  inTraffic: {
    feed: ({ arrival, feed }) => {
      if (feed.parameters.isStream || (feed.hasResults && arrival.kind !== 'end')) return false;
      const value =
        arrival.kind === 'end'
          ? { results: [], last_seq: arrival.lastSeq, pending: arrival.pending }
          : arrival.kind === 'unrecognized' && parseJson(arrival.text);
      mustMatch('The response does not have the shape of a feed', value, responseShape);
    },
  },
  checks: {
    'feed-shape': forSharedHistories(
      cases,
      async ({ database }, { request }) => {
        const { last_seq: since } = await readShape(database, request);
        // What is left is often nothing, so that the results are empty.
        await readShape(database, withQuery(request, { since, limit: undefined, descending: undefined }));
      },
      { cases: { default: 6 } },
    ),

    'feed-shape/longpoll': feedShapeLongpoll,
  },
});

export const feedRowShape = defineRule('feed-row-shape', {
  rung: 'feed',
  inTraffic: {
    feed: ({ arrival, feed }) => {
      if (feed.parameters.isStream || !feed.hasResults) return false;
      const what = 'A row of the feed is malformed';
      if (arrival.kind === 'unrecognized') mustMatch(what, parseJson(arrival.text), rowShape, '$.results[*]');
      if (arrival.kind !== 'row') return false;
      mustMatch(what, withSeq(arrival, feed).row.value, rowShape, arrival.row.path);
    },
  },
  checks: {
    'feed-row-shape': forSharedHistories(cases, async ({ database }, { request }) => {
      const { results } = feedObject(expectJson(await requestFeed(database, request)));
      if (!results) throw new Blocked('The feed has no array "results" (see feed-shape).');
      mustMatch('A row of the feed is malformed', results, arrayOf(rowShape), '$.results');
    }),
  },
});
