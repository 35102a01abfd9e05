/** The options of `docfeed proxy` and `docfeed judge`. */
import type { Command } from 'commander';
import type { dialects } from '../../openapi/generated/dialects.js';
import type { ReporterSpec } from '../../reports/reporters/spec.js';
import { dialectOption, reporterOption } from './command-line.js';

export interface TrafficOptions {
  dialect?: keyof typeof dialects;
  serviceVersion?: string;
  singleCopy?: boolean;
  requiredClaims?: string;
  bodies?: boolean;
  baseline?: string;
  reportDir: string;
  reporter?: readonly ReporterSpec[];
}

export interface ProxyCommandOptions extends TrafficOptions {
  target: string;
  port: number;
  host: string;
  record?: string;
  every?: number;
  adminPort?: number;
  quiet?: boolean;
}

export interface JudgeCommandOptions extends TrafficOptions {
  target?: string;
}

/** Adds the options that both commands have. */
export const withTrafficOptions = (command: Command): Command =>
  command
    .addOption(dialectOption())
    .option('--service-version <version>', 'target version (default: detected)')
    .option('--single-copy', 'the target has one copy of each database (default: as it says itself)')
    .option('--required-claims <names>', 'claims that the target requires of tokens, separated by commas')
    .option('--bodies', 'show the content of documents in reports and recordings')
    .option('--baseline <file>', 'YAML file of known deviations')
    .option('--report-dir <dir>', 'folder for the report', 'docfeed-traffic/')
    .addOption(reporterOption());
