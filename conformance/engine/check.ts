/** What a check is to the engine, and what the engine gives to it. A suite adds what is its own: see `session/scope/rule-checks.ts`. */
import type fc from 'fast-check';
import type { Finding } from './finding.js';
import type { Violation } from './outcomes.js';
import type { ShrinkTime } from './shrink-time.js';

/** How many cases a run generates: see `--profile` in conformance/README.md. */
export type Profile = 'smoke' | 'default' | 'thorough';

/** A check of one rule, whatever it needs to verify it. */
export interface CheckOf<Context> {
  /** The id of the rule, or `<rule>/<variant>` for one of several checks of a rule. */
  readonly id: string;
  /** The id of the rule that the check verifies. */
  readonly rule: string;
  /** Verifies the rule: resolves if it holds and throws a verdict (see `outcomes.ts`) otherwise. */
  readonly run: (context: Context) => Promise<void>;
  /** The check evaluates what all other checks have done, so it runs after them. */
  readonly runsLast: boolean;
  /**
   * What the check spends most of its time on, if it waits: the runner starts the longest waits first. `false` only if
   * it does not depend on how long the target lets a request wait by default.
   */
  readonly waits: Waits;
  /** Sends so many requests one after the other that a run over a slow line waits for it at its end. So it starts first. */
  readonly isLong: boolean;
}

/** `changes`: until the target sends a change. `period`: until some time has passed, such as a timeout. */
export type Waits = 'changes' | 'period' | false;

/** What every check may use. `Context` is all that the checks of a suite may use: this, and what the suite adds. */
export interface ScopeContext<Context> {
  /** Aborts when the time limit of the check is over or the run is interrupted. It applies to all requests of this context. */
  readonly signal: AbortSignal;
  readonly property: PropertySettings;
  /** Whether the scope shares nothing with other checks: what it makes need not serve them. */
  readonly isAlone: boolean;
  /**
   * Returns what `make` returns, but calls it only once in a run for all cases that pass the same key, as JSON. What it
   * creates is removed at the end of the run, and its exchanges become evidence in each scope that uses the result. The
   * result must not contain clients. In a scope that shares nothing, this calls `make` for the scope alone.
   */
  shared<T>(key: unknown, make: (context: Context) => Promise<T>): Promise<T>;
  /** Records behaviour that the service document does not define. A later value replaces an earlier one of the same id. */
  observe(id: string, value: unknown): void;
  /**
   * Runs `body` in a nested scope: what it creates is removed when it ends, and its exchanges are the evidence of a
   * violation in it.
   *
   * @param options.isAlone whether the scope shares nothing with other checks: see {@link ScopeContext.shared}.
   * @param options.isSettled whether each read waits until no copy can lag behind the last write before it.
   * @param options.judges whether the scope must judge a response that the rule is about, such as that of a case.
   */
  inScope<T>(
    body: (inner: Context) => Promise<T>,
    options?: { isAlone?: boolean; isSettled?: boolean; judges?: boolean },
  ): Promise<T>;
  /** Adds one to the number of generated cases. */
  countCase(): void;
  /** Adds one to the number of cases that failed, and that held when their reads waited for lagging copies. */
  countLag(): void;
  /**
   * Whether copies lag behind, perhaps so rarely that nothing has shown it before a case failed: then the first call in a run
   * looks for it. Missing if it is known that they do not.
   */
  readonly findRareLag?: (() => Promise<boolean>) | undefined;
  /** Reports that fewer cases than planned were run because time was short. */
  reportReducedCases(planned: number): void;
}

/** What explains a violation, such as an entry of the baseline. */
export interface KnownDeviation {
  /** If only some cases show it: the greatest share of them that may, or `true` for any share. */
  readonly sometimes?: boolean | number;
}

export interface PropertySettings {
  readonly seed: number;
  readonly profile: Profile;
  /** The inputs that the checks of the run have in common. */
  readonly pool: Pool;
  /** Overrides the number of cases of all properties. */
  readonly cases?: number;
  /** The time for shrinking counterexamples, which all checks of the run share. */
  readonly shrinkTime: ShrinkTime;
  /** Adapts generated inputs to the target, and lets them shrink well. */
  readonly adapt: <T>(inputs: fc.Arbitrary<T>) => fc.Arbitrary<T>;
  /** When properties start to run fewer cases, on the clock of `performance.now()`. */
  readonly reduceAfter?: number;
  /** What the baseline says of a violation. The property then goes on with other cases, to find other violations. */
  readonly knownDeviation?: (violation: Violation, input: unknown) => KnownDeviation | undefined;
  /** What is known of the target that explains a violation. The property goes on likewise. */
  readonly obstacle?: (finding: Finding) => object | undefined;
  /** Runs it now and returns its result, if more could run at a time than do: see {@link Width.beside}. */
  readonly beside?: <T>(run: () => Promise<T>) => Promise<T> | undefined;
  /** For a replay: fast-check's path to the only case to run. */
  readonly path?: string;
}

export interface Pool {
  readonly seed: number;
  /** The number of different values that the pool has of each arbitrary. */
  readonly size: number;
}
