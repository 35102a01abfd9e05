/** The shape of the feed in normal mode and of its rows (SERVICE 2.5, 2.6). */
import fc from 'fast-check';
import { sharedHistories } from '../../arbitraries/histories.js';
import { pooled } from '../../arbitraries/pool.js';
import { requests } from '../../arbitraries/requests.js';
import { requestFeed } from '../../play/feed.js';
import { playShared } from '../../play/shared.js';
import { expectJson } from '../../play/expect-json.js';
import { arrayOf, mustMatch, mustRespond, objectWith, satisfying } from '../../engine/matchers.js';
import { Blocked } from '../../engine/outcomes.js';
import { asObject } from '../../http/json.js';
import { check, type Check, type CheckContext } from '../../target/check.js';
import { forAll } from '../../engine/property.js';
import { aSeq, rowShape } from '../shared/rows.js';

/** The shape of the response in normal and longpoll mode (SERVICE 2.5). */
export const feedShape = objectWith({
  results: satisfying('an array', Array.isArray),
  last_seq: aSeq,
  pending: satisfying('a number', (actual) => typeof actual === 'number'),
});

const cases = (context: CheckContext) =>
  fc.record({ history: pooled(context, sharedHistories), request: requests() });

export const feedShapeChecks: readonly Check[] = [
  check({
    rule: 'feed-shape',
    run: forAll(cases, async (context, { history, request }) => {
      const { database } = await playShared(context, history);
      const response = await requestFeed(database, request);
      mustRespond(response, 200, 'The target rejects a request for the feed');
      mustMatch('The response does not have the shape of a feed', response.json(), feedShape);
    }),
  }),

  check({
    rule: 'feed-row-shape',
    run: forAll(cases, async (context, { history, request }) => {
      const { database } = await playShared(context, history);
      const { results } = asObject(expectJson(await requestFeed(database, request), [200]));
      if (!Array.isArray(results)) throw new Blocked('The feed has no array "results" (see feed-shape).');
      mustMatch('A row of the feed is malformed', results, arrayOf(rowShape), '$.results');
    }),
  }),
];
