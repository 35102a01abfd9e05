/** The parsed options of `docfeed check`. */
import type { ReporterSpec } from '../../reports/reporters/spec.js';
import type { ConformanceOptions } from '../target/options.js';

export interface CheckOptions extends Omit<
  ConformanceOptions,
  | 'urls'
  | 'admin'
  | 'maxBodyBytes'
  | 'ids'
  | 'onBegin'
  | 'onProgress'
  | 'signal'
  | 'deadlineMs'
  | 'shrinkMs'
  | 'profile'
> {
  admin?: string;
  /** In bytes. */
  maxBody?: number;
  profile: NonNullable<ConformanceOptions['profile']>;
  lastFailed?: boolean;
  bail?: boolean;
  watch?: boolean;
  watchFile?: readonly string[];
  reporter?: readonly ReporterSpec[];
  reportDir: string;
  strict?: boolean;
  list?: boolean;
  explain?: string;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

/** The options of the command line and of the library together, for the runs of one call of `docfeed check`. */
export interface CheckRunOptions extends Omit<CheckOptions, 'admin'>, ConformanceOptions {
  admin?: ConformanceOptions['admin'];
  profile: CheckOptions['profile'];
}
