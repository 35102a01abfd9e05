/** The self-test: does the suite find what is wrong, and leave alone what is lawful? */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import pMap from 'p-map';
import picomatch from 'picomatch';
import { Piscina } from 'piscina';
import type { CheckTrial, FaultTrial, LawfulTrial, SelftestReport } from '../../reports/selftest.js';
import type { Profile } from '../check.js';
import { checks } from '../checks/index.js';
import { faults } from '../faults/index.js';
import { Refusal } from '../verdict/refusal.js';
import { suggestion } from '../verdict/suggestion.js';
import { keepMachineBusy } from './environment.js';
import { nameOf, type Trial, type TrialResult } from './trial.js';

export interface SelftestOptions {
  /** Globs over the ids of faults and of their rules. */
  readonly only?: readonly string[];
  /** How many seeds each fault is tried with. */
  readonly seeds: number;
  /** How many variations are tried. */
  readonly variations: number;
  /** How often the suite is repeated on a busy machine, and as often over a slow network. */
  readonly repeats: number;
  /** How many generated cases a check has against a lawful server. With `thorough` a fault meets the whole suite. */
  readonly profile: Profile;
  /** The first of the seeds. */
  readonly firstSeed: number;
  /** Generated cases a check has at most against a fault. */
  readonly runs: number;
  /** Trials beside each other; each takes a core. */
  readonly jobs?: number;
  /** What an earlier self-test has found already. */
  readonly known?: SelftestReport;
  readonly signal?: AbortSignal;
  /** Told of each trial when it is done, with all that is known by then. */
  readonly onProgress?: (progress: Progress) => Promise<void>;
}

export interface Progress {
  readonly name: string;
  readonly done: number;
  readonly total: number;
  readonly report: SelftestReport;
}

const circumstances = { busy: 'busy machine', slow: 'slow network' };

/**
 * Runs the trials that `known` does not have yet.
 *
 * @throws Refusal when a pattern fits no fault.
 */
export async function selftest(options: SelftestOptions): Promise<SelftestReport> {
  const { jobs = availableParallelism(), known, onProgress, signal } = options;
  const results = new Map<string, TrialResult>(
    known
      ? [...known.faults, ...known.checks, ...known.variations, ...known.repeats].map((result) => [
          keyOf(result),
          result,
        ])
      : [],
  );
  const planned = new Set(results.keys());
  /** Those of which nothing is known yet. */
  const toDo = (trials: readonly Trial[]): Trial[] => {
    trials.forEach((trial) => planned.add(keyOfTrial(trial)));
    return trials.filter((trial) => !answers(results.get(keyOfTrial(trial)), trial));
  };
  const startedAt = known?.startedAt ?? new Date().toISOString();
  const report = () => reportOf(options, startedAt, results);

  const pool = threads(jobs);
  const run = async (trial: Trial): Promise<void> => {
    if (signal?.aborted) return;
    const result = (await pool.run(trial)) as TrialResult;
    results.set(keyOf(result), result);
    await onProgress?.({ name: nameOf(trial), done: results.size, total: planned.size, report: report() });
  };
  try {
    const all = toDo(trialsOf(options));
    const quick = all.filter(({ kind }) => kind !== 'repeat');
    await pMap(quick, run, { concurrency: jobs });
    await pMap(toDo(checkTrialsOf(options, report())), run, { concurrency: jobs });
    const repeats = all.filter(({ kind }) => kind === 'repeat');
    await pMap(repeats.filter(isSlow), run, { concurrency: jobs });
    const relieve = keepMachineBusy();
    try {
      await pMap(
        repeats.filter((trial) => !isSlow(trial)),
        run,
        { concurrency: 1 },
      );
    } finally {
      relieve();
    }
  } finally {
    await pool.destroy();
  }
  return report();
}

function trialsOf({ only, seeds, variations, repeats, profile, firstSeed, runs }: SelftestOptions): Trial[] {
  const isWanted = only ? picomatch([...only]) : () => true;
  const names = [...new Set(faults.flatMap(({ id, rule }) => [id, rule]))];
  const slip = only?.find((pattern) => !names.some((name) => picomatch.isMatch(name, pattern)));
  if (slip !== undefined) {
    throw new Refusal('usage', `--only ${slip} fits no fault${suggestion(slip, names)}`);
  }
  const whole = profile === 'thorough';
  const seedsFrom = (count: number) => Array.from({ length: count }, (_, index) => firstSeed + index);
  return [
    ...seedsFrom(seeds).flatMap((seed) =>
      faults
        .filter(({ id, rule }) => isWanted(id) || isWanted(rule))
        .map(({ id }): Trial => ({ kind: 'fault', id, seed, runs, whole })),
    ),
    ...seedsFrom(variations).map((seed): Trial => ({ kind: 'variation', seed, profile })),
    ...seedsFrom(repeats).flatMap((seed): Trial[] => [
      { kind: 'repeat', seed, profile, slow: false, circumstances: circumstances.busy },
      { kind: 'repeat', seed, profile, slow: true, circumstances: circumstances.slow },
    ]),
  ];
}

/** The checks of rules all of whose faults were tried, and that none of them has made fail. */
function checkTrialsOf({ firstSeed, runs }: SelftestOptions, report: SelftestReport): Trial[] {
  const seen = new Set(report.faults.flatMap(({ by }) => by));
  const tried = new Set(report.faults.map(({ id }) => id));
  const left = new Set(faults.filter(({ id }) => !tried.has(id)).map(({ rule }) => rule));
  return checks
    .filter(({ id, rule }) => !left.has(rule) && !seen.has(id))
    .map(({ id, rule }): Trial => ({ kind: 'check', id, rule, seed: firstSeed, runs }));
}

function threads(jobs: number): Piscina {
  const file = new URL(`./trial${extname(import.meta.url)}`, import.meta.url);
  return new Piscina({
    filename: fileURLToPath(file),
    // A thread that is done waits for the next trial: to read all modules again costs more than most trials.
    minThreads: jobs,
    maxThreads: jobs,
    // As this process reads its modules, TypeScript or JavaScript, the threads do.
    execArgv: process.execArgv,
  });
}

function reportOf(
  { runs }: SelftestOptions,
  startedAt: string,
  results: ReadonlyMap<string, TrialResult>,
): SelftestReport {
  // In the order of the catalogue and of seeds, whichever was done first.
  const rank = new Map([...faults, ...checks].map(({ id }, index) => [id, index]));
  const rankOf = (result: TrialResult): number => rank.get(nameOfResult(result)) ?? 0;
  const all = [...results.values()].sort((a, b) => rankOf(a) - rankOf(b) || a.seed - b.seed);
  const lawful = all.filter((result): result is LawfulTrial => 'circumstances' in result);
  const broken = new Set(faults.map(({ rule }) => rule));
  return {
    format: 'docfeed-selftest/1',
    version: (createRequire(import.meta.url)('docfeed/package.json') as { version: string }).version,
    startedAt,
    runs,
    faults: all.filter((result): result is FaultTrial => 'id' in result),
    checks: all.filter((result): result is CheckTrial => 'check' in result),
    variations: lawful.filter((result) => result.circumstances === 'variation'),
    repeats: lawful.filter((result) => result.circumstances !== 'variation'),
    rulesWithoutFault: [...new Set(checks.map(({ rule }) => rule))].filter((rule) => !broken.has(rule)),
  };
}

const isSlow = (trial: Trial): boolean => trial.kind === 'repeat' && trial.slow;

/** Whether a result says all that the trial would. */
function answers(result: TrialResult | undefined, trial: Trial): boolean {
  if (!result) return false;
  return trial.kind !== 'fault' || !trial.whole || ('others' in result && result.others !== undefined);
}

/** A fault, a check, or circumstances with a profile. */
function nameOfResult(result: TrialResult): string {
  if ('id' in result) return result.id;
  return 'check' in result ? result.check : `${result.circumstances} ${result.profile}`;
}

const keyOf = (result: TrialResult): string =>
  `${'check' in result ? 'check ' : ''}${nameOfResult(result)} ${result.seed}`;

function keyOfTrial(trial: Trial): string {
  if ('id' in trial) return `${trial.kind === 'check' ? 'check ' : ''}${trial.id} ${trial.seed}`;
  const circumstances = trial.kind === 'variation' ? 'variation' : trial.circumstances;
  return `${circumstances} ${trial.profile} ${trial.seed}`;
}
