/** Shows whether the target responds to other requests while a feed is measured. */
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseClient } from '../http/client.js';

/** Between two requests: short against the period, so that stalls are seen, and long enough not to be a load. */
const pauseMs = (periodMs: number): number => Math.max(15, periodMs / 25);

export interface Witness {
  /** The longest time between two moments, on the clock of `performance.now()`, in which no response arrived, in ms. */
  readonly longestStall: (from: number, to: number) => number;
}

/**
 * Sends one small request after the other while `body` runs. Rejects as `body` does.
 *
 * @param periodMs the period that `body` measures.
 */
export async function withWitness<T>(
  database: DatabaseClient,
  periodMs: number,
  body: (witness: Witness) => Promise<T>,
): Promise<T> {
  const respondedAt = [performance.now()];
  const over = new AbortController();
  const requests = (async () => {
    while (!over.signal.aborted) {
      await database.request({ path: '', background: true });
      respondedAt.push(performance.now());
      await wait(pauseMs(periodMs));
    }
  })();
  // A request that fails is a stall that lasts until the end: the check learns of it from what it measures.
  const ended = requests.catch(() => {});
  try {
    return await body({
      longestStall: (from, to) => {
        const within = respondedAt.filter((at) => at > from && at < to);
        const moments = [from, ...within, to];
        return Math.max(...moments.slice(1).map((at, index) => at - moments[index]!));
      },
    });
  } finally {
    over.abort();
    await ended;
  }
}
