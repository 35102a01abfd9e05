/** The parsed options of `docfeed consumer`. */
import type { ConsumerOptions } from '../consumer/run-consumer.js';
import type { ReportOptions } from './run-and-report.js';

export interface ConsumerCommandOptions extends ReportOptions, Omit<ConsumerOptions, 'command' | 'graceMs'> {
  /** In seconds. */
  grace: number;
  list?: boolean;
}
