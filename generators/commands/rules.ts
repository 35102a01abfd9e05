/** `docfeed rules`: prints the rule catalogue. */
import { Command, CommanderError, Help } from 'commander';
import { type Rule, type RuleId, rules } from '../../openapi/generated/rules.js';
import { suggestion } from '../../reports/suggestion.js';
import type { RuleHome } from '../../conformance/rule-home.js';

/** A rule with its checks and faults. */
interface RuleDetails extends Rule {
  readonly checks: readonly string[];
  readonly faults: readonly { readonly id: string; readonly summary: string }[];
  readonly inTraffic: TrafficCoverage;
}

/** How much of a rule `docfeed proxy`, `judge` and `check --read-only` judge, and why not the rest: one sentence each. */
type TrafficCoverage =
  | { readonly judges: 'all' }
  | { readonly judges: 'part'; readonly judged: string; readonly rest: string }
  | { readonly judges: 'nothing'; readonly rest: string };

const afterHelp = `
Examples:
  # all rules
  docfeed rules

  # one rule, with the checks and faults of it
  docfeed rules feed-pending`;

export function rulesCommand(): Command {
  return new Command('rules')
    .description(
      'list the rules, or show one rule with its sources, checks and faults, and what of it is judged in traffic',
    )
    .argument('[id]', 'id of a rule')
    .option('--json', 'print JSON')
    .addHelpText('after', afterHelp)
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
  const ids = rules.map((one) => one.id);
  const hint = suggestion(id, ids) || '; run `docfeed rules` for the list';
  throw new CommanderError(2, 'docfeed.rule', `unknown rule ${JSON.stringify(id)}${hint}`);
}

/** Loads the suite on demand because the list of rules does not need it. */
async function withSuite(selected: readonly Rule[]): Promise<RuleDetails[]> {
  const { checks } = await import('../../conformance/rules/checks.js');
  const { faults } = await import('../../conformance/rules/faults.js');
  const { ruleHomes } = await import('../../conformance/rules/generated/rule-homes.js');
  return selected.map((rule) => ({
    ...rule,
    checks: checks.filter((check) => check.rule === rule.id).map((check) => check.id),
    faults: faults
      .filter((fault) => fault.rule === rule.id)
      .map((fault) => ({ id: fault.id, summary: fault.summary })),
    inTraffic: coverageOf(ruleHomes[rule.id]),
  }));
}

function coverageOf({ inTraffic, notInTraffic }: RuleHome<RuleId>): TrafficCoverage {
  if (notInTraffic !== undefined) return { judges: 'nothing', rest: notInTraffic };
  const part = inTraffic?.part;
  return part ? { judges: 'part', ...part } : { judges: 'all' };
}

function inList({ id, level, needs, statement }: Rule): string {
  const suffix = needs.length > 0 ? `  needs ${needs.join(', ')}` : '';
  return `${id}  ${level}${suffix}\n${wrapped(statement, 2)}\n`;
}

function inFull(rule: RuleDetails): string {
  const {
    id,
    level,
    source,
    since,
    needs,
    statement,
    operations,
    components,
    gaps,
    checks,
    faults,
    inTraffic,
  } = rule;
  const fields: [string, readonly string[]][] = [
    ['source', [source.map((section) => `SERVICE ${section}`).join(', ')]],
    ['applies from', [since === undefined ? 'the first version' : `version ${since}`]],
    ['needs', [needs.join(', ') || 'nothing']],
    ['operations', [operations.join(', ') || 'all']],
    ['components', components.length > 0 ? components : ['none']],
    ...(gaps.length > 0 ? [['not checked', gaps] as [string, readonly string[]]] : []),
    ['in traffic', inWords(inTraffic)],
    ['checks', checks.length > 0 ? checks : ['none']],
    ['faults', faults.length > 0 ? faults.map((fault) => `${fault.id}: ${fault.summary}`) : ['none']],
  ];
  const labelWidth = 14;
  const lines = fields.map(([label, values]) => {
    const text = values.map((value) => wrapped(value, labelWidth)).join('\n');
    return label.padEnd(labelWidth) + text.trimStart();
  });
  return `${id}  ${level}\n\n${wrapped(statement, 2)}\n\n${lines.join('\n')}\n`;
}

/** What a passer-by judges, and why not the rest: a sentence or two each. */
function inWords(coverage: TrafficCoverage): readonly string[] {
  if (coverage.judges === 'all') return ['The whole rule is judged.'];
  if (coverage.judges === 'nothing') return [`It is not judged. ${coverage.rest}`];
  return [`A part is judged. ${coverage.judged}`, `The rest is not. ${coverage.rest}`];
}

/** Wraps text to the width of the terminal, or to 100 columns without one, and indents it. */
function wrapped(text: string, indent: number): string {
  const width = process.stdout.columns ?? 100;
  const margin = ' '.repeat(indent);
  return margin + new Help().boxWrap(text, width - indent).replaceAll('\n', `\n${margin}`);
}
