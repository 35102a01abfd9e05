/** Normal mode answers at once (SERVICE 4.7 mode 1). */
import { setTimeout as wait } from 'node:timers/promises';
import type { FeedQuery } from '../model/feed.js';
import { readFeed } from '../play/feed.js';
import { playNew } from '../play/player.js';
import { Blocked, Inconclusive, Violation } from '../runner/verdict.js';
import type { DatabaseClient, OpenExchange } from '../target/target.js';
import { check, type Check } from './check.js';

/** Longer than any answer takes that waits for nothing, and far below the periods that the requests name. */
const promptMs = 1500;
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

/**
 * Returns when the answer has come to its end in time. When it has not, another request on the same target, asked
 * over and over meanwhile, tells a target that waits from a machine that was busy: a pause holds up both.
 */
async function mustBePrompt(database: DatabaseClient, query: FeedQuery): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  let opened: OpenExchange | undefined;
  const answer = async (): Promise<'answered'> => {
    opened = await database.open({ path: '/_changes', query: { ...query } });
    for await (const chunk of opened.chunks) void chunk;
    return 'answered';
  };
  const others: number[] = [];
  const late = async (): Promise<'late'> => {
    const startedAt = performance.now();
    await wait(promptMs / 3, undefined, { signal });
    while (performance.now() - startedAt < promptMs) {
      const { durationMs } = await database.request({ path: '' });
      others.push(durationMs);
    }
    return 'late';
  };
  try {
    if ((await Promise.race([answer(), late()])) === 'answered') {
      if (opened!.status !== 200) throw new Blocked(`the feed is answered with ${opened!.status}`);
      return;
    }
  } finally {
    stop.abort();
    opened?.close();
  }
  if (others.length < 3 || Math.max(...others) > promptMs / 3) {
    throw new Inconclusive('The target was slow with everything while the feed was read.');
  }
  throw new Violation('Normal mode waits', {
    path: `the end of the answer to ${JSON.stringify(query)}`,
    expected: 'at once',
    actual: `not after ${promptMs} ms, while ${others.length} other requests were answered`,
  });
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
      for (const temptation of temptations) {
        await mustBePrompt(empty, temptation);
        await mustBePrompt(database, temptation);
        await mustBePrompt(database, { ...temptation, since: lastSeq });
        await mustBePrompt(database, { ...temptation, since: 'now', feed: 'normal' });
      }
    },
  }),
];
