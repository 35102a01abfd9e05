/** The form of a feed in normal mode and of its rows (SERVICE 2.5, 2.6). */
import fc from 'fast-check';
import { histories } from '../arbitraries/histories.js';
import { requests } from '../arbitraries/requests.js';
import { requestFeed } from '../play/feed.js';
import { playNew } from '../play/player.js';
import { expectJson } from '../play/expect-json.js';
import {
  aString,
  arrayOf,
  matching,
  mustMatch,
  objectWith,
  satisfying,
  type Matcher,
} from '../verdict/matchers.js';
import { Blocked, Violation } from '../verdict/outcomes.js';
import { check, forAll, type Check } from '../check.js';

const someSeq = satisfying(
  'a seq: any JSON value but null',
  (actual) => actual !== undefined && actual !== null,
);

const feed = objectWith({
  results: satisfying('an array', Array.isArray),
  last_seq: someSeq,
  pending: satisfying('a number', (actual) => typeof actual === 'number'),
});

const someChanges: Matcher = (actual, path) =>
  Array.isArray(actual) && actual.length === 0
    ? { path, expected: 'at least one revision', actual }
    : arrayOf(objectWith({ rev: matching(/^[1-9]\d*-\S+$/, 'a revision <n>-<hash>') }))(actual, path);

/** The form of a row, in any mode. */
export const rowForm = objectWith({
  id: aString,
  seq: someSeq,
  changes: someChanges,
  deleted: satisfying(
    'a boolean or nothing',
    (actual) => actual === undefined || typeof actual === 'boolean',
  ),
});

const cases = fc.record({ history: histories, request: requests() });

export const feedFormChecks: readonly Check[] = [
  check({
    rule: 'feed-shape',
    run: forAll(cases, async (context, { history, request }) => {
      const { database } = await playNew(context, history);
      const answer = await requestFeed(database, request.query, request.method);
      if (answer.status !== 200) {
        throw new Violation('The feed is refused', { path: 'status', expected: 200, actual: answer.status });
      }
      mustMatch('The answer is no feed', answer.json(), feed);
    }),
  }),

  check({
    rule: 'feed-row-shape',
    run: forAll(cases, async (context, { history, request }) => {
      const { database } = await playNew(context, history);
      const answer = expectJson(await requestFeed(database, request.query, request.method), [200]);
      const { results } = (answer ?? {}) as { results?: unknown };
      if (!Array.isArray(results)) throw new Blocked('The feed has no array of results (see feed-shape)');
      mustMatch('This is no row', results, arrayOf(rowForm), '$.results');
    }),
  }),
];
