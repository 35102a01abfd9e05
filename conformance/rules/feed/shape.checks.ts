/** The shape of the feed in normal mode and of its rows (SERVICE 2.5, 2.6). */
import { requests } from '../../arbitraries/requests.js';
import { type FeedRequest, withQuery } from '../../oracle/allowed-rows.js';
import { requestFeed } from '../../play/read-feed.js';
import { expectJson } from '../../play/expect-json.js';
import { arrayOf, mustMatch, mustRespond } from '../../engine/matchers.js';
import { Blocked } from '../../engine/outcomes.js';
import type { DatabaseClient } from '../../http/client.js';
import { asObject } from '../../http/parse-json.js';
import { checksOf } from '../../session/scope/target-check.js';
import { forSharedHistories } from '../shared/shared-histories.js';
import { feedShape, rowShape } from '../shared/rows.js';

const cases = { request: requests() };

async function readShape(database: DatabaseClient, request: FeedRequest): Promise<Record<string, unknown>> {
  const response = await requestFeed(database, request);
  mustRespond(response, 200, 'The target rejects a request for the feed');
  mustMatch('The response does not have the shape of a feed', response.json(), feedShape);
  return response.object();
}

export const feedShapeChecks = checksOf({
  'feed-shape': forSharedHistories(
    cases,
    async ({ database }, { request }) => {
      const { last_seq: since } = await readShape(database, request);
      // What is left is often nothing, so that the results are empty.
      await readShape(database, withQuery(request, { since, limit: undefined, descending: undefined }));
    },
    { cases: { default: 6 } },
  ),

  'feed-row-shape': forSharedHistories(cases, async ({ database }, { request }) => {
    const { results } = asObject(expectJson(await requestFeed(database, request), [200]));
    if (!Array.isArray(results)) throw new Blocked('The feed has no array "results" (see feed-shape).');
    mustMatch('A row of the feed is malformed', results, arrayOf(rowShape), '$.results');
  }),
});
