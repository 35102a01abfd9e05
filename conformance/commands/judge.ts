/** The command line of `docfeed judge FILE.har`. */
import { Command } from 'commander';
import { type JudgeCommandOptions, withTrafficOptions } from './traffic-options.js';

const afterHelp = `
Exit codes:
  0  no violation was found
  1  a rule is violated
  2  invalid arguments or files

Examples:
  # a recording of docfeed proxy
  docfeed judge recordings/traffic.har

  # one that a browser has saved, with requests to several servers
  docfeed judge app.har --target http://127.0.0.1:5984`;

export function judgeCommand(): Command {
  const command = new Command('judge')
    .description('judge recorded traffic')
    .argument('<file>', 'recording in HAR 1.2')
    .option(
      '--target <url>',
      'base URL of the server (default: the only one in the file); other entries are left out',
    );
  return withTrafficOptions(command)
    .addHelpText('after', afterHelp)
    .action(async (file: string, options: JudgeCommandOptions) => {
      const { runJudge } = await import('./run-judge.js');
      await runJudge(file, options);
    });
}
