/** The command line of `docfeed check URL...`. Results go to stdout, progress to stderr. */
import { Command, Option } from 'commander';
import { defaultCases, defaultConcurrency } from '../engine/run-options.js';
import { parseSize } from './byte-size.js';
import type { CheckOptions } from './run-check.js';
import {
  adminOption,
  concurrencyOption,
  defaultTargetFile,
  dialectOption,
  parseSeconds,
  parseShard,
  profileOption,
  repeatable,
  reporterOption,
  seedOption,
  wholeNumber,
} from './command-line.js';

const { smoke, default: usual, thorough } = defaultCases;
const casesByProfile = `${smoke}, ${usual} or ${thorough}`;

const afterHelp = `
Exit codes:
  0  all checked rules hold
  1  a rule is violated (with --strict also: a recommendation)
  2  invalid arguments, files or credentials
  3  the run could not decide: target unreachable, nothing checked, checks
     blocked or inconclusive, run interrupted
     (under npx, Ctrl-C makes npm exit with 130 instead)

Examples:
  # check a server, with the administrator from the environment
  DOCFEED_ADMIN=admin:secret docfeed check http://127.0.0.1:5984

  # the same, where docfeed.target.yaml has: check: { url: http://127.0.0.1:5984, profile: smoke }
  docfeed check

  # check a server in production: nothing is written
  docfeed check https://db.example.org --read-only --database orders --database invoices

  # one case of one check per rule, in seconds
  docfeed check http://127.0.0.1:5984 --profile smoke

  # only the rules of the changes feed
  docfeed check http://127.0.0.1:5984 --only 'feed-*'

  # three nodes of one cluster, with permission to change their settings
  docfeed check http://db1:5984 http://db2:5984 http://db3:5984 --configure

  # what failed last, until something fails again
  docfeed check http://127.0.0.1:5984 --last-failed --bail

  # why a rule failed in the last run
  docfeed check --explain feed-pending

  # while you work on a server: again after each restart and each change in src
  docfeed check http://127.0.0.1:5984 --watch --watch-file src

  # while you build a server: what to build next, again after each change in src
  docfeed check http://127.0.0.1:5984 --bring-up --watch --watch-file src

  # in GitHub Actions: annotations, the summary of the job, and a file for other tools
  docfeed check http://127.0.0.1:5984 --reporter github --reporter junit=junit.xml

  # rerun one failure with the token from the report
  docfeed check http://127.0.0.1:5984 --replay TOKEN`;

/** Options for what a run that only reads does not do. */
const withoutReadOnly = [
  'target',
  'have',
  'lack',
  'require',
  'configure',
  'only',
  'skip',
  'shard',
  'replay',
  'lastFailed',
  'list',
  'profile',
  'seed',
  'cases',
  'concurrency',
  'maxBody',
  'bail',
  'bringUp',
  'watch',
  'watchFile',
  'explain',
];

export function checkCommand(): Command {
  return new Command('check')
    .description('check a server against the rules of the specification')
    .argument('[url...]', 'base URL of the target (several URLs: nodes of one cluster)')
    .optionsGroup('Target options:')
    .addOption(adminOption())
    .addOption(dialectOption())
    .option('--service-version <version>', 'target version (default: detected)')
    .option(
      '--target <file>',
      `YAML file with keys, secrets and capabilities of the target, and under \`check\` the URL and options of each run (default: ${defaultTargetFile} if it exists)`,
    )
    .option(
      '--database <name>',
      'write to this database, which exists, instead of to databases of the run; its documents stay as they are; ' +
        'with --read-only: read its feed (repeatable)',
      repeatable,
    )
    .option('--have <capability>', 'treat this capability as available (repeatable)', repeatable)
    .option('--lack <capability>', 'treat this capability as missing (repeatable)', repeatable)
    .option('--require <capability>', 'fail if checks lack this capability (repeatable)', repeatable)
    .option('--configure', 'let the run change settings of the target, and restore them at the end')
    .optionsGroup('Options for a server that must not be written to:')
    .addOption(
      new Option(
        '--read-only',
        'send only requests that change nothing to the databases of --database, and judge the responses; ' +
          '--admin may be any user who can read them',
      ).conflicts(withoutReadOnly),
    )
    .option(
      '--max-rows <n>',
      'the greatest number of rows of a feed that a request asks for (default: 1000)',
      wholeNumber(1, 100_000),
    )
    .addOption(
      new Option('--token <jwt>', 'token that the target accepts (repeatable)')
        .env('DOCFEED_TOKEN')
        .argParser(repeatable),
    )
    .option('--single-copy', 'the target has one copy of each database (default: as it says itself)')
    .option('--required-claims <names>', 'claims that the target requires of tokens, separated by commas')
    .option('--bodies', 'show the content of documents in the report, and use it in selectors')
    .optionsGroup('Selection options:')
    .option('--only <glob>', 'run only checks whose id or rule matches (repeatable)', repeatable)
    .option('--skip <glob>', 'run no checks whose id or rule matches (repeatable)', repeatable)
    .option('--shard <i/n>', 'run only part i of n parts of the checks, such as 2/4', parseShard)
    .option('--replay <token>', 'rerun one failure from a report')
    .option('--last-failed', 'run only the checks that failed in the last report of --report-dir')
    .option('--list', 'list the selected checks without running them')
    .optionsGroup('Run options:')
    .addOption(
      profileOption(`generated cases per property: ${casesByProfile}; smoke runs one check per rule`),
    )
    .addOption(seedOption('cases'))
    .option(
      '--cases <n>',
      'generated cases per property (default: as the profile says)',
      wholeNumber(1, 1_000_000),
    )
    .addOption(concurrencyOption('checks', `${defaultConcurrency}, and more over a slow line`))
    .option(
      '--max-body <size>',
      'length of the longest response that is read, such as 16MiB, or a number of bytes (default: 64MiB)',
      parseSize,
    )
    .option(
      '--timeout <seconds>',
      'time in which the target must answer a request that need not wait, while it answers others (default: 5; with --read-only: 30)',
      parseSeconds,
    )
    .option(
      '--max-rate <n>',
      'the greatest number of requests that the target gets in a second (default: any; with --read-only: 20)',
      wholeNumber(1, 1_000_000),
    )
    .option('--bail', 'end the run at the first failure')
    .addOption(
      new Option(
        '--bring-up',
        'stop at the first part of a server in the making that does not hold, and show what to build next',
      ).conflicts(['json', 'reporter', 'replay', 'lastFailed', 'bail', 'shard']),
    )
    .addOption(
      new Option(
        '--watch',
        'run again after each change: what failed last, then smoke, then the rest',
      ).conflicts(['json', 'reporter', 'replay', 'lastFailed', 'bail', 'shard']),
    )
    .option(
      '--watch-file <path>',
      'with --watch: run again when this file or folder changes (repeatable)',
      repeatable,
    )
    .optionsGroup('Report options:')
    .addOption(reporterOption())
    .option('--baseline <file>', 'YAML file of known deviations')
    .option('--strict', 'exit with 1 if a recommendation does not hold')
    .option('--report-dir <dir>', 'folder for the report', 'docfeed-report/')
    .option('--json', 'print the report as JSON (with --list: the checks)')
    .option('--explain <rule>', 'explain the last result of a rule or check; needs no target')
    .option('--quiet', 'show no progress')
    .option('--verbose', 'print each failure at once, and a summary of any length')
    .optionsGroup('Other options:')
    .helpOption('-h, --help', 'display help for command')
    .addHelpText('after', afterHelp)
    .action(runAction);
}

async function runAction(
  given: readonly string[],
  { readOnly, list, explain }: CheckOptions,
  command: Command,
): Promise<void> {
  const { takeOptionsFromFile } = await import('./file-options.js');
  const urls = await takeOptionsFromFile(command, given, [
    ...(readOnly ? withoutReadOnly : []),
    // Without a target, nobody logs in.
    ...(list || explain !== undefined ? ['admin'] : []),
  ]);
  const options: CheckOptions = command.opts();
  // The suite takes long to load. It is imported here so that help and usage errors appear immediately.
  if (options.list) {
    const { formatList } = await import('./list.js');
    process.stdout.write(formatList(options, options.json === true));
  } else if (options.explain !== undefined) {
    const { explain } = await import('./explain.js');
    process.stdout.write(await explain(options.explain, options.reportDir));
  } else if (readOnly) {
    const { runReadOnly } = await import('./run-read-only.js');
    await runReadOnly(urls, options);
  } else if (options.bringUp && !options.watch) {
    const { bringUp } = await import('./bring-up.js');
    await bringUp(urls, options);
  } else if (options.watch) {
    const { watchTarget } = await import('./watch.js');
    await watchTarget(urls, options);
  } else {
    const { runCheck } = await import('./run-check.js');
    await runCheck(urls, options);
  }
}
