/** The command line of `docfeed selftest`: the suite against servers with faults and conforming variations. */
import { Command } from 'commander';
import { profileOption, repeatable, wholeNumber } from './command-line.js';
import type { SelftestRunOptions } from './run-selftest.js';

const afterHelp = `
Exit codes:
  0  checks of its own rule find every fault, and no conforming server fails
  1  a fault is not found, a conforming server fails, or the run is interrupted
  2  invalid arguments or files

Examples:
  # all faults with one seed, and 50 variations
  docfeed selftest

  # the faults of one rule
  docfeed selftest --only feed-pending`;

export function selftestCommand(): Command {
  return new Command('selftest')
    .description('test the suite: it must find every fault and accept every conforming server')
    .option('--only <glob>', 'run only faults whose id or rule matches (repeatable)', repeatable)
    .option('--seeds <n>', 'number of seeds per fault', wholeNumber(0, 10_000), 1)
    .option(
      '--variations <n>',
      'number of conforming variations of the server, in addition to older versions (default: 50, or 0 with --only)',
      wholeNumber(0, 1_000_000),
    )
    .option(
      '--repeat <n>',
      'number of runs of the suite on a busy machine, and of runs over a slow network; also the number of seeds with which each fault that needs a period is tried on a busy machine',
      wholeNumber(0, 10_000),
      0,
    )
    .addOption(
      profileOption(
        'generated cases per property against a conforming server; thorough runs all checks against each fault',
      ),
    )
    .option('--seed <n>', 'first seed', wholeNumber(0, 2_000_000_000), 1)
    .option(
      '--cases <n>',
      'generated cases per property against a fault (default: those of the profile default)',
      wholeNumber(1, 1_000_000),
    )
    .option('--jobs <n>', 'number of concurrent trials (default: number of cores)', wholeNumber(1, 1000))
    .option('--resume', 'keep the results in the report folder and run only what is missing')
    .option('--report-dir <dir>', 'folder for selftest.json and selftest.html', 'docfeed-selftest/')
    .option('--json', 'print the results as JSON')
    .addHelpText('after', afterHelp)
    .action(async (options: SelftestRunOptions) => {
      const { runSelftest } = await import('./run-selftest.js');
      await runSelftest(options);
    });
}
