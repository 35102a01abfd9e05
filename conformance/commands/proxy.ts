/** The command line of `docfeed proxy`. */
import { Command } from 'commander';
import { wholeNumber } from './command-line.js';
import { type ProxyCommandOptions, withTrafficOptions } from './traffic-options.js';

const afterHelp = `
Exit codes, after SIGINT or SIGTERM:
  0  no violation was found
  1  a rule is violated
  2  invalid arguments or files
  3  the target is unreachable or is not a supported service

Examples:
  # an application that uses http://127.0.0.1:5985 instead of its server
  docfeed proxy --target http://127.0.0.1:5984 --port 5985

  # a server with known deviations, and a recording of the traffic
  docfeed proxy --target https://db.example.org --port 5985 --baseline baseline.yaml --record recordings`;

export function proxyCommand(): Command {
  const command = new Command('proxy')
    .description('pass the traffic of an application on to a server unchanged, and judge it')
    .requiredOption('--target <url>', 'base URL of the server')
    .option('--port <n>', 'port to listen at (0: a free one)', wholeNumber(0, 65_535), 0)
    .option('--host <address>', 'address to listen at', '127.0.0.1')
    .option('--record <dir>', 'folder for a recording of the traffic in HAR 1.2, without secrets')
    .option('--every <minutes>', 'also write the report every so many minutes', wholeNumber(1, 100_000))
    .option('--admin-port <n>', 'port of 127.0.0.1 that shows the report so far', wholeNumber(0, 65_535));
  return withTrafficOptions(command)
    .option('--quiet', 'show no progress')
    .addHelpText('after', afterHelp)
    .action(async (options: ProxyCommandOptions) => {
      const { runProxy } = await import('./run-proxy.js');
      await runProxy(options);
    });
}
