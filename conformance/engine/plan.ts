/** Validates the options of a run and reads its baseline before anything else happens. */
import { randomInt } from 'node:crypto';
import type { RunBegin } from '../../reports/reporters/reporter.js';
import { type BaselineEntryOf, knownDeviation, readBaseline, withBaseline } from './baseline.js';
import type { CheckOf, Pool, Profile, PropertySettings, ScopeContext } from './check.js';
import { jsonOf } from './json-data.js';
import type { Environment } from './environment.js';
import { defaultCases, defaultConcurrency, type RunOptions } from './run-options.js';
import { readReplayToken } from './replay.js';
import { runChecks, type RunOutcome } from './run.js';
import { ShrinkTime } from './shrink-time.js';
import { select } from './select.js';
import { Width } from './width.js';

export interface RunPlan<Check> {
  readonly checks: readonly Check[];
  readonly baseline: readonly BaselineEntryOf[];
  readonly profile: Profile;
  readonly seed: number;
  readonly pool: Pool;
  /** In a replay, the path of the case for fast-check. */
  readonly path: string | undefined;
  readonly cases: number | undefined;
  /** The options that the cases depend on, as on the command line. */
  readonly replayOptions: readonly string[];
}

const defaultShrinkMs = 30_000;
const defaultDeadlineMs: Readonly<Record<Profile, number>> = {
  smoke: 30_000,
  default: 60_000,
  thorough: 600_000,
};

/** More inputs than a property has cases: it draws none twice, and not all properties draw the same. */
const poolSize = (cases: number): number => Math.ceil(1.2 * cases) + 1;

/**
 * @param suite the checks to select from.
 * @param replayOptions the options that the cases depend on, as on the command line.
 * @throws Refusal if an option or file is invalid.
 */
export async function planRun<Check extends CheckOf<never>>(
  options: RunOptions,
  suite: readonly Check[],
  replayOptions: readonly string[],
): Promise<RunPlan<Check>> {
  const { profile = 'default' } = options;
  const replay =
    options.replay === undefined ? undefined : readReplayToken(options.replay, suite, replayOptions);
  const checks = replay ? suite.filter(({ id }) => id === replay.check) : select(suite, options);
  const baseline =
    options.baseline === undefined || replay ? [] : await readBaseline(options.baseline, suite);
  const seed = replay?.seed ?? options.seed ?? randomInt(2 ** 31);
  const pool = replay?.pool ?? {
    seed,
    size: poolSize(options.cases ?? defaultCases[profile]),
  };
  const { path, cases = options.cases } = { ...replay };
  return { checks, baseline, profile, seed, pool, path, cases, replayOptions };
}

/** Announces and runs the checks of a plan, with defaults for what the options leave open. */
export function runPlan<Context extends ScopeContext<Context>, Check extends CheckOf<Context>>(
  plan: RunPlan<Check>,
  environment: Environment<Context, Check>,
  options: RunOptions,
  {
    target,
    signal,
    adapt,
  }: {
    target: Pick<RunBegin, 'url' | 'dialect' | 'version'>;
    signal: AbortSignal;
    adapt: PropertySettings['adapt'];
  },
): Promise<RunOutcome> {
  const { concurrency, shrinkMs = defaultShrinkMs, onProgress } = options;
  const { checks, baseline, profile, seed, pool, path, cases, replayOptions } = plan;
  options.onBegin?.({ ...target, profile, seed, checks: checks.map(({ id }) => id) }, () =>
    environment.waiting?.(),
  );
  let done = 0;
  return runChecks(checks, environment, {
    property: {
      seed,
      profile,
      pool,
      cases,
      shrinkTime: new ShrinkTime(shrinkMs),
      adapt,
      path,
    },
    knownDeviation: (check, { message, difference }, input) =>
      knownDeviation(baseline, check, { message, ...difference, input: jsonOf(input) }),
    width:
      concurrency === undefined && environment.width
        ? environment.width
        : new Width(concurrency ?? defaultConcurrency),
    deadlineMs: options.deadlineMs ?? defaultDeadlineMs[profile],
    signal,
    replayOptions,
    onResult(result) {
      done += 1;
      onProgress?.({ result: withBaseline(result, baseline), done, total: checks.length });
    },
  });
}
