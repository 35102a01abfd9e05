/** Decides from measured gaps whether a target keeps a period in which it must send something (SERVICE 4.5, 4.7 rule 1). */

/** The time between two events that the target sent, as they arrived here. All times are in milliseconds. */
export interface Gap {
  readonly ms: number;
  /**
   * The longest time within the gap in which the target responded to no other request. A busy machine or a slow
   * network may have changed the gap by as much. `Infinity` if no other request was sent. Of the first gap, it includes
   * the time before the gap.
   */
  readonly stallMs: number;
}

/** `undecided`: the machine or the network may be the cause, so the gaps say nothing about the target. */
export type PeriodOutcome = 'kept' | 'too long' | 'too short' | 'undecided';

/** Conforming servers are off by a few milliseconds. A period that is this many times too long or too short is wrong. */
export const periodTolerance = 1.5;

/** A gap that is this many times too long lacks an event. */
const skippedTolerance = 1.75;

/**
 * The median keeps single gaps that the machine has changed from deciding. The mean keeps a pause of the machine, after
 * which several events arrive at once, from making a long period look short. The second longest gap shows a target that
 * skips some events: median and mean change little.
 *
 * @param options.mayBeShorter whether the target may send several events in one period.
 */
export function evaluatePeriod(
  gaps: readonly Gap[],
  periodMs: number,
  { mayBeShorter = false }: { readonly mayBeShorter?: boolean } = {},
): PeriodOutcome {
  const longest = periodMs * periodTolerance;
  const shortest = mayBeShorter ? 0 : periodMs / periodTolerance;
  const isKept = (ms: number): boolean => ms >= shortest && ms <= longest;
  const lengths = gaps.map(({ ms }) => ms);
  const isComplete = secondLongest(lengths) <= skippedTolerance * periodMs;
  if (isComplete && isKept(median(lengths)) && isKept(mean(lengths))) return 'kept';
  const unstalled = gaps.map(({ ms, stallMs }) => ms - stallMs);
  if (median(unstalled) > longest || secondLongest(unstalled) > skippedTolerance * periodMs)
    return 'too long';
  // A stall before the first event can shorten all gaps together by its length, and no more.
  const stallMs = Math.max(...gaps.map((gap) => gap.stallMs));
  if (mean(lengths) + stallMs / gaps.length < shortest) return 'too short';
  return 'undecided';
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const secondLongest = (values: readonly number[]): number =>
  [...values].sort((a, b) => b - a)[1] ?? -Infinity;

/** The middle value; of an even number of values, the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN;
}
