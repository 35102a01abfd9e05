/** The definition of a check: {@link check} creates one. For properties see `property.ts`. */
import type { Pool } from '../arbitraries/pool.js';
import type { Violation } from '../verdict/outcomes.js';
import type { Dialect, DialectNames } from '../../openapi/generated/dialects.js';
import type { Capability, RuleId } from '../../openapi/generated/rules.js';
import type { Authentication } from '../target/authentication.js';
import type { FeedParameters, FeedVersion } from '../target/service-version.js';
import type { SettingValues } from '../target/settings.js';
import type { TargetRequest, Credentials, DatabaseClient, HttpClient, TestUser } from '../http/client.js';
import type { Traffic } from '../http/traffic.js';

/** How many cases a run generates: see `--profile` in conformance/README.md. */
export type Profile = 'smoke' | 'default' | 'thorough';

/** Verifies one rule: resolves if it holds and throws a verdict (see `verdict/outcomes.ts`) otherwise. */
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
  /** What the check always sends to the feed. It is skipped on a target that declares a version without it. */
  readonly uses: FeedParameters;
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

/** What the required settings of a check can depend on. */
export interface ConfiguredTarget {
  readonly dialect: Dialect;
  /** Secrets, names and settings of its authentication, including the settings that the check requires. */
  readonly auth: Authentication;
  /** `chttpd/changes_timeout` in milliseconds, if the kit knows a value: the default and maximum of `timeout`. */
  readonly changesTimeoutMs?: number;
}

export function check(definition: {
  rule: RuleId;
  /** Distinguishes several checks of one rule: the id becomes `<rule>/<variant>`. */
  variant?: string;
  needs?: readonly Capability[];
  optional?: readonly Capability[];
  uses?: FeedParameters;
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

/** The target as a check sees it. */
export interface CheckTarget extends HttpClient, ConfiguredTarget {
  /** The names of the dialect, such as the prefix of user ids. */
  readonly names: DialectNames;
  /** The service version: declared by the user, or taken from the greeting. */
  readonly version?: string;
  /** What the changes feed of this version has. */
  readonly feed: FeedVersion;
  readonly admin?: Credentials;
  /** The number of nodes. `TargetRequest.node` selects one. */
  readonly nodes: number;
  /** A check may only ask for capabilities in its `needs` or `optional`; the others may be unknown. */
  has(capability: Capability): boolean;
  /** A setting by `section/key`; `null` if it is not set, `undefined` if the kit does not know. */
  setting(name: string): string | null | undefined;
}

export interface CheckContext {
  readonly target: CheckTarget;
  /** Aborts when the time limit of the check is over or the run is interrupted. It applies to all requests of this context. */
  readonly signal: AbortSignal;
  readonly property: PropertySettings;
  /** Problems found in the exchanges of the run so far, for checks that run last. */
  readonly traffic: Traffic;
  /** Creates an empty database, which is removed afterwards. Throws Blocked if the target refuses. */
  createDatabase(options?: { query?: TargetRequest['query'] }): Promise<DatabaseClient>;
  /** A client of a database that exists, such as one that several checks share. */
  openDatabase(name: string): DatabaseClient;
  /**
   * Returns what `make` returns, but calls it only once in a run for all cases that pass the same key, as JSON. What it
   * creates is removed at the end of the run, and its exchanges become evidence in each scope that uses the result. The
   * result must not contain clients. In a scope that shares nothing, this calls `make` for the scope alone.
   */
  shared<T>(key: unknown, make: (context: CheckContext) => Promise<T>): Promise<T>;
  /** Creates a user, which is removed afterwards. Throws Blocked if the target refuses. */
  createUser(options?: UserOptions): Promise<TestUser>;
  /** Returns a user with an unused name. If the check creates it, it is removed afterwards. */
  planUser(options?: UserOptions): TestUser;
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

export interface UserOptions {
  /** The suffix of the name. */
  nameEnd?: string;
  /** Replaces the prefix of the document id, such as `org.couchdb.user:`. */
  idStart?: string;
  password?: string;
  roles?: readonly string[];
  /** The second factor. */
  totp?: { readonly key: string };
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
