/** What a run learns of a feed that is behind the writes, although there is one copy. */
import type { WatchedFeed } from '../../http/client.js';

/** After so many histories that the feed has shown at once, it is taken to show all at once. */
const mostWatched = 50;

/** How far the feed of a target with one copy is behind the writes. It may be so only while the target is busy. */
export class FeedLag implements WatchedFeed {
  /** How late the latest row has been so far, in milliseconds. */
  ms: number;
  #left = mostWatched;

  constructor(ms = 0) {
    this.ms = ms;
  }

  get isBehind(): boolean {
    return this.ms > 0;
  }

  get isWatched(): boolean {
    return this.isBehind || this.#left > 0;
  }

  /** A row that does not come at all is for checks to find. */
  saw(ms: number | undefined): void {
    this.#left -= ms === undefined ? this.#left : 1;
    this.ms = Math.max(this.ms, ms ?? 0);
  }

  get warnings(): string[] {
    return this.ms === 0
      ? []
      : [
          `The feed is behind the writes: it has shown one only after ${Math.round(this.ms)} ms. The suite waits after its writes until the feed shows them.`,
        ];
  }
}
