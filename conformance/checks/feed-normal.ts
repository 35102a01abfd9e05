/** Normal mode answers at once (SERVICE 4.7 mode 1). */
import type { FeedQuery } from '../model/feed.js';
import { readFeed } from '../play/feed.js';
import { pinging } from '../play/live-feed.js';
import { playNew } from '../play/player.js';
import { isInTime } from '../verdict/deadlines.js';
import { Blocked, Inconclusive, Violation } from '../verdict/outcomes.js';
import type { DatabaseClient } from '../client/client.js';
import { check, type Check, variantsFor } from '../check.js';

/** Longer than any answer takes that waits for nothing, in the sense of {@link isInTime}. */
const promptMs = 1500;
/** What the requests name, far above. */
const periodMs = 20_000;

/** What must not make normal mode wait. Heartbeats would keep an answer that waits open for good. */
const temptations: readonly FeedQuery[] = [
  {},
  { timeout: periodMs },
  { heartbeat: periodMs },
  { heartbeat: true },
  { heartbeat: 50 },
  { timeout: periodMs, heartbeat: periodMs },
];

/** An answer that waits comes late while others come as usual; a pause of the target or of this machine holds up all. */
async function mustBePrompt(database: DatabaseClient, query: FeedQuery): Promise<void> {
  const askedAt = performance.now();
  const closing = new AbortController();
  let status = 0;
  const answer = async (): Promise<void> => {
    const opened = await database.open({ path: '/_changes', query: { ...query }, signal: closing.signal });
    status = opened.status;
    for await (const chunk of opened.chunks) void chunk;
  };
  try {
    if (!(await isInTime(answer(), { by: askedAt, graceMs: promptMs, look: pinging(database) }))) {
      throw new Violation('Normal mode waits', {
        path: `the end of the answer to ${JSON.stringify(query)}`,
        expected: 'at once',
        actual: `not while the target answered other requests for ${promptMs} ms`,
      });
    }
  } finally {
    closing.abort();
  }
  if (status !== 200) throw new Blocked(`the feed is answered with ${status}`);
  if (performance.now() - askedAt >= periodMs) {
    throw new Inconclusive('The target was slow with everything while the feed was read.');
  }
}

export const feedNormalChecks: readonly Check[] = [
  check({
    rule: 'normal-immediate',
    async run(context) {
      const { database } = await playNew(context, [
        { id: 'a', writes: [{ kind: 'put', leaf: 0, body: {} }] },
        { id: 'b', writes: [{ kind: 'put', leaf: 0, body: {} }] },
      ]);
      const empty = await context.createDatabase();
      const { lastSeq } = await readFeed(database);
      for (const temptation of variantsFor(context, temptations)) {
        await mustBePrompt(empty, temptation);
        await mustBePrompt(database, temptation);
        await mustBePrompt(database, { ...temptation, since: lastSeq });
        await mustBePrompt(database, { ...temptation, since: 'now', feed: 'normal' });
      }
    },
  }),
];
