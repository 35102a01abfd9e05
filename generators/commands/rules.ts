/** `docfeed rules`: the rule catalogue on the terminal. */
import { Command, CommanderError, Help } from 'commander';
import { distance } from 'fastest-levenshtein';
import { type Rule, rules } from '../../openapi/generated/rules.js';

/** A rule with what the suite has for it. */
interface RuleDetails extends Rule {
  readonly checks: readonly string[];
  readonly faults: readonly { readonly id: string; readonly summary: string }[];
}

export function rulesCommand(): Command {
  return new Command('rules')
    .description('list the rules that a server is checked against, or tell all about one')
    .argument('[id]', 'a rule')
    .option('--json', 'print JSON')
    .action(async (id: string | undefined, { json }: { json?: boolean }) => {
      const selected = id === undefined ? rules : [ruleOf(id)];
      if (json) {
        const details = await withSuite(selected);
        process.stdout.write(`${JSON.stringify(id === undefined ? details : details[0], null, 2)}\n`);
      } else if (id === undefined) {
        process.stdout.write(selected.map(inList).join('\n'));
      } else {
        process.stdout.write((await withSuite(selected)).map(inFull).join(''));
      }
    });
}

function ruleOf(id: string): Rule {
  const rule = rules.find((one) => one.id === id);
  if (rule) return rule;
  const nearest = rules
    .map((one) => ({ id: one.id, far: distance(id, one.id) }))
    .sort((a, b) => Number(b.id.includes(id)) - Number(a.id.includes(id)) || a.far - b.far)
    .slice(0, 3);
  const names = nearest.map((one) => one.id).join(', ');
  throw new CommanderError(2, 'docfeed.rule', `there is no rule ${JSON.stringify(id)}; nearest are ${names}`);
}

/** The suite is loaded only when somebody asks about it. */
async function withSuite(selected: readonly Rule[]): Promise<RuleDetails[]> {
  const { checks } = await import('../../conformance/checks/index.js');
  const { faults } = await import('../../conformance/faults/index.js');
  return selected.map((rule) => ({
    ...rule,
    checks: checks.filter((check) => check.rule === rule.id).map((check) => check.id),
    faults: faults
      .filter((fault) => fault.rule === rule.id)
      .map((fault) => ({ id: fault.id, summary: fault.summary })),
  }));
}

function inList({ id, level, needs, statement }: Rule): string {
  const needed = needs.length > 0 ? `  needs ${needs.join(', ')}` : '';
  return `${id}  ${level}${needed}\n${wrapped(statement, 2)}\n`;
}

function inFull({ id, level, source, since, needs, statement, checks, faults }: RuleDetails): string {
  const facts: [string, readonly string[]][] = [
    ['source', [source.map((section) => `SERVICE ${section}`).join(', ')]],
    ['since', [since ?? 'every version']],
    ['needs', [needs.join(', ') || 'nothing']],
    ['checks', checks.length > 0 ? checks : ['none']],
    ['faults', faults.length > 0 ? faults.map((fault) => `${fault.id}: ${fault.summary}`) : ['none']],
  ];
  const lines = facts.map(
    ([name, values]) =>
      name.padEnd(8) +
      values
        .map((value) => wrapped(value, 8))
        .join('\n')
        .trimStart(),
  );
  return `${id}  ${level}\n\n${wrapped(statement, 2)}\n\n${lines.join('\n')}\n`;
}

/** Wrapped to the terminal, or to a line of a readable length, and indented. */
function wrapped(text: string, indent: number): string {
  const width = Math.min(process.stdout.columns ?? 100, 100);
  const margin = ' '.repeat(indent);
  return margin + new Help().boxWrap(text, width - indent).replaceAll('\n', `\n${margin}`);
}
