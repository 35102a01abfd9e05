/** The parsed options of `docfeed check`. */
import type { ConformanceOptions } from '../target/options.js';
import type { ReportOptions } from './run-and-report.js';

export interface CheckOptions extends ReportOptions, Omit<ConformanceOptions, 'urls' | 'admin'> {
  admin?: string;
  profile: NonNullable<ConformanceOptions['profile']>;
  watch?: boolean;
  watchFile?: readonly string[];
  list?: boolean;
  explain?: string;
}
