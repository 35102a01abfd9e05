/** Scenarios for consumers as a library: `import { consumerScenarios } from 'docfeed/consumer'`. */
import { type ConformanceRun, startRun } from '../start-conformance.js';
import { type ConsumerOptions, runConsumer } from './run-consumer.js';

export { exitCode } from '../../reports/report.js';
export type { CheckResult, Outcome, Report } from '../../reports/report.js';
export { writeReport } from '../../reports/write.js';
export { Refusal } from '../engine/refusal.js';
export { CheckFailed, type ConformanceRun } from '../start-conformance.js';
export { type ConsumerOptions, runConsumer } from './run-consumer.js';

/**
 * Starts the scenarios with a consumer, each beside a server of its own, and returns when they are known. A test runner
 * can then show each scenario as a test: `run.checks` has their ids, and `run.verify(id)` rejects if the consumer does not
 * survive one.
 *
 * @throws Refusal if the options, a file or the command do not allow a run
 */
export function consumerScenarios(options: ConsumerOptions): Promise<ConformanceRun> {
  return startRun(options, runConsumer, `docfeed consumer --replay TOKEN -- ${options.command.join(' ')}`);
}
