/**
 * Assertions about periods. They measure the time between two things that the target itself sent, and let a second
 * connection show that the target answered other requests meanwhile. Where the machine or the network may be the cause,
 * they throw Inconclusive.
 */
import { setTimeout as wait } from 'node:timers/promises';
import {
  allSettledOrThrow,
  type DatabaseClient,
  Inconclusive,
  type LiveFeed,
  type Place,
  Violation,
} from '../../kit.js';
import { type Witness, withWitness } from '../../play/witness.js';
import { evaluatePeriod, type Gap, type PeriodOutcome, periodTolerance } from '../../engine/periods.js';

/** The number of gaps that are measured. */
const gapCount = 5;

/** A target that sends nothing for this time is measured no longer. */
const longestSilenceMs = (periodMs: number): number => 3 * periodMs;

/** How long a measurement may take on a machine that stalls. */
const longestMeasurementMs = (periodMs: number): number => 10_000 + 30 * periodMs;

/** Waits until the condition is met, the feed ends, the target is silent for too long, or the machine stalls. */
async function waitWhileMeasurable(
  feed: LiveFeed,
  periodMs: number,
  { isMet, silentMs }: { readonly isMet: () => boolean; readonly silentMs: () => number },
): Promise<void> {
  const latest = performance.now() + longestMeasurementMs(periodMs);
  while (!isMet() && feed.endedAt === undefined) {
    if (silentMs() >= longestSilenceMs(periodMs) || performance.now() > latest) return;
    await Promise.race([feed.until(isMet), wait(periodMs / 4)]);
  }
}

/** Throws a {@link Violation} that the runner confirms by running the check alone. */
function mustKeepTime(condition: boolean, what: string, place: Place): asserts condition {
  if (!condition) throw new Violation(what, place, { dependsOnTiming: true });
}

/**
 * The time between two moments in which the target certainly could have sent something. On a busy machine, what a feed
 * sends passes through several steps, each of which may stall as long as a response to the witness.
 */
const witnessedMs = (witness: Witness, from: number, to: number): number =>
  to - from - 3 * witness.longestStall(from, to);

/** Whether heartbeats that are three times too frequent would seem to keep the period, because timers fire late. */
type AreTimersLate = (from: number) => boolean;

/** Runs a timer with a third of the period while `body` runs, to see whether the timers of this machine fire late. */
async function withControlTimer<T>(
  periodMs: number,
  body: (areTimersLate: AreTimersLate) => Promise<T>,
): Promise<T> {
  const firedAt: number[] = [];
  const timer = setInterval(() => firedAt.push(performance.now()), periodMs / 3);
  try {
    return await body((from) => {
      const count = firedAt.filter((at) => at > from).length;
      return performance.now() - from > (count + 1) * (periodMs / periodTolerance);
    });
  } finally {
    clearInterval(timer);
  }
}

interface HeartbeatOptions {
  /** Whether the target may send more heartbeats, as CouchDB does for rows that a filter rejects. */
  readonly mayBeShorter?: boolean;
}

/**
 * The target must send a heartbeat in every period. First measures without other requests, which suffices if the period
 * is kept. Otherwise measures again with a witness.
 */
export const mustKeepHeartbeatPeriod = (
  database: DatabaseClient,
  feed: LiveFeed,
  periodMs: number,
  options: HeartbeatOptions = {},
): Promise<void> =>
  withControlTimer(periodMs, (areTimersLate) =>
    measureHeartbeats(database, feed, periodMs, {
      ...options,
      areTimersLate: (from) => options.mayBeShorter !== true && areTimersLate(from),
    }),
  );

async function measureHeartbeats(
  database: DatabaseClient,
  feed: LiveFeed,
  periodMs: number,
  options: HeartbeatOptions & { readonly areTimersLate: AreTimersLate },
): Promise<void> {
  const what = 'The target does not send one heartbeat in every period';
  const expected = `${periodMs} ms between two heartbeats`;

  let first = feed.heartbeatTimes.length;
  const isMeasured = (): boolean => feed.heartbeatTimes.length > first + gapCount;
  const gaps = (stall: Witness['longestStall'], startedAt: number): Gap[] => {
    const times = feed.heartbeatTimes.slice(first, first + gapCount + 1);
    return times.slice(1).map((to, index) => {
      const from = times[index]!;
      return { ms: to - from, stallMs: stall(index === 0 ? startedAt : from, to) };
    });
  };

  const enoughTime = wait(periodTolerance * (gapCount + 1) * periodMs, undefined, { ref: false });
  await Promise.race([feed.until(isMeasured), enoughTime]);
  feed.mustBeAccepted();
  const evaluate = (stall: Witness['longestStall'], startedAt: number): PeriodOutcome => {
    const outcome = evaluatePeriod(gaps(stall, startedAt), periodMs, options);
    return outcome === 'kept' && options.areTimersLate(feed.heartbeatTimes[first]!) ? 'undecided' : outcome;
  };
  if (isMeasured() && evaluate(() => Infinity, 0) === 'kept') return;

  await withWitness(database, periodMs, async (witness) => {
    // Heartbeats that arrived during a stall before the measurement would look too frequent, and a feed whose connection
    // the target has not accepted yet would look silent.
    await feed.waitUntilOpen();
    first = feed.heartbeatTimes.length;
    const startedAt = performance.now();
    const silentMs = (): number =>
      witnessedMs(witness, Math.max(startedAt, feed.heartbeatTimes.at(-1) ?? 0), performance.now());
    await waitWhileMeasurable(feed, periodMs, { isMet: isMeasured, silentMs });
    feed.mustBeAccepted();
    // Another assertion is about feeds that end.
    if (feed.endedAt !== undefined) return;
    const stalls = `${what}, but the target or this machine stalls.`;
    const silence = silentMs();
    if (!isMeasured() && silence < longestSilenceMs(periodMs)) throw new Inconclusive(stalls);
    mustKeepTime(isMeasured(), what, {
      ...feed.place,
      expected,
      actual: `no heartbeat for ${Math.round(silence)} ms, while the target answered other requests`,
    });
    const measured = gaps(witness.longestStall, startedAt);
    const outcome = evaluate(witness.longestStall, startedAt);
    if (outcome === 'undecided') throw new Inconclusive(stalls);
    mustKeepTime(outcome === 'kept', what, {
      ...feed.place,
      expected,
      actual: `${measured.map(({ ms }) => Math.round(ms)).join(', ')} ms`,
    });
  });
}

/**
 * A heartbeat must arrive in the period that begins at `startedAt`, on the clock of `performance.now()`. One at the very
 * start does not count.
 */
export async function mustSendHeartbeatWithin(
  database: DatabaseClient,
  feed: LiveFeed,
  { periodMs, startedAt }: { readonly periodMs: number; readonly startedAt: number },
): Promise<void> {
  const what = 'The target does not send a heartbeat in the first period';
  const longestMs = periodTolerance * periodMs;
  const arrivedAt = (): number | undefined => feed.heartbeatTimes.find((at) => at - startedAt > periodMs / 2);
  await withWitness(database, periodMs, async (witness) => {
    const silentMs = (): number => witnessedMs(witness, startedAt, arrivedAt() ?? performance.now());
    await waitWhileMeasurable(feed, periodMs, { isMet: () => arrivedAt() !== undefined, silentMs });
    feed.mustBeAccepted();
    // Another assertion is about feeds that end.
    if (feed.endedAt !== undefined) return;
    const at = arrivedAt();
    if (at !== undefined && at - startedAt <= longestMs) return;
    mustKeepTime(silentMs() <= longestMs, what, {
      ...feed.place,
      expected: `a heartbeat after ${periodMs} ms`,
      actual: `no heartbeat for ${Math.round(silentMs())} ms, while the target answered other requests`,
    });
    throw new Inconclusive(`${what}, but the target or this machine stalls.`);
  });
}

/**
 * The feed must end when a period has passed since the target began to wait.
 *
 * @param startedAt when the target had certainly begun to wait: the arrival of its last row. Default: the arrival of the
 * response headers.
 */
export const mustEndAfter = (
  what: string,
  database: DatabaseClient,
  feed: LiveFeed,
  end: End,
): Promise<void> => withWitness(database, end.periodMs, (witness) => measureEnd(what, feed, witness, end));

/** Like {@link mustEndAfter} for several feeds, with one witness. */
export const mustAllEndAfter = (
  what: string,
  database: DatabaseClient,
  feeds: readonly LiveFeed[],
  end: End,
): Promise<unknown> =>
  withWitness(database, end.periodMs, (witness) =>
    allSettledOrThrow(feeds.map((feed) => measureEnd(what, feed, witness, end))),
  );

interface End {
  readonly periodMs: number;
  readonly startedAt?: number;
}

async function measureEnd(
  what: string,
  feed: LiveFeed,
  witness: Witness,
  { periodMs, startedAt }: End,
): Promise<void> {
  const hasEnded = (): boolean => feed.endedAt !== undefined;
  // A feed whose response has not begun is not a feed that waits.
  const start = (): number => startedAt ?? feed.headersAt ?? performance.now();
  const waitedMs = (): number => witnessedMs(witness, start(), feed.endedAt ?? performance.now());
  await waitWhileMeasurable(feed, periodMs, { isMet: hasEnded, silentMs: waitedMs });
  feed.mustBeAccepted();
  const endedAt = feed.endedAt ?? Infinity;
  const lastedMs = endedAt - start();
  const isMeasured = startedAt !== undefined || lastedMs >= periodMs / periodTolerance;
  if (isMeasured && lastedMs <= periodTolerance * periodMs) return;
  // Headers that arrive with the end say nothing about when the target began to wait.
  if (!isMeasured && endedAt - feed.sentAt <= periodTolerance * periodMs) return;
  mustKeepTime(waitedMs() <= periodTolerance * periodMs, what, {
    ...feed.place,
    path: `the end of the ${feed.request.mode} feed`,
    expected: `after ${periodMs} ms`,
    actual: hasEnded()
      ? `after ${Math.round(lastedMs)} ms`
      : `still open after ${Math.round(waitedMs())} ms, while the target answered other requests`,
  });
  throw new Inconclusive(`${what} in time, but the target or this machine stalls.`);
}

/** For how long a feed with a default period of a minute is watched in a run that has no minute. */
const watchedMs = { smoke: 1500, default: 5500 };

/** Waits for some seconds, or until the feed ends. */
export async function watch(feed: LiveFeed, profile: keyof typeof watchedMs): Promise<void> {
  await Promise.race([feed.until(() => false), wait(watchedMs[profile], undefined, { ref: false })]);
  feed.mustBeAccepted();
}

/** How long after the headers the start of a feed may arrive, which may contain a heartbeat and come in several pieces. */
const startMs = 1000;

/** The target must not have sent a heartbeat before the end of the first period, except for those at the start. */
export function mustHaveNoEarlyHeartbeat(feed: LiveFeed, periodMs: number): void {
  const start = feed.headersAt ?? feed.sentAt;
  const early = feed.heartbeatTimes
    .map((at) => at - start)
    .find((afterMs) => afterMs > startMs && afterMs < 0.9 * periodMs);
  mustKeepTime(early === undefined, 'The target sends heartbeats more often than in every period', {
    ...feed.place,
    expected: `${periodMs} ms between two heartbeats`,
    actual: `a heartbeat after ${Math.round(early ?? 0)} ms`,
  });
}
