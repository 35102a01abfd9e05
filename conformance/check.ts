/** What a check is. One call of {@link check} writes one; {@link forAll} makes its `run` a property. */
import fc from 'fast-check';
import { Violation } from './verdict/outcomes.js';
import type { Dialect, DialectNames } from '../openapi/generated/dialects.js';
import type { Capability, RuleId } from '../openapi/generated/rules.js';
import type { Authentication } from './client/authentication.js';
import type { SettingValues } from './client/settings.js';
import type { TargetRequest, Credentials, DatabaseClient, HttpClient, TestUser } from './client/client.js';
import type { Traffic } from './client/traffic.js';

export type Profile = 'smoke' | 'default' | 'thorough';

/** Judges one rule: returns when it holds and throws a verdict (see `runner/verdict.ts`) otherwise. */
export type Run = (context: CheckContext) => Promise<void>;

export interface Check {
  /** The id of the rule, or `<rule>/<what>` where a rule has several checks. */
  readonly id: string;
  readonly rule: RuleId;
  /** The check is skipped on a target that lacks one of these. The rule's own needs are added by the runner. */
  readonly needs: readonly Capability[];
  /**
   * The check judges the target under these settings, by `section/key`; `null` stands for no value at all. They are
   * changed with `--configure` only, for all checks that want the same ones at once; otherwise the check is skipped
   * unless they are as wanted already.
   */
  readonly settings: SettingValues | ((target: ConfiguredTarget) => SettingValues);
  readonly run: Run;
  /** True for a check that judges what all others have exchanged: it runs after them. */
  readonly runsLast: boolean;
  /** True for a check that spends most of its time waiting: it runs beside the others and takes no place of theirs. */
  readonly isWaiting: boolean;
}

/** What the settings that a check wants can depend on. */
export interface ConfiguredTarget {
  readonly dialect: Dialect;
  /** How it finds out who asks: secrets, names and settings, with those that the check asked for in force. */
  readonly auth: Authentication;
}

export function check(definition: {
  rule: RuleId;
  /** Tells several checks of one rule apart: the id becomes `<rule>/<what>`. */
  what?: string;
  needs?: readonly Capability[];
  settings?: Check['settings'];
  last?: boolean;
  waits?: boolean;
  run: Run;
}): Check {
  const { rule, what, needs = [], settings = {}, last = false, waits = false, run } = definition;
  return {
    id: what === undefined ? rule : `${rule}/${what}`,
    rule,
    needs,
    settings,
    runsLast: last,
    isWaiting: waits,
    run,
  };
}

/** The target as a check sees it. */
export interface CheckTarget extends HttpClient, ConfiguredTarget {
  /** The words of the dialect, such as the prefix of user ids. */
  readonly names: DialectNames;
  /** The service version that the target declares, or that its greeting names. */
  readonly version?: string;
  readonly admin?: Credentials;
  /** How many there are to ask: `Ask.node` says which. */
  readonly nodes: number;
  has(capability: Capability): boolean;
  /** A setting by `section/key`; `null` when it has no value of its own, `undefined` when the kit does not know. */
  setting(name: string): string | null | undefined;
}

export interface CheckContext {
  readonly target: CheckTarget;
  /** Aborted when the check's time is over or the run is interrupted. Requests of this context obey it by themselves. */
  readonly signal: AbortSignal;
  readonly property: PropertySettings;
  /** What the exchanges of the run have shown so far; of use to checks that run last. */
  readonly traffic: Traffic;
  /** A new, empty database, removed afterwards. Throws Blocked when the target refuses to create one. */
  createDatabase(options?: { query?: TargetRequest['query'] }): Promise<DatabaseClient>;
  /** A new user, removed afterwards. Throws Blocked when the target refuses to create one. */
  createUser(options?: UserOptions): Promise<TestUser>;
  /** A user that is not created yet: a name nobody has, removed afterwards in case the check makes it exist. */
  planUser(options?: UserOptions): TestUser;
  /** Records behaviour that the service document leaves open. The last value of an id stays. */
  observe(id: string, value: unknown): void;
  /** Runs `body` in a scope of its own: its databases and users are removed when it ends, and its exchanges are
   * the evidence of a violation in it. */
  inScope<T>(body: (inner: CheckContext) => Promise<T>): Promise<T>;
  /** Counts one generated case. */
  countRun(): void;
  /** Says that time was short, and how many generated cases there would have been. */
  reportReducedCases(planned: number): void;
}

export interface UserOptions {
  /** The name is one that nobody has, and ends like this. */
  nameEnd?: string;
  /** What the id of the document begins with, where it is not to be the prefix of the dialect. */
  idStart?: string;
  password?: string;
  roles?: readonly string[];
  /** The second factor. */
  totp?: { readonly key: string };
}

export interface PropertySettings {
  readonly seed: number;
  readonly profile: Profile;
  /** Overrides the number of cases of every property. */
  readonly runs?: number;
  /** How long a failing property may go on to find a smaller input that fails, in milliseconds. */
  readonly shrinkMs: number;
  /** When a property that has had some cases does without the others, on the clock of `performance.now()`. */
  readonly reduceAfter?: number;
  /** Replay: fast-check's path to the one case to run again. */
  readonly path?: string;
}

export interface PropertyOptions {
  /** Cases by profile. */
  runs?: Readonly<Partial<Record<Profile, number>>>;
}

const defaultRuns: Readonly<Record<Profile, number>> = { smoke: 1, default: 20, thorough: 200 };

/**
 * A check over generated inputs. Each case runs in a scope of its own. A violation is shrunk towards the smallest
 * input that still breaks the rule. Any other verdict of a case ends the property: it cannot be judged then.
 */
export function forAll<T>(
  arbitrary: fc.Arbitrary<T> | ((context: CheckContext) => fc.Arbitrary<T>),
  holds: (context: CheckContext, value: T) => Promise<void>,
  options: PropertyOptions = {},
): Run {
  return async (context) => {
    const { seed, profile, shrinkMs, path, reduceAfter: enoughAt = Infinity } = context.property;
    const replaying = path !== undefined;
    // With several copies a row may for a moment be missing again: such a case counts when it does so twice.
    const tries = context.target.has('single-copy') ? 1 : 2;
    const numRuns = context.property.runs ?? options.runs?.[profile] ?? defaultRuns[profile];
    // When time is short: a fifth.
    const enough = Math.ceil(numRuns / 5);
    let unjudged: { reason: unknown } | undefined;
    let shrinkUntil = Infinity;
    let cases = 0;

    const property = fc.asyncProperty(
      arbitrary instanceof fc.Arbitrary ? arbitrary : arbitrary(context),
      async (value) => {
        const isOver = unjudged || performance.now() >= shrinkUntil || (replaying && cases > 0);
        if (isOver) throw new fc.PreconditionFailure(true);
        if (shrinkUntil === Infinity && cases >= enough && performance.now() >= enoughAt) {
          context.reportReducedCases(numRuns);
          throw new fc.PreconditionFailure(true);
        }
        cases += 1;
        context.countRun();
        try {
          await repeatedly(tries, () => context.inScope((inner) => holds(inner, value)));
        } catch (reason) {
          if (!(reason instanceof Violation)) {
            unjudged = { reason };
            throw new fc.PreconditionFailure(true);
          }
          if (shrinkUntil === Infinity) shrinkUntil = performance.now() + shrinkMs;
          throw reason;
        }
      },
    );
    const details = await fc.check(property, { seed, path, numRuns, endOnFailure: replaying });
    const cause = details.errorInstance;
    // A property that was stopped before any case has passed counts as failed too, without a cause.
    if (details.failed && cause instanceof Error) {
      if (cause instanceof Violation && details.counterexample) {
        cause.found = { input: details.counterexample[0], seed, path: details.counterexamplePath ?? '' };
      }
      throw cause;
    }
    if (unjudged) throw unjudged.reason;
  };
}

/** All of them; for a look at the target in passing, the profile `smoke`, one that the seed chooses. */
export function variantsFor<T>(
  { property: { profile, seed } }: CheckContext,
  all: readonly T[],
): readonly T[] {
  return profile === 'smoke' ? [all[Math.abs(seed) % all.length]!] : all;
}

/** Returns when `holds` does in one of so many tries; otherwise throws what the last one throws. */
async function repeatedly(tries: number, holds: () => Promise<void>): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await holds();
    } catch (reason) {
      if (left === 0 || !(reason instanceof Violation)) throw reason;
    }
  }
}
