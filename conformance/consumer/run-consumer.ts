/** Runs the scenarios with one consumer. */
import { setMaxListeners } from 'node:events';
import type { Report } from '../../reports/report.js';
import { reducingHistories } from '../arbitraries/reduce.js';
import { measureCost } from '../engine/cost.js';
import type { RunOptions } from '../engine/run-options.js';
import { planRun, runPlan } from '../engine/plan.js';
import { Refusal } from '../engine/refusal.js';
import { buildReport } from '../engine/report.js';
import { loadDescription } from '../http/description.js';
import { requireCommand } from './command.js';
import { clockRates } from './scenario.js';
import { consumerChecks, consumerEnvironment, consumerRules, scenariosToSkip } from './suite.js';

/** Options of `runConsumer` and `consumerScenarios`. Only `command` is required. */
export interface ConsumerOptions extends RunOptions {
  /** The program of the consumer and its arguments. */
  command: readonly string[];
  /**
   * Whether the consumer writes to the database in `DOCFEED_TARGET_URL` instead of saying what it knows. Default: false.
   */
  targetDatabase?: boolean;
  /** Time without progress after which a consumer is not going to learn more, in milliseconds. Default: 5 s. */
  graceMs?: number;
  /**
   * How many times as fast as the real one the clock of the command is, from 20 to 120: the command makes it so, as
   * `faketime -f '+0 x60' node follower.js`. Then only the scenarios run that take an hour of it. Default: it is the real
   * one, and these do not run.
   */
  clockRate?: number;
  /** Called with each line that the consumer writes to its standard error. */
  onMessage?: (line: string) => void;
}

const defaultGraceMs = 5000;

/** A scenario waits for grace periods, for silent connections and for what a consumer waits, and its history is shrunk. In milliseconds. */
const deadlines = { deadlineMs: 600_000, shrinkMs: 30_000 };

/**
 * Runs the consumer in each scenario, beside a server of its own, and compares what it knows with the truth.
 *
 * @throws Refusal if the options, a file or the command do not allow a run
 */
export async function runConsumer(options: ConsumerOptions): Promise<Report> {
  const startedAt = new Date();
  const costOf = measureCost();
  const { command, targetDatabase = false, graceMs = defaultGraceMs, clockRate, onMessage } = options;
  const { signal = new AbortController().signal, concurrency, ...unlimited } = options;
  // Each running scenario listens to the signal.
  setMaxListeners(0, signal);
  requireCommand(command);
  const [least, most] = clockRates;
  if (clockRate !== undefined && !(clockRate >= least && clockRate <= most)) {
    throw new Refusal('usage', `the clock rate must be from ${least} to ${most}`);
  }
  const reported = [
    ...(targetDatabase ? ['--target-database'] : []),
    ...(clockRate === undefined ? [] : [`--clock-rate=${clockRate}`]),
  ];
  const skip = [...(options.skip ?? []), ...scenariosToSkip(clockRate, options)];
  const plan = await planRun({ ...options, skip }, consumerChecks, reported);
  const target = { url: 'http://127.0.0.1/', dialect: 'service' } as const;
  const run = await runPlan(
    plan,
    consumerEnvironment({ command, targetDatabase, graceMs, clockRate, onMessage }, concurrency),
    { ...deadlines, ...unlimited },
    { target, signal, adapt: reducingHistories },
  );
  const requests = run.results.reduce((sum, result) => sum + result.requests, 0);
  const databases = run.results.reduce((sum, result) => sum + result.cases, 0);
  return buildReport({
    startedAt,
    plan,
    run,
    rules: consumerRules,
    options: reported,
    shard: options.shard,
    cost: costOf({ requests, databases, sentBytes: 0, receivedBytes: 0 }),
    sent: { requests, resends: { broken: 0, limited: 0 } },
    specification: loadDescription(target.dialect).version,
    target: { ...target, consumer: [...command], greeting: null, capabilities: [] },
    warnings: (ofEngine) => [...ofEngine],
    redact: (text) => text,
  });
}
