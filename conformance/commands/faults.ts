/** The command line of `docfeed faults`. */
import { Command } from 'commander';
import { Refusal } from '../engine/refusal.js';
import { suggestion } from '../../reports/suggestion.js';

const afterHelp = `
Examples:
  # all faults
  docfeed faults

  # the faults of one rule
  docfeed faults feed-pending

  # a server with one of them
  docfeed serve --fault pending-one-more`;

export function faultsCommand(): Command {
  return new Command('faults')
    .description('list the faults: each is a change to the reference server that breaks one rule')
    .argument('[rule]', 'only the faults of this rule')
    .option('--json', 'print JSON')
    .addHelpText('after', afterHelp)
    .action(printFaults);
}

async function printFaults(rule: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const { faults } = await import('../rules/faults.js');
  const selected = faults.filter((fault) => rule === undefined || fault.rule === rule);
  if (selected.length === 0) {
    const rules = [...new Set(faults.map((fault) => fault.rule))];
    throw new Refusal('usage', `no fault breaks the rule "${rule}"${suggestion(rule!, rules)}`);
  }
  const entries = selected.map(({ id, rule, summary }) => ({ id, rule, summary }));
  process.stdout.write(
    json
      ? `${JSON.stringify(entries, null, 2)}\n`
      : entries.map(({ id, rule, summary }) => `${id}  (${rule})\n  ${summary}\n`).join(''),
  );
}
