/** The `Accept` header does not change what the feed returns: `feed` alone chooses the mode (SERVICE 4.5). */
import {
  allSettledOrThrow,
  type CheckDefinition,
  type DatabaseClient,
  defineRule,
  type FeedMode,
  feedOf,
  feedParameters,
  type FeedRequest,
  type Judge,
  liveRequests,
  must,
  mustRespond,
  type Passed,
  readFeed,
  requestFeed,
  requests,
  type Row,
  withLiveFeed,
  withQuery,
} from '../../kit.js';
import { unseen } from '../shared/unseen.js';
import { hasRows } from '../shared/live-changes.js';
import { mustHaveSameRows } from '../shared/row-assertions.js';
import { forSharedHistories } from '../shared/shared-histories.js';

/** The values of SERVICE 4.5, and lists of them. */
export const acceptedTypes = [
  'application/json',
  'text/event-stream',
  'text/plain',
  'text/event-stream, text/plain;q=0.9, application/json;q=0.8',
  'application/json, text/event-stream;q=0.5',
  'text/plain, */*;q=0.1',
] as const;

const typesOf: Readonly<Record<FeedMode, readonly string[]>> = {
  normal: ['application/json'],
  longpoll: ['application/json'],
  // The service document does not show which of them the lines have.
  continuous: ['application/json', 'text/plain'],
  eventsource: ['text/event-stream'],
};

/** A header without the media type of the mode may be refused, but must not change the mode. */
export function mayRefuse(mode: FeedMode, accept: string): boolean {
  const accepted = accept.split(',').map((range) => range.split(';')[0]!.trim());
  return !accepted.includes('*/*') && typesOf[mode].some((type) => !accepted.includes(type));
}

/** Media ranges with no other parameter than a quality, which is not zero. */
const isSimple = (accept: string): boolean =>
  accept
    .split(',')
    .every((range) => /^\s*[\w*]+\/[\w*.+-]+\s*(;\s*q=(1(\.0*)?|0?\.\d*[1-9]\d*)\s*)?$/.test(range));

/** Whether another header than `Accept` may be why no response is acceptable. */
const asksForMore = ({ requestHeaders }: Passed['passing']): boolean =>
  requestHeaders.has('accept-charset') ||
  /q=0/.test(requestHeaders.get('accept-encoding')?.join() ?? '') ||
  !(requestHeaders.get('accept-language')?.join() ?? '*').includes('*');

/** A judge of responses to requests that accept what the mode has. */
const mustBeAcceptable: Judge<Passed> = (passed) => {
  const { isFeed, passing, exchange, body } = passed;
  const accept = passing.requestHeaders.get('accept')?.join();
  if (!isFeed || accept === undefined || !isSimple(accept) || asksForMore(passing)) return false;
  const { mode } = feedParameters(passed);
  if (mayRefuse(mode, accept)) return false;
  if (passing.status === 200) return passed.isValid;
  // A gateway refuses with this status as well, but not in the form of the service.
  const isTargets = typeof body['error'] === 'string' && typeof body['reason'] === 'string';
  if (passing.status !== 406 || !isTargets || !passed.isPlain) return false;
  mustRespond(exchange, 200, `The target rejects the media type of ${mode} mode in Accept`);
};

async function mustIgnoreAccept(
  database: DatabaseClient,
  mode: FeedMode,
  request: FeedRequest,
  expected: readonly Row[],
): Promise<void> {
  const accept = request.headers!['accept']!;
  const rejected = `The target rejects Accept: ${accept} in ${mode} mode`;
  const changed = `Accept: ${accept} changes the rows in ${mode} mode`;
  if (mode === 'normal') {
    for (const sent of [request, withQuery(request, { feed: undefined })]) {
      const response = await requestFeed(database, sent);
      if (response.status === 406 && mayRefuse(mode, accept)) continue;
      mustRespond(response, 200, rejected);
      response.object();
      mustHaveSameRows(changed, feedOf(response).rows, expected);
    }
    return;
  }
  // An idle long poll does not respond.
  if (mode === 'longpoll' && expected.length === 0) return;
  await withLiveFeed(database, { mode, ...request }, async (feed) => {
    await feed.isMetInTime(() => feed.response !== undefined, { by: feed.sentAt });
    if (feed.response?.status === 406 && mayRefuse(mode, accept)) return;
    if (feed.response) mustRespond(feed.response, 200, rejected);
    const unrecognized = () => feed.arrivals.find(({ kind }) => kind === 'unrecognized');
    const isDone = () => (mode === 'longpoll' ? feed.endedAt !== undefined : hasRows(feed, expected));
    await feed.isMetInTime(() => unrecognized() !== undefined || isDone());
    must(unrecognized() === undefined && hasRows(feed, expected), changed, {
      ...feed.place,
      expected: `the rows of normal mode: ${JSON.stringify(expected.map(({ id }) => id))}`,
      actual: unrecognized() ?? feed.rows.map(({ id }) => id),
    });
  });
}

/** The rows must arrive in time; only time in which the target answers other requests counts. */
const inMode = (mode: FeedMode): CheckDefinition => ({
  uses: { query: { feed: mode } },
  waits: mode !== 'normal' && 'changes',
  run: forSharedHistories(
    { request: mode === 'normal' ? requests() : liveRequests },
    async ({ database }, { request }) => {
      const { rows } = await readFeed(database, { ...request, headers: { accept: '*/*' } });
      await allSettledOrThrow(
        acceptedTypes.map((accept) =>
          mustIgnoreAccept(database, mode, { ...request, headers: { accept } }, rows),
        ),
      );
    },
    { cases: { default: 6, thorough: 60 } },
  ),
});

export const feedAccept = defineRule('feed-accept', {
  rung: 'modes',
  inTraffic: {
    part: {
      judged: 'A plain request that accepts what its mode has is not refused for it.',
      rest: unseen.twoRequests,
    },
    response: mustBeAcceptable,
  },
  checks: {
    'feed-accept': inMode('normal'),

    'feed-accept/longpoll': inMode('longpoll'),

    'feed-accept/continuous': inMode('continuous'),

    'feed-accept/eventsource': inMode('eventsource'),
  },
});
