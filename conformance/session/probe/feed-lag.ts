/** What a run learns of a feed that is behind the writes, although there is one copy. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange, TargetRequest, WatchedFeed } from '../../http/client.js';
import { asObject, feedObject, parseJson } from '../../http/parse-json.js';

/** After so many histories that the feed has shown at once, it is taken to show all at once. */
const mostWatched = 50;

/** How far the feed of a target with one copy is behind the writes. It may be so only while the target is busy. */
export class FeedLag implements WatchedFeed {
  /** How late the latest row has been so far, in milliseconds. */
  ms: number;
  #left = mostWatched;
  #isMeasured = false;

  constructor(ms = 0) {
    this.ms = ms;
  }

  get isBehind(): boolean {
    return this.ms > 0;
  }

  get isWatched(): boolean {
    return this.isBehind || this.#left > 0;
  }

  /** Whether rows may be late: so rarely perhaps that none of those was that the run has watched. */
  get isPossible(): boolean {
    return this.isBehind || !this.#isMeasured;
  }

  /** A row that does not come at all is for checks to find. */
  saw(ms: number | undefined): void {
    this.#left -= ms === undefined ? this.#left : 1;
    this.ms = Math.max(this.ms, ms ?? 0);
  }

  /** Takes what {@link measureLag} has found after a case failed. */
  measured(ms: number): void {
    this.#isMeasured = true;
    this.ms = Math.max(this.ms, ms);
  }

  get warnings(): string[] {
    return this.ms === 0
      ? []
      : [
          `The feed is behind the writes: it has shown one only after ${Math.round(this.ms)} ms. The suite waits after its writes until the feed shows them.`,
        ];
  }
}

/** How long rows may be later than the writes, in milliseconds. Those that are even later are lost. */
const longestLagMs = 3_000;

/** How often the feed is read meanwhile, in milliseconds. */
const pauseMs = 20;

/** All rows must be in so many reads after the last one has come. Otherwise the feed loses rows now and then. */
const readsOfAllRows = 10;

/**
 * How much later than a write its row is in the feed. A row that does not come, or that is gone again, is a matter of rules.
 *
 * @param ask sends a request; without a response, the target has shown nothing
 * @param path of the database
 * @param options.writers number of documents that are written at the same time
 * @param options.writes number of documents that each writes
 * @returns in milliseconds; 0 if no row is late
 */
export async function measureLag(
  ask: (request: TargetRequest) => Promise<Pick<Exchange, 'status' | 'text'> | undefined>,
  path: string,
  { writers, writes }: { writers: number; writes: number },
): Promise<number> {
  const writtenIds: string[] = [];
  let latestMs = 0;
  let isLossy = false;

  /** @returns `undefined` if there is no feed */
  const shows = async (ids: readonly string[]): Promise<boolean | undefined> => {
    const feed = await ask({ path: `${path}/_changes` });
    const rows = feed && feed.status < 300 ? feedObject(parseJson(feed.text)).results : undefined;
    if (!rows) return undefined;
    const shown = new Set(rows.map((row) => asObject(row)['id']));
    return ids.every((id) => shown.has(id));
  };

  const isLost = async (id: string): Promise<boolean> => {
    const writtenAt = performance.now();
    if ((await shows([id])) !== false) return false;
    do {
      await wait(pauseMs);
      if (performance.now() - writtenAt > longestLagMs) return true;
    } while (!(await shows([id])));
    latestMs = Math.max(latestMs, performance.now() - writtenAt);
    return false;
  };

  const write = async (writer: number): Promise<void> => {
    for (let number = 0; number < writes && !isLossy; number += 1) {
      const id = `lag-${writer}-${number}`;
      const written = await ask({ method: 'PUT', path: `${path}/${id}`, json: {} });
      if (!written || written.status >= 300) return;
      writtenIds.push(id);
      isLossy ||= await isLost(id);
    }
  };

  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  // One after the other, with nothing beside them: a feed that omits a row from each third response shows it here.
  for (let read = 0; read < readsOfAllRows && latestMs > 0 && !isLossy; read += 1)
    isLossy = !(await shows(writtenIds));
  return isLossy ? 0 : latestMs;
}
