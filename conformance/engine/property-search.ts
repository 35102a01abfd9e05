/** The state of a property while its cases run: which input runs next, and what the property ends with. */
import type { KnownDeviation } from './check.js';
import type { Thrown } from './property-case.js';
import type { ShrinkTime } from './shrink-time.js';
import { Finding } from './finding.js';
import { Blocked, Inconclusive, LackingFeature, NothingJudged, Skip, Unsendable } from './outcomes.js';

export interface SearchPlan {
  /** Number of cases. */
  readonly cases: number;
  /** When fewer cases are enough, on the clock of `performance.now()`. */
  readonly reduceAfter: number;
  /** The time for smaller inputs of a violation. Other violations than a known one have half of it. */
  readonly shrinkTime: ShrinkTime;
  /** Whether the only case is one that was found before. */
  readonly isReplay: boolean;
  /** What explains a violation, if the property goes on to find others. */
  readonly explain: (finding: Finding, input: unknown) => KnownDeviation | undefined;
}

/**
 * `searching`: generated cases run one after the other. `shrinking`: a case has failed, and smaller inputs run. `over`:
 * no other input runs. `failedMs` is how long the last case took that failed: a smaller one takes about as long if it
 * fails. Other times are on the clock of `performance.now()`.
 */
type Phase =
  | { name: 'searching'; until: number }
  | { name: 'shrinking'; since: number; askedAt: number; failedMs: number }
  | { name: 'over' };

/** What to do with an input: run it, end the property, or end it although cases are missing. */
type Step = 'run' | 'end' | 'reduce';

/** What the result of an input means: the case counts, does not count, or ends the property; or it is to be shrunk. */
type Effect = 'counts' | 'discard' | 'end' | Finding;

/** A property that has only had cases that do not count ends after this number of them, with the verdict of the first. */
const maxUncounted = 50;

/** The same where time is short. With fewer of them, it may be chance that none counts: a target may lack what half need. */
const leastUncounted = 10;

/** What a case has thrown that does not count: the property tries another one. */
type Uncounted = Unsendable | LackingFeature | NothingJudged;

export const isUncounted = (reason: unknown): reason is Uncounted =>
  [Unsendable, LackingFeature, NothingJudged].some((kind) => reason instanceof kind);

/** Fewer cases than these do not show how often a violation occurs that the baseline expects in some cases only. */
const leastCasesOfSome = 4;

/** No property runs more cases than these. */
export const mostCases = ({ cases }: SearchPlan): number => Math.max(cases, leastCasesOfSome);

const verdicts = [Finding, Skip, Blocked, Inconclusive];

/** The first violation that has an explanation. */
interface KnownViolation {
  readonly finding: Finding;
  readonly input: unknown;
  /** Number of the case that showed it first, from 0. */
  readonly index: number;
  /** Number of cases that showed a violation with the same explanation. */
  count: number;
}

/** Whether more cases show a deviation than the share of them that may. A single case is never too often. */
export const isTooOften = ({ failed, of }: { failed: number; of: number }, share: number): boolean =>
  failed > Math.max(1, share * of);

const isInSomeCases = ({ sometimes }: KnownDeviation): boolean => typeof sometimes === 'number';

export class Search {
  readonly #plan: SearchPlan;
  #phase: Phase = { name: 'searching', until: Infinity };
  #cases = 0;
  /** When the last case began, on the clock of `performance.now()`. */
  #beganAt = performance.now();
  readonly #known = new Map<KnownDeviation, KnownViolation>();
  #undecided: Thrown | undefined;
  readonly #uncounted: Uncounted[] = [];
  #isCut = false;

  constructor(plan: SearchPlan) {
    this.#plan = plan;
  }

  /** Whether smaller inputs of a violation run. They share nothing with other checks. */
  get isShrinking(): boolean {
    return this.#phase.name === 'shrinking';
  }

  /** Whether shrinking ended before all smaller inputs were tried. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** What to do with the next input. */
  next(): Step {
    const phase = this.#phase;
    if (phase.name === 'over') return 'end';
    const now = performance.now();
    this.#beganAt = now;
    if (phase.name === 'searching') return this.#nextCase(now >= phase.until);
    const { askedAt, since, failedMs } = phase;
    this.#isCut ||= !this.#plan.shrinkTime.allows(now - askedAt, now - since, failedMs);
    phase.askedAt = now;
    return this.#isCut ? 'end' : 'run';
  }

  #nextCase(isOver: boolean): Step {
    const { cases, isReplay, reduceAfter } = this.#plan;
    if (isReplay && this.#cases > 0) return 'end';
    const least = [...this.#known.keys()].some(isInSomeCases) ? leastCasesOfSome : 0;
    if (this.#cases < least) return 'run';
    if (isOver || this.#cases >= cases) return 'end';
    const { length: uncounted } = this.#uncounted;
    const mayReduce =
      this.#cases >= Math.ceil(cases / 5) || (uncounted > 0 && this.#cases + uncounted >= leastUncounted);
    return mayReduce && performance.now() >= reduceAfter ? 'reduce' : 'run';
  }

  /** Takes what the case with this input has thrown, if anything. */
  take(input: unknown, thrown: Thrown | undefined): Effect {
    const reason = thrown?.reason;
    if (isUncounted(reason)) return this.#takeUncounted(reason);
    this.#cases += 1;
    if (!thrown) return 'counts';
    if (reason instanceof Finding) return this.#takeFinding(input, reason);
    // Shrinking can lead to an input that the check was not written for, such as one without documents.
    if (this.isShrinking && !verdicts.some((verdict) => reason instanceof verdict)) return 'counts';
    this.#undecided = thrown;
    this.#isCut ||= this.isShrinking;
    this.#phase = { name: 'over' };
    return 'end';
  }

  #takeUncounted(reason: Uncounted): Effect {
    this.#uncounted.push(reason);
    return this.#cases === 0 && this.#uncounted.length === maxUncounted ? 'end' : 'discard';
  }

  #takeFinding(input: unknown, finding: Finding): Effect {
    const deviation = this.#plan.explain(finding, input);
    if (deviation) {
      if (!this.isShrinking) this.#noteKnown(deviation, input, finding);
      return 'counts';
    }
    const now = performance.now();
    const failedMs = now - this.#beganAt;
    if (this.#phase.name === 'shrinking') {
      this.#phase.failedMs = failedMs;
    } else {
      // Smaller inputs are tried alone, where an unconfirmed violation does not show.
      this.#isCut = finding.circumstances.isUnconfirmed === true;
      this.#phase = { name: 'shrinking', since: now, askedAt: now, failedMs };
    }
    return finding;
  }

  /** The property goes on with other cases, to find other violations, for as long as shrinking would take. */
  #noteKnown(deviation: KnownDeviation, input: unknown, finding: Finding): void {
    const known = this.#known.get(deviation);
    if (known) {
      known.count += 1;
      return;
    }
    if (this.#known.size === 0) {
      const until = performance.now() + this.#plan.shrinkTime.totalMs / 2;
      this.#phase = { name: 'searching', until };
    }
    this.#known.set(deviation, { finding, input, index: this.#cases - 1, count: 1 });
  }

  /** The first known violation, or rather one that occurs too often. */
  #concludingViolation(): KnownViolation | undefined {
    const excessive = [...this.#known].find(
      ([{ sometimes }, { count }]) =>
        typeof sometimes === 'number' && isTooOften({ failed: count, of: this.#cases }, sometimes),
    );
    return excessive?.[1] ?? [...this.#known.values()][0];
  }

  /**
   * Ends a property in which no violation was shrunk.
   *
   * @throws the verdict, if the property does not hold
   */
  conclude(seed: number): void {
    const known = this.#concludingViolation();
    if (known) {
      const { finding, input, index, count } = known;
      const frequency = { failed: count, of: this.#cases };
      throw finding.with({ found: { input, seed, path: String(index), cases: this.#plan.cases, frequency } });
    }
    if (this.#undecided) throw this.#undecided.reason;
    if (this.#cases === 0 && this.#uncounted.length > 0) throw this.#uncounted[0]!;
  }
}
