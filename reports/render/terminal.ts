import { join } from 'node:path';
import { escapeInvisible } from '../escape.js';
import { findCauses } from '../causes.js';
import { byUrgency } from '../outcomes.js';
import { ruleCoverage } from '../rule-coverage.js';
import { type CheckResult, exitCode, type Outcome, type Report } from '../report.js';
import { formatNextStep, formatVerdict } from './next-step.js';
import { fitScreen, joinBlocks } from './screen.js';
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
const groupedOutcomes = ['blocked', 'inconclusive', 'skipped'] as const;

/** How many gaps and warnings a summary of one screen has, and the labels of the lines about its run. */
const brief = { gaps: 4, warnings: 3, run: ['consumer', 'target', 'version', 'run', 'settings'] } as const;

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
  /** Whether to print everything, instead of one screen. */
  readonly verbose?: boolean;
}

/**
 * Renders the summary that `docfeed check` prints: how much was checked, warnings, checks that need attention, counts, the
 * verdict and the next step. Unless `verbose` is set, it is at most one screen long: most causes then have one line.
 */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const { reportDir, verbose = false } = options;
  const colours = coloursFor(options.colour);
  const wrap = wrapperFor(options.columns);
  const labelled = (label: string, text: string, indent = ''): string =>
    wrap(`${indent}${colours.dim(label.padEnd(8))} `, text);
  const alone = report.checks.filter(({ outcome }) => outcome === 'error' || outcome === 'known');
  const entries = [...findCauses(report.checks), ...alone.map((lead) => ({ lead, others: [] }))]
    .sort((a, b) => byUrgency.indexOf(a.lead.outcome) - byUrgency.indexOf(b.lead.outcome))
    .map(({ lead, others }) => ({
      full: [
        ...renderCheck(report, lead, options),
        ...(others.length === 0
          ? []
          : [labelled('also', `probably for the same cause: ${shortenList(others.map(idOf))}`, '  ')]),
      ],
      line:
        renderOutcomeLine(lead, options.colour) +
        (others.length === 0 ? '' : colours.dim(` (and ${others.length} more)`)),
    }));
  const coverage = ruleCoverage(report);
  const next = formatNextStep(report, reportDir === defaultReportDir ? undefined : reportDir);
  const few = <T>(values: readonly T[], count: number): readonly T[] =>
    verbose ? values : values.slice(0, count);
  const more = (all: number, shown: number, what: string): string[] =>
    verbose || all <= shown
      ? []
      : [colours.dim(`and ${all - shown} more ${what}${all - shown === 1 ? '' : 's'}`)];
  const gaps = formatGaps(coverage);
  const head = [
    [
      colours.bold(formatCoverage(coverage)),
      ...few(gaps, brief.gaps).map((gap) => wrap(`${colours.dim('not checked:')} `, gap)),
      ...more(gaps.length, brief.gaps, 'reason'),
    ],
    describeRun(report)
      .filter(([label]) => verbose || (brief.run as readonly string[]).includes(label))
      .map(([label, text]) => labelled(label, text)),
    report.suite.stopped === undefined ? [] : [wrap('', escapeInvisible(report.suite.stopped), colours.red)],
    [
      ...few(report.warnings, brief.warnings).map((warning) =>
        wrap('', `warning: ${escapeInvisible(warning)}`, colours.yellow),
      ),
      ...more(report.warnings.length, brief.warnings, 'warning'),
    ],
  ];
  // What a target lacks is named above.
  const groups = groupedOutcomes
    .filter((outcome) => verbose || outcome !== 'skipped')
    .flatMap((outcome) =>
      groupIdsByReason(report, outcome).map(([reason, ids]) => {
        const checks = verbose || ids.length === 1 ? shortenList(ids) : `${ids.length} checks`;
        return {
          isShared: ids.length > 1,
          line: wrap(`${colours[colourOf[outcome]](outcome)}  `, `${reason} ${colours.dim(`(${checks})`)}`),
        };
      }),
    );
  const tail = [
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
  const lines = (of: typeof groups): string[] => of.map(({ line }) => line);
  if (verbose) return joinBlocks([...head, ...entries.map(({ full }) => full), lines(groups), ...tail]);
  return fitScreen(
    {
      ...{ head, tail, entries },
      // What blocks several checks may be the cause of the rest.
      before: lines(groups.filter(({ isShared }) => isShared)),
      after: lines(groups.filter(({ isShared }) => !isShared)),
    },
    {
      columns: options.columns,
      cut: (left) => colours.dim(`and ${left} more: use --verbose, or open the report`),
    },
  );
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
