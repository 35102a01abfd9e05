import { join } from 'node:path';
import { createColors } from 'picocolors';
import { findCauses } from '../causes.js';
import { byUrgency, isUnfinished } from '../outcomes.js';
import { ruleCoverage } from '../rule-coverage.js';
import type { CheckResult, Outcome, Report } from '../report.js';
import {
  describeEvidence,
  describeRun,
  escapeInvisible,
  formatCoverage,
  formatGaps,
  formatReason,
  formatRule,
  formatSeconds,
  formatSummary,
  groupIdsByReason,
} from './text.js';

type Colours = ReturnType<typeof createColors>;

const colourOf = {
  pass: 'green',
  fail: 'red',
  error: 'magenta',
  blocked: 'yellow',
  inconclusive: 'yellow',
  warn: 'yellow',
  known: 'cyan',
  skipped: 'dim',
} as const satisfies Record<Outcome, keyof Colours>;

/** Outcomes for which many checks share one reason: the summary has a line for each reason. */
const groupedOutcomes = ['blocked', 'skipped'] as const;

/** Outcomes that the summary does not list check by check: they pass, have a cause or a reason in common. */
const notListed = ['pass', 'fail', 'warn', ...groupedOutcomes] as const;

/** Number of check ids shown for such a reason. */
const idsShown = 6;

/** Whether to print colours: only on a terminal, and not if `NO_COLOR` is set. */
export function showsColour(stream: NodeJS.WriteStream): boolean {
  // `isTTY` is undefined if the stream is not a terminal, although its type is boolean.
  return stream.isTTY === true && process.env['NO_COLOR'] === undefined;
}

/**
 * Renders the summary that `docfeed check` prints: how much was checked, warnings, checks that need attention, skipped checks, counts.
 *
 * @param options.reportDir folder of the report files; the summary ends with its name.
 */
export function renderTerminal(report: Report, options: { colour: boolean; reportDir?: string }): string {
  const colours = createColors(options.colour);
  const listed = report.checks.filter(
    (check) => !(notListed as readonly Outcome[]).includes(check.outcome) && !isUnfinished(report, check),
  );
  const entries = [...findCauses(report.checks), ...listed.map((lead) => ({ lead, others: [] }))].sort(
    (a, b) => byUrgency.indexOf(a.lead.outcome) - byUrgency.indexOf(b.lead.outcome),
  );
  const coverage = ruleCoverage(report);
  const blocks = [
    [
      colours.bold(formatCoverage(coverage)),
      ...formatGaps(coverage).map((gap) => `${colours.dim('not checked:')} ${gap}`),
    ],
    describeRun(report).map(([label, text]) => `${colours.dim(label.padEnd(8))} ${text}`),
    report.suite.stopped === undefined ? [] : [colours.red(escapeInvisible(report.suite.stopped))],
    report.warnings.map((warning) => colours.yellow(`warning: ${escapeInvisible(warning)}`)),
    ...entries.map(({ lead, others }) => [
      ...renderCheck(report, lead, colours, options.reportDir),
      ...(others.length === 0
        ? []
        : [`  ${colours.dim('also    ')} probably for the same cause: ${shortenList(others.map(idOf))}`]),
    ]),
    groupedOutcomes.flatMap((outcome) =>
      groupIdsByReason(report, outcome).map(
        ([reason, ids]) =>
          `${colours[colourOf[outcome]](outcome)}  ${reason} ${colours.dim(`(${shortenList(ids)})`)}`,
      ),
    ),
    [
      `${formatCoverage(coverage)}  ${colours.bold(formatSummary(report))}  ${colours.dim(formatSeconds(report.suite.durationMs))}`,
    ],
    options.reportDir === undefined
      ? []
      : [
          `report   ${join(options.reportDir, 'report.html')}`,
          colours.dim('         in the same folder: report.json, junit.xml, summary.md'),
        ],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function renderCheck(report: Report, check: CheckResult, colours: Colours, reportDir?: string): string[] {
  const title = `${colours[colourOf[check.outcome]](check.outcome)}  ${colours.bold(escapeInvisible(check.id))}`;
  const { counterexample } = check;
  const rule = formatRule(check);
  if (!counterexample || check.outcome === 'known') return [title, `  ${formatReason(check)}`];
  return [
    `${title}  ${colours.dim(check.level)}`,
    `  ${escapeInvisible(counterexample.message)}`,
    ...(rule === undefined ? [] : [`  ${colours.dim('rule    ')} ${rule}`]),
    ...describeEvidence(report, check, reportDir).map(
      ([label, text]) => `  ${colours.dim(label.padEnd(8))} ${text}`,
    ),
  ];
}

const idOf = ({ id }: CheckResult): string => escapeInvisible(id);

function shortenList(ids: readonly string[]): string {
  const more = ids.length - idsShown;
  return more > 1 ? `${ids.slice(0, idsShown).join(', ')} and ${more} more` : ids.join(', ');
}
