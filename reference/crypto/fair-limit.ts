import { FairQueue } from '../http/fair-queue.js';

/** Runs a limited number of tasks concurrently. Clients take turns: many tasks of one client do not delay the others. */
export class FairLimit {
  readonly #maxRunning: number;
  #running = 0;
  /** Functions that start the waiting tasks. */
  readonly #waiting = new FairQueue<() => void>();

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  async run<Result>(client: string, task: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#maxRunning) this.#running++;
    else await new Promise<void>((start) => this.#waiting.add(client, start));
    try {
      return await task();
    } finally {
      // The next task takes the place of this one.
      const start = this.#waiting.shift();
      if (start) start();
      else this.#running--;
    }
  }
}
