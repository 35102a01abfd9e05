/** Validates the options of a run and reads its files before the first request. */
import { randomInt } from 'node:crypto';
import coerce from 'semver/functions/coerce.js';
import type { CheckResult } from '../../reports/report.js';
import type { Check, Pool, Profile } from '../target/check.js';
import { defaultCases } from './property.js';
import { baseUrl } from '../http/base-url.js';
import { jsonOf } from '../http/json.js';
import { readTargetOptions, type TargetOptions } from '../target/target-options.js';
import { Refusal } from './refusal.js';
import { type BaselineEntry, knownDeviation, readBaseline, withBaseline } from './baseline.js';
import type { ConformanceOptions } from '../target/options.js';
import { readReplayToken } from './replay.js';
import type { RunOptions } from './run.js';
import { select } from './select.js';

export interface RunPlan {
  readonly urls: readonly URL[];
  readonly checks: readonly Check[];
  readonly baseline: readonly BaselineEntry[];
  readonly targetOptions: TargetOptions;
  readonly profile: Profile;
  readonly seed: number;
  readonly pool: Pool;
  /** In a replay, the path of the case for fast-check. */
  readonly path: string | undefined;
}

const defaultConcurrency = 4;
const defaultShrinkMs = 15_000;
const defaultDeadlineMs: Readonly<Record<Profile, number>> = {
  smoke: 30_000,
  default: 60_000,
  thorough: 600_000,
};

/** Histories in the pool for each case of a property, so that a property rarely draws one twice. */
const poolFactor = 2.4;

/**
 * @param suite the checks to select from.
 * @throws Refusal if an option or file is invalid.
 */
export async function planRun(options: ConformanceOptions, suite: readonly Check[]): Promise<RunPlan> {
  const { profile = 'default', serviceVersion } = options;
  const replay = options.replay === undefined ? undefined : readReplayToken(options.replay, suite, options);
  const checks = replay ? suite.filter(({ id }) => id === replay.check) : select(suite, options);
  const baseline =
    options.baseline === undefined || replay ? [] : await readBaseline(options.baseline, suite);
  const urls = options.urls.map(baseUrl);
  const targetOptions = await readTargetOptions(options);
  if (serviceVersion !== undefined && !coerce(serviceVersion)) {
    throw new Refusal('usage', `"${serviceVersion}" is not a service version such as 3.4 or 3.3.2`);
  }
  const seed = replay?.seed ?? options.seed ?? randomInt(2 ** 31);
  const pool = replay?.pool ?? {
    seed,
    size: Math.ceil(poolFactor * (options.cases ?? defaultCases[profile])),
  };
  return { urls, checks, baseline, targetOptions, profile, seed, pool, path: replay?.path };
}

/** Options of the runner with their defaults. */
export function runOptions(options: ConformanceOptions, plan: RunPlan, signal: AbortSignal): RunOptions {
  const { cases, concurrency = defaultConcurrency, shrinkMs = defaultShrinkMs, onProgress } = options;
  const { checks, baseline, profile, seed, pool, path: replayPath } = plan;
  let done = 0;
  return {
    property: { seed, profile, pool, cases, shrinkMs, path: replayPath },
    knownDeviation: ({ id }, { message, difference }, input) =>
      knownDeviation(baseline, id, { message, ...difference, input: jsonOf(input) }),
    concurrency,
    deadlineMs: options.deadlineMs ?? defaultDeadlineMs[profile],
    signal,
    onResult(result: CheckResult) {
      done += 1;
      onProgress?.({ result: withBaseline(result, baseline), done, total: checks.length });
    },
  };
}
