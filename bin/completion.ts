/** Shell completion: `docfeed completion bash|zsh|fish|powershell` prints a script for the shell. */
import createCompletion from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { rules } from '../openapi/generated/rules.js';
import { reporterNames } from '../reports/reporters/spec.js';

/** Options whose value is a rule or a check. A glob such as `feed-*` is not completed. */
const ruleOptions = ['only', 'skip', 'explain'];

const afterHelp = `
Examples:
  # for bash; source the line again in each new shell, or append it to ~/.bashrc
  source <(docfeed completion bash)

  # for zsh, after compinit
  source <(docfeed completion zsh)

  # for fish
  docfeed completion fish | source`;

/** Adds the command `completion`, and the hidden command that its scripts call. All other commands must be there. */
export function addCompletion(program: Command): void {
  const completion = createCompletion(program, { completionCommandName: 'completion' });
  const completeRules = (complete: (value: string, description: string) => void): void => {
    for (const { id, statement } of rules) complete(id, statement);
  };
  const check = completion.commands.get('check');
  for (const name of ruleOptions) {
    const option = check?.options.get(name);
    if (option) option.handler = completeRules;
  }
  const reporter = check?.options.get('reporter');
  if (reporter) reporter.handler = (complete) => reporterNames.forEach((name) => complete(name, ''));
  const id = completion.commands.get('rules')?.arguments.get('id');
  if (id) id.handler = completeRules;
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description('print a script that completes commands and options in a shell')
    .addHelpText('after', afterHelp);
}
