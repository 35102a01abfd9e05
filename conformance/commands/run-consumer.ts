/** Runs `docfeed consumer`. */
import { escapeInvisible } from '../../reports/escape.js';
import { exitCode } from '../../reports/report.js';
import { runConsumer, type ConsumerOptions } from '../consumer/run-consumer.js';
import { consumerChecks } from '../consumer/suite.js';
import { select, type Selection } from '../engine/select.js';
import { runInterruptibly } from './interruption.js';
import { prepareReporting, type ReportOptions, runAndReport } from './run-and-report.js';

/** The parsed options of `docfeed consumer`. */
export interface ConsumerCommandOptions extends ReportOptions, Omit<ConsumerOptions, 'command' | 'graceMs'> {
  /** In seconds. */
  grace: number;
  list?: boolean;
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
  const report = await runInterruptibly('nothing is left to clean up', (interruption) =>
    runAndReport(options, { ...reporting, interruption }, (events) =>
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
