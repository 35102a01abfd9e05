/** The command line of `docfeed consumer -- COMMAND`. Results go to stdout, progress and the messages of COMMAND to stderr. */
import { Command, Option } from 'commander';
import {
  concurrencyOption,
  profileOption,
  repeatable,
  reporterOption,
  seedOption,
  wholeNumber,
} from './command-line.js';
import { clockRates } from '../consumer/scenario.js';
import type { ConsumerCommandOptions } from './run-consumer.js';

const afterHelp = `
docfeed starts COMMAND beside a server for each scenario, with these variables in its environment:
  DOCFEED_DATABASE_URL  the database, such as http://name:password@127.0.0.1:PORT/db
  DOCFEED_ORIGIN, DOCFEED_DATABASE, DOCFEED_USERNAME, DOCFEED_PASSWORD
                        the parts of that URL, decoded, such as http://127.0.0.1:PORT and db
  DOCFEED_STATE         a folder of its own, which survives restarts within a scenario
  DOCFEED_SELECTOR      in scenarios of filters: a selector of the documents that COMMAND must know
  DOCFEED_CA_FILE       in scenarios with https: the certificate of the authority that COMMAND must trust, in PEM, also
                        in NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE
  DOCFEED_TARGET_URL    with --target-database: the database that COMMAND writes to

COMMAND says what it knows on its standard output, in lines of JSON such as
  {"id":"doc-1","rev":"2-abc","deleted":false}
The last line of an id counts, also across restarts. "leaves", an array of all leaf revisions, is optional. COMMAND must
go on until docfeed ends it.

Exit codes:
  0  the consumer survives all scenarios
  1  the consumer does not survive a scenario (with --strict also: one that is a recommendation)
  2  invalid arguments or files
  3  the run could not decide: COMMAND ended before it sent a request or says nothing, the server refuses all its
     requests, the machine was too busy, nothing ran, run interrupted

Examples:
  # what does it do when nothing happens to it?
  docfeed consumer --try -- node follower.js

  # all scenarios
  docfeed consumer -- node follower.js

  # a replicator, and only the scenarios of one rule
  docfeed consumer --target-database --only 'feed-live-converges/*' -- ./replicate.sh

  # an hour without a server: faketime makes the clock of COMMAND sixty times as fast
  docfeed consumer --clock-rate 60 -- faketime -f '+0 x60' node follower.js

  # rerun one failure with the token from the report
  docfeed consumer --replay TOKEN -- node follower.js`;

export function consumerCommand(): Command {
  return new Command('consumer')
    .description('find out whether a consumer of the feed survives everything that the rules allow')
    .argument('[command...]', 'the program of the consumer and its arguments, after --')
    .optionsGroup('Consumer options:')
    .option('--target-database', 'the consumer writes to the database in DOCFEED_TARGET_URL and says nothing')
    .option(
      '--grace <seconds>',
      'time without progress after which a consumer is not going to learn more',
      wholeNumber(1, 3600),
      5,
    )
    .option(
      '--clock-rate <n>',
      'the clock of COMMAND is so many times as fast as the real one: only the scenarios of an hour run',
      wholeNumber(...clockRates),
    )
    .optionsGroup('Selection options:')
    .option('--only <glob>', 'run only scenarios whose id or rule matches (repeatable)', repeatable)
    .option('--skip <glob>', 'run no scenarios whose id or rule matches (repeatable)', repeatable)
    .option('--replay <token>', 'rerun one failure from a report')
    .option('--last-failed', 'run only the scenarios that failed in the last report of --report-dir')
    .option('--list', 'list the selected scenarios without running them')
    .addOption(
      new Option('--try', 'run COMMAND once when nothing happens to it, and print what it did').conflicts([
        'only',
        'skip',
        'replay',
        'lastFailed',
        'list',
        'json',
      ]),
    )
    .optionsGroup('Run options:')
    .addOption(profileOption('histories per scenario: 1, 1 or 5; smoke runs one scenario per rule'))
    .addOption(seedOption('histories and choices'))
    .addOption(
      concurrencyOption('scenarios, and thus of consumers,', '2 per core, and more while they only wait'),
    )
    .option('--strict', 'exit with 1 also for what only a SHOULD asks of a consumer')
    .option('--bail', 'end the run at the first failure')
    .optionsGroup('Report options:')
    .addOption(reporterOption())
    .option('--baseline <file>', 'YAML file of known deviations')
    .option('--report-dir <dir>', 'folder for the report', 'docfeed-consumer/')
    .option('--json', 'print the report as JSON (with --list: the scenarios)')
    .option('--quiet', 'show no progress')
    .option('--verbose', 'print each failure and what COMMAND writes to its standard error at once')
    .optionsGroup('Other options:')
    .helpOption('-h, --help', 'display help for command')
    .addHelpText('after', afterHelp)
    .action(async (command: readonly string[], options: ConsumerCommandOptions) => {
      // The server takes long to load. It is imported here so that help and usage errors appear immediately.
      const { listScenarios, runConsumerCommand, tryConsumer } = await import('./run-consumer.js');
      if (options.list) process.stdout.write(listScenarios(options));
      else if (options.try) await tryConsumer(command, options);
      else await runConsumerCommand(command, options);
    });
}
