/** Runs `docfeed consumer`. */
import { escapeInvisible } from '../../reports/escape.js';
import { formatEvent } from '../../reports/render/text.js';
import { exitCode } from '../../reports/report.js';
import { runConsumer, type ConsumerOptions } from '../consumer/run-consumer.js';
import { requireCommand } from '../consumer/command.js';
import { consumerChecks, tryPlainly } from '../consumer/suite.js';
import type { TrialOptions } from '../consumer/trial.js';
import { Violation } from '../engine/outcomes.js';
import { select, type Selection } from '../engine/select.js';
import { runInterruptibly } from './interruption.js';
import { prepareReporting, type ReportOptions, runAndReport } from './run-and-report.js';

/** The parsed options of `docfeed consumer`. */
export interface ConsumerCommandOptions extends ReportOptions, Omit<ConsumerOptions, 'command' | 'graceMs'> {
  /** In seconds. */
  grace: number;
  list?: boolean;
  try?: boolean;
}

/**
 * Runs the consumer once when nothing happens to it, and prints each event when it happens, and the verdict.
 *
 * @throws Refusal if the command cannot run
 */
export async function tryConsumer(
  command: readonly string[],
  {
    grace,
    targetDatabase = false,
    clockRate,
  }: Pick<ConsumerCommandOptions, 'grace' | 'targetDatabase' | 'clockRate'>,
): Promise<void> {
  requireCommand(command);
  const onEvent: TrialOptions['onEvent'] = (event) => process.stdout.write(`${formatEvent(event)}\n`);
  const { thrown } = await runInterruptibly('nothing is left to clean up', (signal) =>
    tryPlainly({ command, targetDatabase, graceMs: 1000 * grace, clockRate, signal, onEvent }),
  );
  const verdict = thrown ? escapeInvisible(thrown.message) : 'The consumer knows what it must know.';
  process.stdout.write(`\n${verdict}\n`);
  // As of a report: it does not survive, or nobody can judge it.
  if (thrown) process.exitCode = thrown instanceof Violation ? 1 : 3;
}

/** @throws Refusal if the options, a file or the command do not allow a run. */
export async function runConsumerCommand(
  command: readonly string[],
  { grace, ...options }: ConsumerCommandOptions,
): Promise<void> {
  const { ids, ...reporting } = await prepareReporting(options);
  const onMessage = options.verbose
    ? (line: string): void => void process.stderr.write(`${escapeInvisible(line)}\n`)
    : undefined;
  // Its report does not replace that of all other scenarios.
  const { only = options.clockRate === undefined ? undefined : ['*'] } = options;
  const report = await runInterruptibly('nothing is left to clean up', (interruption) =>
    runAndReport({ ...options, ...(only && { only }) }, { ...reporting, interruption }, (events) =>
      runConsumer({
        ...options,
        command,
        graceMs: 1000 * grace,
        ...events,
        ...(ids && { ids }),
        ...(onMessage && { onMessage }),
      }),
    ),
  );
  process.exitCode = exitCode(report, options.strict);
}

/** One line per scenario, or a JSON array. */
export function listScenarios(options: Selection & { json?: boolean }): string {
  const entries = select(consumerChecks, options).map(({ id, rule, scenario }) => ({
    scenario: id,
    rule,
    title: scenario.title,
  }));
  if (options.json) return `${JSON.stringify(entries, null, 2)}\n`;
  const width = Math.max(...entries.map(({ scenario }) => scenario.length));
  return entries.map(({ scenario, title }) => `${scenario.padEnd(width)}  ${title}\n`).join('');
}
