/** Normal mode responds immediately (SERVICE 4.7 mode 1). */
import type { FeedQuery, FeedRequest } from '../../model/feed.js';
import { newDocument } from '../../model/history.js';
import { changesRequest, readFeed } from '../../play/feed.js';
import { probesOf } from '../../play/live-feed.js';
import { playNew } from '../../play/player.js';
import { isInTime, judgeInTime } from '../../engine/deadlines.js';
import { must } from '../../engine/matchers.js';
import { Blocked, Inconclusive } from '../../engine/outcomes.js';
import type { DatabaseClient } from '../../http/client.js';
import { checksOf } from '../../target/check.js';
import { variantsFor } from '../../engine/property.js';

/** The grace period of {@link isInTime}: longer than a response takes that waits for nothing. */
const promptMs = 1500;
/** The timeout and heartbeat of the requests: far longer than {@link promptMs}. */
const periodMs = 20_000;

/** Parameters that normal mode must ignore. With a heartbeat, a response that waits would never end. */
const ignoredParameters: readonly FeedQuery[] = [
  {},
  { timeout: periodMs },
  { heartbeat: periodMs },
  { heartbeat: true },
  { heartbeat: 50 },
  { timeout: periodMs, heartbeat: periodMs },
];

/**
 * The response must end soon after the request was sent. Only time in which the target answers other requests counts,
 * so a pause of the target or of this machine does not fail the check.
 */
async function mustRespondImmediately(
  database: DatabaseClient,
  query: FeedQuery,
  method: FeedRequest['method'] = 'GET',
): Promise<void> {
  const sentAt = performance.now();
  const closing = new AbortController();
  let status = 0;
  const respond = async (): Promise<void> => {
    const response = await database.open({ ...changesRequest({ method, query }), signal: closing.signal });
    status = response.status;
    for await (const chunk of response.chunks) void chunk;
  };
  const grace = { by: sentAt, graceMs: promptMs };
  try {
    const isPrompt = await isInTime(respond(), { ...grace, ...probesOf(database, {}) });
    judgeInTime(grace, () =>
      must(isPrompt, 'Normal mode does not respond immediately', {
        path: `the end of the response to ${method} with ${JSON.stringify(query)}`,
        expected: 'immediately',
        actual: `not while the target answered other requests for ${promptMs} ms`,
      }),
    );
  } finally {
    closing.abort();
  }
  if (status !== 200) throw new Blocked(`The target responds to the feed with ${status}.`);
  if (performance.now() - sentAt >= periodMs) {
    throw new Inconclusive('The target answered all requests slowly while the feed was read.');
  }
}

export const normalChecks = checksOf({
  'normal-immediate': async (context) => {
    const { database } = await playNew(context, [newDocument('a'), newDocument('b')]);
    const empty = await context.createDatabase();
    const { lastSeq } = await readFeed(database);
    const supported = ignoredParameters.filter((query) => context.target.feed.supports({ query }));
    for (const ignored of variantsFor(context, supported)) {
      await mustRespondImmediately(empty, ignored);
      await mustRespondImmediately(database, ignored);
      await mustRespondImmediately(database, { ...ignored, since: lastSeq });
      await mustRespondImmediately(database, { ...ignored, since: lastSeq }, 'POST');
      const now = { ...ignored, since: 'now', feed: 'normal' } as const;
      if (context.target.feed.supports({ query: now })) await mustRespondImmediately(database, now);
    }
  },
});
