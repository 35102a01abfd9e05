/** Compares servers rule by rule in Markdown, which code hosts show. */
import { groupBy } from '../group.js';
import { mostUrgentFirst } from '../outcomes.js';
import type { Outcome, Report } from '../report.js';
import { escapeMarkdown } from './markdown.js';

interface Column {
  readonly name: string;
  /** Where the report of the server is, relative to the document. */
  readonly href: string;
  readonly report: Report;
}

const symbols: Readonly<Record<Outcome, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  known: 'known',
  skipped: '–',
  blocked: '?',
  inconclusive: '?',
  error: '?',
};

const legend =
  '✓ the rule holds · known: a deviation that the baseline explains · ✗ the rule is violated · ! a recommendation is not followed · – not checked, since the server does not offer what the check needs · ? undecided';

/** @returns a table with a row for each rule and a column for each server, and the known deviations. */
export function renderMatrixMarkdown(columns: readonly Column[]): string {
  const checks = columns.flatMap(({ report }) => report.checks);
  const rules = groupBy(checks, ({ rule }) => rule).map(([, [first]]) => first!);
  const areas = groupBy(rules, ({ area }) => area).flatMap(([area, members]) => [
    row([`**${escapeMarkdown(area)}**`, ...columns.map(() => '')]),
    ...members.map(({ rule }) =>
      row([`\`${rule}\``, ...columns.map(({ report }) => symbolOf(report, rule))]),
    ),
  ]);
  const deviations = columns.flatMap(({ name, report }) => describeDeviations(name, report));
  return [
    '## Rules',
    legend,
    [
      row(['Rule', ...columns.map(({ name, href }) => `[${name}](${href})`)]),
      row(['---', ...columns.map(() => '---')]),
      ...areas,
    ].join('\n'),
    '## Known deviations',
    ...deviations,
  ].join('\n\n');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function symbolOf({ checks }: Report, rule: string): string {
  const [worst] = mostUrgentFirst(checks.filter((check) => check.rule === rule));
  return worst ? symbols[worst.outcome] : '';
}

function describeDeviations(name: string, { checks }: Report): string[] {
  const known = checks.filter(({ outcome }) => outcome === 'known');
  if (known.length === 0) return [];
  const items = groupBy(known, ({ reason = '' }) => reason).map(
    ([reason, members]) => `- ${escapeMarkdown(reason)} (${members.map(({ id }) => `\`${id}\``).join(', ')})`,
  );
  return [`### ${name}`, items.join('\n')];
}
