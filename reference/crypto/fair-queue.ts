/** Runs a limited number of tasks concurrently. Clients take turns: many tasks of one client do not delay the others. */
export class FairQueue {
  readonly #maxRunning: number;
  #running = 0;
  /** Functions that start the waiting tasks, by client. The first client is the next. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  async run<Result>(client: string, task: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#maxRunning) this.#running++;
    else
      await new Promise<void>((start) => {
        const others = this.#waiting.get(client);
        if (others) others.push(start);
        else this.#waiting.set(client, [start]);
      });
    try {
      return await task();
    } finally {
      this.#startNext();
    }
  }

  #startNext(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#running--;
      return;
    }
    const [client, starts] = next;
    const start = starts.shift()!;
    this.#waiting.delete(client);
    if (starts.length > 0) this.#waiting.set(client, starts);
    start();
  }
}
