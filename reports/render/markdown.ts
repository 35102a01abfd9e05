import { isInPart, isUnfinished, mostUrgentFirst } from '../outcomes.js';
import { adviceFor, groupByReason } from '../reasons.js';
import { ruleCoverage } from '../rule-coverage.js';
import type { CheckResult, Report } from '../report.js';
import { endpointTable } from '../endpoints.js';
import { isItem, sectionOf } from '../service-document.js';
import { escapeInvisible } from '../escape.js';
import {
  describeEvidence,
  describeRun,
  formatCoverage,
  formatGaps,
  formatReason,
  formatRule,
  formatSummary,
  shortenIds,
} from './text.js';

/** Renders a summary for the page of a CI job or a pull request: how much was checked, violations, undecided and skipped checks. */
export function renderMarkdown(report: Report): string {
  const checks = mostUrgentFirst(report.checks);
  const violations = checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
  const groups = groupByReason(
    report,
    checks.filter((check) => !isUnfinished(report, check)),
  );
  const { stopped } = report.suite;
  const inPart = checks.filter(isInPart);
  const coverage = ruleCoverage(report);
  const gaps = formatGaps(coverage).map((gap) => `- ${escapeMarkdown(gap)}`);
  return [
    `# docfeed: ${formatCoverage(coverage)}`,
    `Checks: ${formatSummary(report)}`,
    ...(gaps.length === 0 ? [] : [['Not checked:', '', ...gaps].join('\n')]),
    ...(stopped === undefined ? [] : [`> **${escapeMarkdown(escapeInvisible(stopped))}**`]),
    ...report.warnings.map((warning) => `> **Warning:** ${escapeMarkdown(escapeInvisible(warning))}`),
    renderTable(
      ['', ''],
      describeRun(report).map((row) => row.map(escapeMarkdown)),
    ),
    ...renderEndpoints(report),
    ...violations.map((check) => renderViolation(report, check)),
    ...(inPart.length === 0
      ? []
      : [
          '## Judged only in part',
          renderTable(
            ['rule', 'exchanges', 'judged', 'why not the rest'],
            inPart.map(({ id, traffic }) =>
              [id, String(traffic!.exchanges), traffic!.judged!, traffic!.rest ?? ''].map((text) =>
                escapeMarkdown(escapeInvisible(text)),
              ),
            ),
          ),
        ]),
    ...(groups.length === 0
      ? []
      : [
          '## Undecided and skipped checks, known deviations',
          renderTable(
            ['outcome', 'checks', 'reason', 'to do'],
            groups.map((group) => [
              group.outcome,
              escapeMarkdown(shortenIds(group.checks)),
              // That of a known deviation is from the baseline, and may have links.
              (group.outcome === 'known' ? escapeMarkup : escapeMarkdown)(escapeInvisible(group.reason)),
              group.outcome === 'known' ? '' : escapeMarkdown(escapeInvisible(adviceFor(group))),
            ]),
          ),
        ]),
  ]
    .map((block) => `${block}\n`)
    .join('\n');
}

/** A table of the feeds by mode, and a list of the other endpoints by state. */
function renderEndpoints(report: Report): string[] {
  const table = endpointTable(report);
  if (!table) return [];
  const { operations, modes, cellOf, others } = table;
  const list = others.map(
    ([label, states]) => `- ${label}: ${states.map(({ operation }) => renderCode(operation)).join(', ')}`,
  );
  const feeds = renderTable(
    ['endpoint', ...modes.map(escapeMarkdown)],
    operations.map((operation) => [
      renderCode(operation),
      ...modes.map((mode) => cellOf(operation, mode)?.label ?? ''),
    ]),
  );
  return ['## Endpoints', ...(operations.length === 0 ? [] : [feeds]), list.join('\n')];
}

function renderViolation(report: Report, check: CheckResult): string {
  const rule = formatRule(check);
  const lines = describeEvidence(report, check).map(([label, text]) => `${label.padEnd(9)}${text}`);
  return [
    `## ${check.outcome}: ${renderCode(check.id)} (${check.level})`,
    '',
    escapeMarkdown(escapeInvisible(check.counterexample?.message ?? formatReason(check))),
    ...(rule === undefined ? [] : ['', `Rule: ${escapeMarkdown(rule)}`]),
    ...(check.source ?? []).flatMap(renderSource),
    ...(lines.length === 0 ? [] : ['', renderCodeBlock(lines.join('\n'))]),
  ].join('\n');
}

/** Quotes a numbered item of the service document, and folds a longer section. */
export function renderSource(section: string): string[] {
  const text = sectionOf(section)?.markdown;
  if (text === undefined) return [];
  if (isItem(section)) return ['', `> SERVICE ${section}: ${text}`];
  const words = text.replace(/^#.*\n/, '').trim();
  return ['', `<details><summary>SERVICE ${section}</summary>`, '', words, '', '</details>'];
}

/** @param body cells that are escaped already */
export function renderTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...body.map(row)].join('\n');
}

/**
 * Escapes text of a target in a paragraph or a table cell, so that none of it becomes markup or a link. GitHub makes
 * links of addresses even if they have escapes; an empty comment divides them.
 */
export function escapeMarkdown(text: string): string {
  return escapeMarkup(text).replace(/(?<=:)(?=\/\/)|(?<=\bwww)(?=\.)|(?<=&#(?:35|64);)/gi, '<!-- -->');
}

/** Like {@link escapeMarkdown}, but web addresses become links. */
function escapeMarkup(text: string): string {
  return text.replace(/[\\`*_[\]<>|#~&!$@]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

export function renderCode(text: string): string {
  const fence = fenceFor(text, 1);
  const padding = text.includes('`') ? ' ' : '';
  return `${fence}${padding}${escapeInvisible(text)}${padding}${fence}`;
}

export function renderCodeBlock(text: string, language = 'text'): string {
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** @returns a fence that is longer than any run of backticks in the text, so that the text cannot close it. */
function fenceFor(text: string, minLength: number): string {
  const cases = (text.match(/`+/g) ?? []).map((run) => run.length);
  return '`'.repeat(Math.max(minLength, ...cases.map((length) => length + 1)));
}
