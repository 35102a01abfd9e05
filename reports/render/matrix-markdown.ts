/** Compares servers rule by rule in Markdown, which code hosts show. */
import { groupBy } from '../group.js';
import { mostUrgentFirst } from '../outcomes.js';
import type { CheckResult, Outcome, Report } from '../report.js';
import { escapeMarkdown, renderTable } from './markdown.js';

type Result = Pick<CheckResult, 'id' | 'rule' | 'area' | 'outcome' | 'reason'>;

interface Column {
  /** In Markdown. */
  readonly name: string;
  readonly checks: readonly Result[];
}

interface Server {
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
export function renderMatrixMarkdown(servers: readonly Server[]): string {
  const columns = servers.map(({ name, href, report: { checks } }) => ({
    name: `[${name}](${href})`,
    checks,
  }));
  return [
    '## Rules',
    legend,
    renderComparison(columns, 'rule'),
    '## Known deviations',
    ...servers.flatMap(({ name, report }) => describeDeviations(name, report.checks)),
  ].join('\n\n');
}

/** @returns a table with a row for each rule or check that has the most urgent outcome of each column */
export function renderComparison(columns: readonly Column[], by: 'rule' | 'id'): string {
  const checks = columns.flatMap((column) => column.checks);
  const rows = groupBy(checks, (check) => check[by]).map(([, [first]]) => first!);
  const areas = groupBy(rows, ({ area }) => area).flatMap(([area, members]) => [
    [`**${escapeMarkdown(area)}**`, ...columns.map(() => '')],
    ...members.map((member) => [
      `\`${member[by]}\``,
      ...columns.map((column) => symbolOf(column.checks.filter((check) => check[by] === member[by]))),
    ]),
  ]);
  return renderTable([by === 'rule' ? 'Rule' : 'Scenario', ...columns.map(({ name }) => name)], areas);
}

function symbolOf(checks: readonly Result[]): string {
  const [worst] = mostUrgentFirst(checks);
  return worst ? symbols[worst.outcome] : '';
}

function describeDeviations(name: string, checks: readonly Result[]): string[] {
  const known = checks.filter(({ outcome }) => outcome === 'known');
  if (known.length === 0) return [];
  const items = groupBy(known, ({ reason = '' }) => reason).map(
    ([reason, members]) => `- ${escapeMarkdown(reason)} (${members.map(({ id }) => `\`${id}\``).join(', ')})`,
  );
  return [`### ${name}`, items.join('\n')];
}
