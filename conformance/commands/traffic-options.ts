/** The options of `docfeed proxy` and `docfeed judge`. */
import { type Command, Option } from 'commander';
import { dialects } from '../../openapi/generated/dialects.js';
import { reporterNames, type ReporterSpec } from '../../reports/reporters/spec.js';
import { addReporter } from './command-line.js';

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
    .addOption(
      new Option('--dialect <dialect>', 'target dialect (default: detected)').choices(Object.keys(dialects)),
    )
    .option('--service-version <version>', 'target version (default: detected)')
    .option('--single-copy', 'the target has one copy of each database (default: as it says itself)')
    .option('--required-claims <names>', 'claims that the target requires of tokens, separated by commas')
    .option('--bodies', 'show the content of documents in reports and recordings')
    .option('--baseline <file>', 'YAML file of known deviations')
    .option('--report-dir <dir>', 'directory for the report', 'docfeed-traffic/')
    .option(
      '--reporter <name[=file]>',
      `what to print or write to a file: ${reporterNames.join(', ')} (repeatable; default: default)`,
      addReporter,
    );
