/**
 * How many checks run at a time. Over a long line, most of a check is waiting for the line, so more of them take no longer.
 *
 * The number grows while the quickest answers come as quickly as ever, and falls as soon as they are late, as in TCP Vegas:
 * then requests wait for each other. Beside a target whose answers come at once, it stays as it is.
 */

/** Of a target with quicker answers, more checks at a time would only make it busier. In milliseconds. */
const farMs = 15;

/** Answers are late if the quickest of several takes so many times as long as the quickest ever. */
const late = 1.3;

/** By what factor the number changes after each round of answers. */
const [growth, fall] = [1.25, 0.7];

/** How many checks that wait for changes run in addition, for each of the others. */
export const timesWaiting = 2;

/** How many times as many checks run at most. */
const mostTimes = 8;

/** Until answers are late for the first time, the number grows by more, as in the slow start of TCP. */
const firstGrowth = 2;

/** The number of answers in a round, for each check at work. */
const answersPerCheck = 2;

/** At most so many times as many checks rest as are at work: each of them may keep processes and connections. */
const mostTimesResting = 5;

/** This process measures periods, so it must have time to spare: this part of it may be used. */
const busyShare = 0.5;

/** @returns whether this process had little time to spare since the last call. */
export function watchLoop(): () => boolean {
  let before = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    return utilization > busyShare;
  };
}

export class Width {
  readonly #least: number;
  readonly #isBusy: (() => boolean) | undefined;
  #exact: number;
  #growth = firstGrowth;
  /** The number of checks and cases at work. */
  #atWork = 0;
  /** The number of those that only wait. */
  #resting = 0;
  #quickestMs = Infinity;
  #round = { answers: 0, quickestMs: Infinity };
  #setRoom!: () => void;
  #room = this.#nextRoom();

  /** @param isBusy whether this process has had little time to spare in the last round. Without it, the number is fixed. */
  constructor(least: number, isBusy?: () => boolean) {
    this.#least = least;
    this.#exact = least;
    this.#isBusy = isBusy;
  }

  get now(): number {
    return Math.floor(this.#exact);
  }

  /** Resolves when the number grows, or when one of those at work begins to rest. */
  get room(): Promise<void> {
    return this.#room;
  }

  /** The number of those that have left their places to others. */
  get resting(): number {
    return Math.min(this.#resting, mostTimesResting * this.now);
  }

  /**
   * One of those at work only waits for something that takes seconds, and leaves its place to another one.
   *
   * @returns what to call when it goes on, whether or not there is a place
   */
  rest(): () => void {
    this.#resting += 1;
    this.#makeRoom();
    return () => void (this.#resting -= 1);
  }

  /** @param ms how long a response took to begin. Those that wait for changes are not the quickest of a round. */
  answered(ms: number): void {
    if (!this.#isBusy) return;
    this.#quickestMs = Math.min(this.#quickestMs, ms);
    const answers = this.#round.answers + 1;
    this.#round = { answers, quickestMs: Math.min(this.#round.quickestMs, ms) };
    if (answers < answersPerCheck * this.now) return;
    const isLate = this.#round.quickestMs > late * this.#quickestMs;
    const mayGrow = this.#quickestMs >= farMs && !isLate && !this.#isBusy();
    this.#round = { answers: 0, quickestMs: Infinity };
    if (!mayGrow) this.#growth = growth;
    this.#set(this.#exact * (mayGrow ? this.#growth : fall));
  }

  /** Runs what counts as at work. */
  async run<T>(run: () => Promise<T>): Promise<T> {
    this.#atWork += 1;
    try {
      return await run();
    } finally {
      this.#atWork -= 1;
    }
  }

  /**
   * Runs it if more may run now than beside a target whose answers come at once, and not all of them do: as many as the
   * number says, and those that wait for changes. Otherwise it returns nothing.
   */
  beside<T>(run: () => Promise<T>): Promise<T> | undefined {
    const hasRoom = this.now > this.#least && this.#atWork < (1 + timesWaiting) * this.now;
    return hasRoom ? this.run(run) : undefined;
  }

  #set(wanted: number): void {
    const { now: before } = this;
    this.#exact = Math.min(mostTimes * this.#least, Math.max(this.#least, wanted));
    if (this.now <= before) return;
    this.#makeRoom();
  }

  #makeRoom(): void {
    this.#setRoom();
    this.#room = this.#nextRoom();
  }

  #nextRoom(): Promise<void> {
    return new Promise((resolve) => (this.#setRoom = resolve));
  }
}

/** Runs all of them, as many at a time as the width allows. @param most how many, beside those that rest */
export async function runWithin<T>(
  items: readonly T[],
  run: (item: T) => Promise<void>,
  width: Width,
  most = (): number => width.now,
): Promise<void> {
  const running = new Set<Promise<void>>();
  for (const item of items) {
    while (running.size - width.resting >= most()) await Promise.race([...running, width.room]);
    const one = width.run(() => run(item)).finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
}
