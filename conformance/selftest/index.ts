/** The self-test: checks that the suite finds every fault and passes every conforming server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pMap from 'p-map';
import picomatch from 'picomatch';
import { Piscina } from 'piscina';
import coerce from 'semver/functions/coerce.js';
import compare from 'semver/functions/compare.js';
import { feedAdditions } from '../../openapi/generated/feed-parameters.js';
import { rules } from '../../openapi/generated/rules.js';
import { currentEnvironment, docfeedVersion } from '../../reports/origin.js';
import type { CheckTrial, FaultTrial, ConformingTrial, SelftestReport } from '../../reports/selftest.js';
import type { Profile } from '../engine/check.js';
import { checks } from '../rules/checks.js';
import { faults } from '../rules/faults.js';
import { Refusal } from '../engine/refusal.js';
import { suggestion } from '../../reports/suggestion.js';
import { keepMachineBusy } from './conditions.js';
import { lackTrials, withoutPrefix } from './lacking.js';
import { busyMachine, slowNetwork, type Trial, type TrialResult } from './fault-trial.js';

export interface SelftestOptions {
  /** Globs over the ids of faults and of their rules. Default: all faults. */
  readonly only?: readonly string[];
  /** Number of seeds for each fault. */
  readonly seeds: number;
  /**
   * Number of conforming variations of the server. Default: 50, or 0 with `only`. Unless it is 0 or `only` is given, each
   * older version of the server is tried, too, and the server without each feature that it can lack.
   */
  readonly variations?: number;
  /**
   * Number of runs on a busy machine, and of runs over a slow network. Also the number of seeds with which each fault in
   * a period is tried on a busy machine: no check may pass there, but it may be undecided.
   */
  readonly repeat: number;
  /** The profile of runs against a conforming server. With `thorough`, each fault is checked with the whole suite. */
  readonly profile: Profile;
  /** The first seed. */
  readonly seed: number;
  /** Number of generated cases per property against a fault. Default: those of the profile `default`. */
  readonly cases?: number;
  /** Number of concurrent trials. Default: one per core. */
  readonly jobs?: number;
  /** The report of an earlier self-test; its trials are not repeated. */
  readonly known?: SelftestReport;
  readonly signal?: AbortSignal;
  /** The command line, for the report. */
  readonly command: string;
  /** Called after each trial with the report of all trials so far. */
  readonly onProgress?: (progress: Progress) => Promise<void>;
}

export interface Progress {
  readonly name: string;
  readonly done: number;
  readonly total: number;
  readonly report: SelftestReport;
}

/** Every version that changed the service (SERVICE 9), and one before them. */
export const serviceVersions: readonly string[] = [
  '0.10.0',
  ...[...new Set([...feedAdditions, ...rules].flatMap(({ since = [] }) => since))].sort((a, b) =>
    compare(coerce(a)!, coerce(b)!),
  ),
];

/**
 * Runs the trials that `known` does not contain.
 *
 * @throws Refusal if a pattern of `only` matches no fault.
 */
export async function selftest(options: SelftestOptions): Promise<SelftestReport> {
  const { jobs = availableParallelism(), known, onProgress, signal } = options;
  const results = new Map<string, TrialResult>();
  if (known) {
    const { faults, busyFaults = [], checks, variations, repeats, lacking = [], lackingFaults = [] } = known;
    const ofFaults = [...faults, ...busyFaults, ...lackingFaults];
    for (const result of [...ofFaults, ...checks, ...variations, ...lacking, ...repeats])
      results.set(keyOf(result), result);
  }
  const planned = new Set(results.keys());
  const withoutResult = (trials: readonly Trial[]): Trial[] => {
    trials.forEach((trial) => planned.add(keyOf(trial)));
    return trials.filter((trial) => !isComplete(results.get(keyOf(trial)), trial));
  };
  const origin = {
    startedAt: known?.startedAt ?? new Date().toISOString(),
    environment: currentEnvironment(),
    command: options.command,
  };
  const report = () => reportOf(options, origin, results);

  const trials = withoutResult(trialsOf(options));
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-selftest-'));
  // A thread loads all modules, which takes longer than most trials.
  const pool = startThreads(Math.min(jobs, Math.max(1, trials.length)), folder);
  let ended: Promise<void> | undefined;
  const endThreads = (): Promise<void> => (ended ??= pool.destroy());
  signal?.addEventListener('abort', () => void endThreads());
  const run = async (trial: Trial): Promise<void> => {
    if (signal?.aborted) return;
    const result = await (pool.run(trial) as Promise<TrialResult>).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
    if (!result) return;
    results.set(keyOf(result), result);
    await onProgress?.({ name: keyOf(trial), done: results.size, total: planned.size, report: report() });
  };
  const runAll = (some: readonly Trial[], concurrency = jobs) => pMap(some, run, { concurrency });
  try {
    const onBusyMachine = trials.filter(needsBusyMachine);
    await runAll(trials.filter((trial) => !needsBusyMachine(trial) && !isRepeat(trial)));
    await runAll(withoutResult(checkTrialsOf(options, report())));
    await runAll(trials.filter((trial) => !needsBusyMachine(trial) && isRepeat(trial)));
    // What the load of the other trials may have caused is tried again alone, and counts if it stays so.
    await runAll(
      trials.filter((trial) => !needsBusyMachine(trial) && mayBeLoad(results.get(keyOf(trial)))),
      1,
    );
    if (onBusyMachine.length > 0) {
      const relieveMachine = keepMachineBusy();
      await runAll(onBusyMachine, 1).finally(relieveMachine);
    }
  } finally {
    await endThreads();
    await rm(folder, { recursive: true, force: true });
  }
  return report();
}

const needsBusyMachine = (trial: Trial): boolean =>
  'circumstances' in trial ? trial.circumstances === busyMachine : 'busy' in trial && trial.busy === true;

/** Whether the result may be that of a busy machine: checks could not decide, or ran too few cases to tell a baseline apart. */
function mayBeLoad(result: TrialResult | undefined): boolean {
  if (result === undefined) return false;
  if ('alarms' in result)
    return result.alarms.length > 0 && result.alarms.every(({ outcome }) => outcome === 'inconclusive');
  return 'outcome' in result && (result.outcome === 'undecided' || result.hiddenBy !== undefined);
}

/** Rules with a check that measures a period. */
const periodRules = new Set<string>(checks.filter(({ waits }) => waits === 'period').map(({ rule }) => rule));

function trialsOf(options: SelftestOptions): Trial[] {
  const { only, seeds, variations = only ? 0 : 50, repeat, profile, seed: firstSeed, cases } = options;
  const isSelected = only ? picomatch([...only]) : () => true;
  const names = [...new Set(faults.flatMap(({ id, rule }) => [id, rule]))];
  const unmatched = only?.find((pattern) => !names.some((name) => picomatch.isMatch(name, pattern)));
  if (unmatched !== undefined) {
    throw new Refusal('usage', `--only ${unmatched} matches no fault${suggestion(unmatched, names)}`);
  }
  const whole = profile === 'thorough';
  const seedsFrom = (count: number) => Array.from({ length: count }, (_, index) => firstSeed + index);
  const selected = faults.filter(({ id, rule }) => isSelected(id) || isSelected(rule));
  const inPeriods = selected.filter(({ rule }) => periodRules.has(rule));
  return [
    // The longest trials start first, so that few of them run alone at the end.
    ...seedsFrom(variations).map((seed): Trial => ({
      circumstances: 'variation',
      seed,
      profile,
      server: { vary: seed },
    })),
    ...(only || variations === 0 ? [] : lackTrials(firstSeed, profile)),
    ...(only || variations === 0 ? [] : serviceVersions).map((serviceVersion): Trial => ({
      circumstances: `version ${serviceVersion}`,
      seed: firstSeed,
      profile,
      server: { serviceVersion },
    })),
    ...seedsFrom(seeds).flatMap((seed) => selected.map(({ id }): Trial => ({ id, seed, cases, whole }))),
    ...seedsFrom(repeat).flatMap((seed) =>
      inPeriods.map(({ id }): Trial => ({ id, seed, cases, whole: false, busy: true })),
    ),
    ...seedsFrom(repeat).flatMap((seed) =>
      [busyMachine, slowNetwork].map((circumstances): Trial => ({ circumstances, seed, profile })),
    ),
  ];
}

/** Trials of the checks that no fault has made fail, for rules whose faults have all been tried. */
function checkTrialsOf({ seed, cases }: SelftestOptions, report: SelftestReport): Trial[] {
  const failed = new Set(report.faults.flatMap(({ by }) => by));
  const tried = new Set(report.faults.map(({ id }) => id));
  const incomplete = new Set(faults.filter(({ id }) => !tried.has(id)).map(({ rule }) => rule));
  return checks
    .filter(({ id, rule }) => !incomplete.has(rule) && !failed.has(id))
    .map(({ id, rule }): Trial => ({ check: id, rule, seed, cases }));
}

/** @param folder for temporary files, also those of threads that are ended in the middle of a trial */
function startThreads(count: number, folder: string): Piscina {
  const file = new URL(`./fault-trial${extname(import.meta.url)}`, import.meta.url);
  return new Piscina({
    filename: fileURLToPath(file),
    // Idle threads stay, since a new one has to load all modules again.
    minThreads: count,
    maxThreads: count,
    // Threads load TypeScript if this process does.
    execArgv: process.execArgv,
    env: { ...process.env, TMPDIR: folder, TEMP: folder },
  });
}

function reportOf(
  { cases }: SelftestOptions,
  origin: Pick<SelftestReport, 'startedAt' | 'environment' | 'command'>,
  results: ReadonlyMap<string, TrialResult>,
): SelftestReport {
  // In the order of the catalogue and of seeds, since trials end in any order.
  const rank = new Map([...faults, ...checks].map(({ id }, index) => [id, index]));
  const rankOf = (result: TrialResult): number => rank.get(nameOf(result)) ?? 0;
  const all = [...results.values()].sort((a, b) => rankOf(a) - rankOf(b) || a.seed - b.seed);
  const conforming = all.filter((result): result is ConformingTrial => 'circumstances' in result);
  const broken = new Set(faults.map(({ rule }) => rule));
  const ofFaults = all.filter((result): result is FaultTrial => 'id' in result);
  const busyFaults = ofFaults.filter(({ busy }) => busy);
  const lackingFaults = ofFaults.filter(({ lack }) => lack !== undefined);
  const lacking = conforming.filter(isLacking);
  return {
    format: 'docfeed-selftest/1',
    version: docfeedVersion,
    ...origin,
    cases,
    faults: ofFaults.filter(({ busy, lack }) => !busy && lack === undefined),
    ...(busyFaults.length > 0 && { busyFaults }),
    checks: all.filter((result): result is CheckTrial => 'check' in result),
    variations: conforming.filter((result) => !isRepeat(result) && !isLacking(result)),
    ...(lacking.length > 0 && { lacking }),
    ...(lackingFaults.length > 0 && { lackingFaults }),
    repeats: conforming.filter(isRepeat),
    rulesWithoutFault: [...new Set(checks.map(({ rule }) => rule))].filter((rule) => !broken.has(rule)),
  };
}

const isRepeat = (one: Trial | TrialResult): boolean =>
  'circumstances' in one && [busyMachine, slowNetwork].includes(one.circumstances);

const isLacking = ({ circumstances }: ConformingTrial): boolean => circumstances.startsWith(withoutPrefix);

/** Whether an earlier result has everything that the trial would report. */
function isComplete(result: TrialResult | undefined, trial: Trial): boolean {
  if (!result) return false;
  return !('whole' in trial && trial.whole) || ('others' in result && result.others !== undefined);
}

/** The id of a fault or a check, or circumstances with a profile. */
function nameOf(one: Trial | TrialResult): string {
  if ('id' in one) return one.id;
  return 'check' in one ? one.check : `${one.circumstances} ${one.profile}`;
}

function keyOf(one: Trial | TrialResult): string {
  const prefix = 'check' in one ? 'check ' : 'busy' in one && one.busy ? 'busy ' : '';
  const suffix = 'lack' in one && one.lack !== undefined ? ` ${withoutPrefix}${one.lack}` : '';
  return `${prefix}${nameOf(one)} ${one.seed}${suffix}`;
}
