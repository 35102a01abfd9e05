import { mostUrgentFirst } from '../outcomes.js';
import type { CheckResult, Report } from '../report.js';
import { circumstances, counts, findings, idsByReason, printable, reasonOf, ruleText } from './text.js';

/** A summary for a job page or a pull request: the counts, what needs attention and why, what was skipped. */
export function renderMarkdown(report: Report): string {
  const checks = mostUrgentFirst(report.checks);
  const violations = checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
  const others = checks.filter(({ outcome }) =>
    ['error', 'blocked', 'inconclusive', 'known'].includes(outcome),
  );
  const skipped = idsByReason(report, 'skipped');
  return [
    `# docfeed: ${counts(report)}`,
    ...report.warnings.map((warning) => `> **Warning:** ${prose(printable(warning))}`),
    table(['', ''], circumstances(report)),
    ...violations.map((check) => violation(report, check)),
    ...(others.length === 0
      ? []
      : ['## Not decided, and known', table(['outcome', 'check', 'reason'], rows(others))]),
    ...(skipped.length === 0
      ? []
      : [
          '## Skipped',
          table(
            ['checks', 'reason'],
            skipped.map(([reason, ids]) => [String(ids.length), reason]),
          ),
        ]),
  ]
    .map((block) => `${block}\n`)
    .join('\n');
}

function rows(checks: readonly CheckResult[]): string[][] {
  return checks.map((check) => [check.outcome, check.id, reasonOf(check)]);
}

function violation(report: Report, check: CheckResult): string {
  const rule = ruleText(check);
  const lines = findings(report, check).map(([label, text]) => `${label.padEnd(9)}${text}`);
  return [
    `## ${check.outcome}: ${code(check.id)} (${check.level})`,
    '',
    prose(printable(check.counterexample?.message ?? reasonOf(check))),
    ...(rule === undefined ? [] : ['', `The rule: ${prose(rule)}`]),
    ...(lines.length === 0 ? [] : ['', fenced(lines.join('\n'))]),
  ].join('\n');
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...body.map((cells) => row(cells.map(prose)))].join('\n');
}

/** Text of a target in a paragraph or a table cell: every character stands for itself. */
function prose(text: string): string {
  return text.replace(/[\\`*_[\]<>|#~&!$@]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Inline code that no content can break out of: the fence is longer than any run of backticks inside. */
function code(text: string): string {
  const fence = fenceFor(text, 1);
  const padding = text.includes('`') ? ' ' : '';
  return `${fence}${padding}${printable(text)}${padding}${fence}`;
}

function fenced(text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}

function fenceFor(text: string, least: number): string {
  const runs = (text.match(/`+/g) ?? []).map((run) => run.length);
  return '`'.repeat(Math.max(least, ...runs.map((length) => length + 1)));
}
