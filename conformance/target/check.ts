/** The definition of a check: {@link check} creates one. For properties see `property.ts`. */
import type fc from 'fast-check';
import type { Violation } from '../engine/outcomes.js';
import type { Capability, RuleId } from '../../openapi/generated/rules.js';
import type { CheckTarget, ConfiguredTarget } from './check-target.js';
import type { RequestParameters } from './service-version.js';
import type { SettingValues } from './settings.js';
import type { TestItems } from './test-data.js';
import type { Traffic } from '../http/traffic.js';

/** How many cases a run generates: see `--profile` in conformance/README.md. */
export type Profile = 'smoke' | 'default' | 'thorough';

/** Verifies one rule: resolves if it holds and throws a verdict (see `engine/outcomes.ts`) otherwise. */
export type Run = (context: CheckContext) => Promise<void>;

/** A check of one rule, as `check()` creates it. */
export interface Check {
  /** The id of the rule, or `<rule>/<variant>` for one of several checks of a rule. */
  readonly id: string;
  /** The rule of the catalogue (openapi/rules) that the check verifies. */
  readonly rule: RuleId;
  /** The check is skipped on a target without these capabilities. The runner adds the needs of the rule. */
  readonly needs: readonly Capability[];
  /** Capabilities that generated cases use if the target has them. */
  readonly optional: readonly Capability[];
  /** What the check always sends. It is skipped on a target that declares a version without it. */
  readonly uses: RequestParameters;
  /**
   * Settings that the check requires, by `section/key`; `null` requires that there is no value. With `--configure` the
   * runner changes them for all checks that require the same settings. Without it, the check is skipped if the target
   * has other settings.
   */
  readonly settings: SettingValues | ((target: ConfiguredTarget) => SettingValues);
  /** Verifies the rule. */
  readonly run: Run;
  /** The check evaluates the exchanges of all other checks, so it runs after them. */
  readonly runsLast: boolean;
  /** What the check spends most of its time on, if it waits: the runner starts the longest waits first. */
  readonly waits: Waits;
}

/** `changes`: until the target sends a change. `period`: until some time has passed, such as a timeout. */
export type Waits = 'changes' | 'period' | false;

export function check(definition: {
  rule: RuleId;
  /** Distinguishes several checks of one rule: the id becomes `<rule>/<variant>`. */
  variant?: string;
  needs?: readonly Capability[];
  optional?: readonly Capability[];
  uses?: RequestParameters;
  settings?: Check['settings'];
  last?: boolean;
  waits?: Waits;
  run: Run;
}): Check {
  const {
    rule,
    variant,
    needs = [],
    optional = [],
    uses = {},
    settings = {},
    last = false,
    waits = false,
    run,
  } = definition;
  return {
    id: variant === undefined ? rule : `${rule}/${variant}`,
    rule,
    needs,
    optional,
    uses,
    settings,
    runsLast: last,
    waits,
    run,
  };
}

/** What a check may use. */
export interface CheckContext extends TestItems {
  readonly target: CheckTarget;
  /** Aborts when the time limit of the check is over or the run is interrupted. It applies to all requests of this context. */
  readonly signal: AbortSignal;
  readonly property: PropertySettings;
  /** Adapts generated inputs to the target, and lets them shrink well. */
  adapt<T>(inputs: fc.Arbitrary<T>): fc.Arbitrary<T>;
  /** Problems found in the exchanges of the run so far, for checks that run last. */
  readonly traffic: Traffic;
  /**
   * Returns what `make` returns, but calls it only once in a run for all cases that pass the same key, as JSON. What it
   * creates is removed at the end of the run, and its exchanges become evidence in each scope that uses the result. The
   * result must not contain clients. In a scope that shares nothing, this calls `make` for the scope alone.
   */
  shared<T>(key: unknown, make: (context: CheckContext) => Promise<T>): Promise<T>;
  /** Records behaviour that the service document does not define. A later value replaces an earlier one of the same id. */
  observe(id: string, value: unknown): void;
  /**
   * Runs `body` in a nested scope: its databases and users are removed when it ends, and its exchanges are the evidence
   * of a violation in it.
   *
   * @param options.isAlone whether the scope shares nothing with other checks: see {@link CheckContext.shared}.
   * @param options.isSettled whether each read waits until no copy can lag behind the last write to its database.
   */
  inScope<T>(
    body: (inner: CheckContext) => Promise<T>,
    options?: { isAlone?: boolean; isSettled?: boolean },
  ): Promise<T>;
  /** Adds one to the number of generated cases. */
  countCase(): void;
  /** Adds one to the number of cases that failed, and that held when their reads waited for lagging copies. */
  countLag(): void;
  /** Reports that fewer cases than planned were run because time was short. */
  reportReducedCases(planned: number): void;
}

/** An entry of the baseline that explains a violation. */
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
  /** The time limit for shrinking a counterexample, in milliseconds. */
  readonly shrinkMs: number;
  /** When properties start to run fewer cases, on the clock of `performance.now()`. */
  readonly reduceAfter?: number;
  /** What the baseline says of a violation. The property then goes on with other cases, to find other violations. */
  readonly knownDeviation?: (violation: Violation, input: unknown) => KnownDeviation | undefined;
  /** For a replay: fast-check's path to the only case to run. */
  readonly path?: string;
}

export interface Pool {
  readonly seed: number;
  /** The number of different values that the pool has of each arbitrary. */
  readonly size: number;
}
