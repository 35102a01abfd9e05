/** `docfeed check URL...`: runs the suite. Results go to stdout, progress to stderr. */
import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import { dialects } from '../../openapi/generated/dialects.js';
import { type CheckResult, exitCode, type Report } from '../../reports/report.js';
import { defaultTargetFile } from '../client/target-options.js';
import type { ConformanceOptions } from '../index.js';
import { Refusal } from '../verdict/refusal.js';
import { isAbandoned, journalFolder, journalsIn } from '../configure/journal.js';
import {
  adminOption,
  parseCredentials,
  parseShard,
  prepareReportFolder,
  repeatable,
  runInterruptibly,
  wholeNumber,
  withExitCodes,
} from './command-line.js';
import { showProgress } from './progress.js';

interface Options extends Omit<
  ConformanceOptions,
  'urls' | 'admin' | 'onProgress' | 'signal' | 'deadlineMs' | 'shrinkMs' | 'profile'
> {
  admin?: string;
  profile: NonNullable<ConformanceOptions['profile']>;
  reportDir: string;
  strict?: boolean;
  list?: boolean;
  json?: boolean;
}

const afterHelp = `
Exit codes:
  0  all checked rules hold
  1  a rule is violated (with --strict also: a recommendation)
  2  invalid arguments, files or credentials
  3  the run could not decide: target unreachable, nothing checked, checks
     blocked or inconclusive

Examples:
  # check a server, with the administrator from the environment
  DOCFEED_ADMIN=admin:secret docfeed check http://127.0.0.1:5984

  # one case of one check per rule, in seconds
  docfeed check http://127.0.0.1:5984 --profile smoke

  # only the rules of the changes feed
  docfeed check http://127.0.0.1:5984 --only 'feed-*'

  # three nodes of one cluster, with permission to change their settings
  docfeed check http://db1:5984 http://db2:5984 http://db3:5984 --configure

  # rerun one failure with the token from the report
  docfeed check http://127.0.0.1:5984 --replay TOKEN`;

export function checkCommand(): Command {
  return new Command('check')
    .description('check a server against the rules of the specification')
    .argument('[url...]', 'base URL of the target (several URLs: nodes of one cluster)')
    .optionsGroup('Target options:')
    .addOption(adminOption())
    .addOption(
      new Option('--dialect <dialect>', 'target dialect (default: detected)').choices(Object.keys(dialects)),
    )
    .option('--service-version <version>', 'target version (default: detected)')
    .option(
      '--target <file>',
      `YAML file with keys, secrets and capabilities of the target (default: ${defaultTargetFile} if it exists)`,
    )
    .option('--claim <capability>', 'treat this capability as available (repeatable)', repeatable)
    .option('--deny <capability>', 'treat this capability as missing (repeatable)', repeatable)
    .option('--require <capability>', 'fail if checks lack this capability (repeatable)', repeatable)
    .option('--configure', 'let the run change settings of the target, and restore them at the end')
    .optionsGroup('Selection options:')
    .option('--only <glob>', 'run only checks whose id or rule matches (repeatable)', repeatable)
    .option('--skip <glob>', 'run no checks whose id or rule matches (repeatable)', repeatable)
    .option('--shard <i/n>', 'run only part i of n parts of the checks, such as 2/4', parseShard)
    .option('--replay <token>', 'rerun one failure from a report')
    .option('--list', 'list the selected checks without running them')
    .optionsGroup('Run options:')
    .addOption(
      new Option(
        '--profile <profile>',
        'generated cases per property: 1, 20 or 200; smoke runs one check per rule',
      )
        .choices(['smoke', 'default', 'thorough'])
        .default('default'),
    )
    .option(
      '--seed <n>',
      'seed of all generated cases (default: random)',
      wholeNumber(-(2 ** 31), 2 ** 31 - 1),
    )
    .option(
      '--runs <n>',
      'generated cases per property (default: as the profile says)',
      wholeNumber(1, 1_000_000),
    )
    .option('--concurrency <n>', 'number of checks to run concurrently', wholeNumber(1, 200), 4)
    .optionsGroup('Report options:')
    .option('--baseline <file>', 'YAML file of known deviations')
    .option('--strict', 'exit with 1 if a recommendation does not hold')
    .option('--report-dir <dir>', 'directory for the report', 'docfeed-report/')
    .option('--json', 'print the report as JSON (with --list: the checks)')
    .optionsGroup('Other options:')
    .helpOption('-h, --help', 'display help for command')
    .addHelpText('after', afterHelp)
    .action(withExitCodes(runCheck));
}

async function runCheck(urls: readonly string[], options: Options): Promise<void> {
  if (options.list) {
    const { formatList } = await import('./list.js');
    process.stdout.write(formatList(options, options.json === true));
    return;
  }
  if (urls.length === 0) {
    throw new Refusal('usage', 'missing the URL of the target, such as http://127.0.0.1:5984');
  }
  const admin = parseCredentials(options.admin);
  await prepareReportFolder(options.reportDir);
  await warnAboutAbandonedRuns();

  const result = await runInterruptibly((signal) => runWithProgress({ ...options, urls, admin, signal }));
  const { folderFor, writeReport } = await import('../../reports/write.js');
  const reportDir = await folderFor(result, options.reportDir, partNameOf(options));
  const report = await writeReport(result, reportDir);
  if (options.json) {
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else {
    const { renderTerminal, showsColour } = await import('../../reports/render/terminal.js');
    const colour = showsColour(process.stdout);
    process.stdout.write(renderTerminal(report, { colour, reportDir }));
    if (options.replay !== undefined) process.stdout.write(describeReplay(report.checks[0]));
  }
  process.exitCode = exitCode(report, options.strict);
}

async function runWithProgress(options: ConformanceOptions): Promise<Report> {
  // The suite takes long to load. It is imported here so that help and usage errors appear immediately.
  const { runConformance } = await import('../index.js');
  const progress = await showProgress(process.stderr);
  let failed = 0;
  try {
    return await runConformance({
      ...options,
      target: options.target ?? (existsSync(defaultTargetFile) ? defaultTargetFile : undefined),
      journalDir: journalFolder(),
      onProgress({ result, done, total }) {
        if (result.outcome === 'fail') failed += 1;
        progress.update({ name: result.id, done, total, failed });
      },
    });
  } finally {
    progress.stop();
  }
}

/** @returns the name of the subfolder for a run of only some checks, which must not replace the report of a full run. */
function partNameOf({ replay, only, skip }: Options): string | undefined {
  if (replay !== undefined) return 'replay';
  return only || skip ? 'selection' : undefined;
}

/** A killed run cannot say that it left something behind, so the next run does. */
async function warnAboutAbandonedRuns(): Promise<void> {
  const journals = await journalsIn(journalFolder());
  const count = journals.filter(isAbandoned).length;
  if (count > 0) {
    const runs = count === 1 ? '1 killed run' : `${count} killed runs`;
    process.stderr.write(`docfeed: run \`docfeed restore\` to clean up after ${runs}\n`);
  }
}

function describeReplay(result: CheckResult | undefined): string {
  if (result?.outcome === 'pass') return 'replay: fixed\n';
  if (result?.outcome === 'fail' || result?.outcome === 'warn') return 'replay: still failing\n';
  return 'replay: not decided\n';
}
