import { join } from 'node:path';
import { escapeInvisible } from '../escape.js';
import { findCauses } from '../causes.js';
import { byUrgency, isUnfinished } from '../outcomes.js';
import { ruleCoverage } from '../rule-coverage.js';
import { type CheckResult, exitCode, type Outcome, type Report } from '../report.js';
import { formatNextStep, formatVerdict } from './next-step.js';
import { type Colours, coloursFor, renderLabelled, wrapperFor } from './terminal-text.js';
import {
  describeEvidence,
  describeRun,
  formatCoverage,
  formatGaps,
  formatReason,
  formatRule,
  formatSeconds,
  formatSummary,
  groupIdsByReason,
} from './text.js';

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

const verdictColours = { 0: 'green', 1: 'red', 3: 'yellow' } as const;

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

const defaultReportDir = 'docfeed-report/';

export interface TerminalOptions {
  readonly colour: boolean;
  /** Width of the terminal, to which texts are wrapped. Default: they are not wrapped. */
  readonly columns?: number | undefined;
  /** Folder of the report files, which the last lines name. */
  readonly reportDir?: string;
}

/**
 * Renders the summary that `docfeed check` prints: how much was checked, warnings, checks that need attention, skipped
 * checks, counts, the verdict and the next step.
 */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const { reportDir } = options;
  const colours = coloursFor(options.colour);
  const wrap = wrapperFor(options.columns);
  const labelled = (label: string, text: string, indent = ''): string =>
    wrap(`${indent}${colours.dim(label.padEnd(8))} `, text);
  const listed = report.checks.filter(
    (check) => !(notListed as readonly Outcome[]).includes(check.outcome) && !isUnfinished(report, check),
  );
  const entries = [...findCauses(report.checks), ...listed.map((lead) => ({ lead, others: [] }))].sort(
    (a, b) => byUrgency.indexOf(a.lead.outcome) - byUrgency.indexOf(b.lead.outcome),
  );
  const coverage = ruleCoverage(report);
  const next = formatNextStep(report, reportDir === defaultReportDir ? undefined : reportDir);
  const blocks = [
    [
      colours.bold(formatCoverage(coverage)),
      ...formatGaps(coverage).map((gap) => wrap(`${colours.dim('not checked:')} `, gap)),
    ],
    describeRun(report).map(([label, text]) => labelled(label, text)),
    report.suite.stopped === undefined ? [] : [wrap('', escapeInvisible(report.suite.stopped), colours.red)],
    report.warnings.map((warning) => wrap('', `warning: ${escapeInvisible(warning)}`, colours.yellow)),
    ...entries.map(({ lead, others }) => [
      ...renderCheck(report, lead, options),
      ...(others.length === 0
        ? []
        : [labelled('also', `probably for the same cause: ${shortenList(others.map(idOf))}`, '  ')]),
    ]),
    groupedOutcomes.flatMap((outcome) =>
      groupIdsByReason(report, outcome).map(([reason, ids]) =>
        wrap(`${colours[colourOf[outcome]](outcome)}  `, `${reason} ${colours.dim(`(${shortenList(ids)})`)}`),
      ),
    ),
    [
      `${formatCoverage(coverage)}  ${colours.bold(formatSummary(report))}  ${colours.dim(formatSeconds(report.suite.durationMs))}`,
    ],
    reportDir === undefined
      ? []
      : [
          `report   ${join(reportDir, 'report.html')}`,
          colours.dim('         in the same folder: report.json, junit.xml, summary.md'),
        ],
    [
      labelled('verdict', colours[verdictColours[exitCode(report)]](formatVerdict(report))),
      ...(next === undefined ? [] : [`${colours.dim('next    ')} ${next}`]),
    ],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

/** Renders a check on one line, for the progress of a run. */
export function renderOutcomeLine({ id, outcome, ...check }: CheckResult, colour: boolean): string {
  const colours = coloursFor(colour);
  const reason = escapeInvisible(check.counterexample?.message ?? check.reason ?? '');
  return `${colours[colourOf[outcome]](outcome)}  ${colours.bold(escapeInvisible(id))}  ${reason}`;
}

function renderCheck(report: Report, check: CheckResult, options: TerminalOptions): string[] {
  const colours = coloursFor(options.colour);
  const wrap = wrapperFor(options.columns);
  const title = `${colours[colourOf[check.outcome]](check.outcome)}  ${colours.bold(escapeInvisible(check.id))}`;
  const { counterexample } = check;
  const rule = formatRule(check);
  if (!counterexample || check.outcome === 'known') return [title, wrap('  ', formatReason(check))];
  return [
    `${title}  ${colours.dim(check.level)}`,
    wrap('  ', escapeInvisible(counterexample.message)),
    ...renderLabelled(
      [...(rule === undefined ? [] : [['rule', rule] as const]), ...describeEvidence(report, check)],
      colours,
      wrap,
    ),
  ];
}

const idOf = ({ id }: CheckResult): string => escapeInvisible(id);

function shortenList(ids: readonly string[]): string {
  const more = ids.length - idsShown;
  return more > 1 ? `${ids.slice(0, idsShown).join(', ')} and ${more} more` : ids.join(', ');
}
