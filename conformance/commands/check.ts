/** `docfeed check URL...`: the suite on the command line. Results go to stdout, progress to stderr. */
import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type CheckResult, exitCode, type Report } from '../../reports/report.js';
import { makeFolder } from '../../reports/folder.js';
import { defaultTargetFile } from '../client/target-options.js';
import type { ConformanceOptions } from '../index.js';
import { Refusal } from '../verdict/refusal.js';
import { isAbandoned, journalFolder, journalsIn } from '../configure/journal.js';
import { adminOption, credentials, refusing } from './command-line.js';
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

export function checkCommand(): Command {
  return new Command('check')
    .description('check a server against the rules of the specification')
    .argument('[url...]', 'base URL of the target; several are nodes of one cluster')
    .addOption(adminOption())
    .addOption(
      new Option('--dialect <dialect>', 'words of the target, unless as in its greeting').choices([
        'service',
        'couchdb',
      ]),
    )
    .option('--service-version <version>', 'version of the target, unless as in its greeting')
    .option(
      '--target <file>',
      `YAML of what the target offers (default: ${defaultTargetFile}, if it is there)`,
    )
    .option('--claim <capability>', 'the target offers this; can be given again', another)
    .option('--deny <capability>', 'the target lacks this; can be given again', another)
    .option('--configure', 'let the run change settings of the target, and put them back')
    .option('--only <glob>', 'only checks whose id, or whose rule, fits; can be given again', another)
    .option('--skip <glob>', 'no checks whose id, or whose rule, fits; can be given again', another)
    .addOption(
      new Option(
        '--profile <profile>',
        'generated cases of each property: 1, 20 or 200, and fewer where it waits; smoke has one check of each rule',
      )
        .choices(['smoke', 'default', 'thorough'])
        .default('default'),
    )
    .option('--seed <n>', 'of everything generated, to repeat a run', seed)
    .option('--runs <n>', 'generated cases of each rule, instead of those of the profile', positive)
    .option('--concurrency <n>', 'checks that run beside each other', positive, 4)
    .option('--shard <i/n>', 'the i-th of n parts of the checks', shard)
    .option('--baseline <file>', 'YAML list of known deviations: check, reason, link')
    .option('--strict', 'a warning fails the run')
    .option('--replay <token>', 'only the case that a report gives this token for')
    .option('--report-dir <dir>', 'where the report is written', 'docfeed-report/')
    .option('--list', 'list the selected checks and do nothing')
    .option('--json', 'print the report, or the list, as JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 all rules hold, 1 a rule is violated, 2 the command line or a file is wrong,\n' +
        '3 the run could not decide.',
    )
    .action(refusing(act));
}

async function act(urls: readonly string[], options: Options): Promise<void> {
  if (options.list) {
    const { list } = await import('./list.js');
    process.stdout.write(list(options, options.json === true));
    return;
  }
  if (urls.length === 0) throw new Refusal('usage', 'give the URL of a target');
  const admin = credentials(options.admin);
  await makeWritable(options.reportDir);
  await tellOfLeftovers();

  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  // Once: a second Ctrl-C ends the program at once, as people expect.
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  // The suite is loaded for a run only, so that help is there at once.
  const { runConformance } = await import('../index.js');
  const progress = await showProgress(process.stderr);
  let failed = 0;
  let report: Report;
  try {
    report = await runConformance({
      ...options,
      urls,
      admin,
      target: options.target ?? (existsSync(defaultTargetFile) ? defaultTargetFile : undefined),
      journalDir: journalFolder(),
      signal: interrupted.signal,
      onProgress({ result, done, total }) {
        if (result.outcome === 'fail') failed += 1;
        progress.update({ name: result.id, done, total, failed });
      },
    });
  } finally {
    progress.stop();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }

  const { writeReport } = await import('../../reports/write.js');
  report = await writeReport(report, options.reportDir);
  if (options.json) {
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else {
    const { renderTerminal, showsColour } = await import('../../reports/render/terminal.js');
    const colour = showsColour(process.stdout);
    process.stdout.write(renderTerminal(report, { colour, reportDir: options.reportDir }));
    if (options.replay !== undefined) process.stdout.write(replayed(report.checks[0]));
  }
  process.exitCode = exitCode(report, options.strict);
}

/** Runs that were killed are easily forgotten. */
async function tellOfLeftovers(): Promise<void> {
  const files = await journalsIn(journalFolder());
  const left = files.filter(isAbandoned).length;
  if (left > 0)
    process.stderr.write(`docfeed: \`docfeed restore\` cleans up what ${left} killed run(s) left\n`);
}

/** Before the run, so that nobody waits for results that then have no place. */
async function makeWritable(dir: string): Promise<void> {
  try {
    await makeFolder(dir);
    await access(dir, constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refusal('file', `cannot write to report directory ${dir}: ${code ?? message}`);
  }
}

function replayed(result: CheckResult | undefined): string {
  if (result?.outcome === 'pass') return 'replay: fixed\n';
  if (result?.outcome === 'fail' || result?.outcome === 'warn') return 'replay: still failing\n';
  return 'replay: not decided\n';
}

/** Not a variadic option, which would take a URL after it for another pattern. */
const another = (text: string, before: readonly string[] = []): string[] => [...before, text];

function positive(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a number of 1 or more.');
  return Number(text);
}

function seed(text: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value !== (value | 0)) {
    throw new InvalidArgumentError('It must be a 32-bit integer.');
  }
  return value;
}

function shard(text: string): { index: number; count: number } {
  const [, index, count] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (!index || !count || index > count) throw new InvalidArgumentError('It must be I/N with I from 1 to N.');
  return { index, count };
}
