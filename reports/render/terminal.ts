import { join } from 'node:path';
import { escapeInvisible } from '../escape.js';
import { type Cause, findCauses } from '../causes.js';
import { isUnfinished } from '../outcomes.js';
import { adviceFor, groupByReason, type ReasonGroup } from '../reasons.js';
import { ruleCoverage, type RuleCoverage } from '../rule-coverage.js';
import { type CheckResult, exitCode, type Outcome, type Report } from '../report.js';
import { describeExchange } from './curl.js';
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
  shortenIds,
  shortenProse,
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

/** How many gaps and warnings a summary of one screen has, how long they are, and the labels of the lines about its run. */
const brief = {
  gaps: 4,
  warnings: 3,
  characters: 240,
  run: ['consumer', 'target', 'version', 'run', 'traffic', 'settings'],
} as const;

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
  const { verbose = false, columns } = options;
  const colours = coloursFor(options.colour);
  const coverage = ruleCoverage(report);
  const head = renderHead(report, coverage, options);
  const causes = findCauses(report.checks);
  const entries = causes.map((cause) => renderCause(report, cause, options));
  const listed = new Set(causes.flatMap(({ lead, others }) => [lead, ...others]));
  const groups = groupByReason(
    report,
    report.checks.filter(
      (check) =>
        !listed.has(check) &&
        // The head says why these were not judged.
        !isUnfinished(report, check) &&
        (verbose || check.outcome !== 'skipped'),
    ),
  );
  const tail = renderTail(report, coverage, options);
  if (verbose) {
    return joinBlocks([...head, ...entries.map(({ full }) => full), renderReasons(groups, options), ...tail]);
  }
  const isShared = ({ outcome, checks }: ReasonGroup): boolean => outcome !== 'known' && checks.length > 1;
  return fitScreen(
    {
      head,
      tail,
      entries,
      // What blocks several checks may be the cause of the rest.
      before: renderReasons(groups.filter(isShared), options),
      after: renderReasons(
        groups.filter((group) => !isShared(group)),
        options,
      ),
    },
    { columns, cut: (left) => colours.dim(`and ${left} more: use --verbose, or open the report`) },
  );
}

/** How much was checked, and why the rest was not; the run; warnings. */
function renderHead(report: Report, coverage: RuleCoverage, options: TerminalOptions): string[][] {
  const { verbose = false } = options;
  const colours = coloursFor(options.colour);
  const wrap = wrapperFor(options.columns);
  const few = (texts: readonly string[], count: number, what: string, render: (text: string) => string) => {
    if (verbose) return texts.map(render);
    const left = texts.length - count;
    const more = left > 0 ? [colours.dim(`and ${left} more ${what}${left === 1 ? '' : 's'}`)] : [];
    return [...texts.slice(0, count).map((text) => render(shortenProse(text, brief.characters))), ...more];
  };
  // On one screen, what is undecided has its reasons below.
  const gaps = coverage.gaps.filter(
    ({ outcome, checks }) => verbose || outcome === 'skipped' || isUnfinished(report, checks[0]!),
  );
  return [
    [
      colours.bold(formatCoverage(coverage)),
      ...few(formatGaps({ ...coverage, gaps }), brief.gaps, 'reason', (gap) =>
        wrap(`${colours.dim('not checked:')} `, gap),
      ),
    ],
    describeRun(report)
      .filter(([label]) => verbose || (brief.run as readonly string[]).includes(label))
      .map(([label, text]) => wrap(`${colours.dim(label.padEnd(8))} `, text)),
    report.suite.stopped === undefined ? [] : [wrap('', escapeInvisible(report.suite.stopped), colours.red)],
    few(report.warnings, brief.warnings, 'warning', (warning) =>
      wrap('', `warning: ${escapeInvisible(warning)}`, colours.yellow),
    ),
  ];
}

/** A cause in full, and on one line. */
function renderCause(report: Report, { lead, others, shownBy }: Cause, options: TerminalOptions) {
  const colours = coloursFor(options.colour);
  const wrap = wrapperFor(options.columns);
  const isObstacle = lead.obstacle !== undefined;
  const line = isObstacle
    ? renderObstacle(lead, others.length + 1, options)
    : renderOutcomeLine(lead, options.colour);
  const shown = shownBy ? renderLabelled(describeExchange(report, shownBy), colours, wrap) : [];
  // What blocks a check is all that there is to say about it.
  if (isObstacle && lead.outcome === 'blocked') {
    return { full: [line, ...shown, wrap('  ', shortenIds([lead, ...others]))], line };
  }
  const full = [...(isObstacle ? [line, ...shown] : []), ...renderCheck(report, lead, options)];
  if (others.length === 0) return { full, line };
  const also = wrap(
    `  ${colours.dim('also'.padEnd(8))} `,
    `probably for the same cause: ${shortenIds(others)}`,
  );
  const more = isObstacle ? '' : colours.dim(` (and ${others.length} more)`);
  return { full: [...full, also], line: `${line}${more}` };
}

/** What the target lacks, and how many checks that concerns. */
function renderObstacle(
  { outcome, obstacle = '' }: CheckResult,
  count: number,
  options: TerminalOptions,
): string {
  const label = `${coloursFor(options.colour)[colourOf[outcome]](outcome)}  `;
  const text = `${escapeInvisible(obstacle)}: ${count} ${count === 1 ? 'check' : 'checks'}`;
  return wrapperFor(options.columns)(label, text);
}

/** A line for each reason. What to do follows the last reason that it is about. */
function renderReasons(groups: readonly ReasonGroup[], options: TerminalOptions): string[] {
  const colours = coloursFor(options.colour);
  const wrap = wrapperFor(options.columns);
  return groups.flatMap((group, index) => {
    const { outcome, checks, reason } = group;
    const isListed = options.verbose === true || checks.length === 1;
    const shown = isListed ? shortenIds(checks) : `${checks.length} checks`;
    const label = `${colours[colourOf[outcome]](outcome)}  `;
    const line = wrap(label, `${shortenProse(reason, 300)} ${colours.dim(`(${shown})`)}`);
    const next = groups[index + 1];
    const isLast = next?.outcome !== outcome || adviceFor(next) !== adviceFor(group);
    if (!isLast || outcome === 'known') return [line];
    return [
      line,
      wrap(' '.repeat(outcome.length + 2), `to do: ${escapeInvisible(adviceFor(group))}`, colours.dim),
    ];
  });
}

/** The counts, the files, the verdict and the next step. */
function renderTail(report: Report, coverage: RuleCoverage, options: TerminalOptions): string[][] {
  const { reportDir } = options;
  const colours = coloursFor(options.colour);
  const wrap = wrapperFor(options.columns);
  const verdict = colours[verdictColours[exitCode(report)]](formatVerdict(report));
  const next = formatNextStep(report, reportDir === defaultReportDir ? undefined : reportDir);
  return [
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
      wrap(`${colours.dim('verdict ')} `, verdict),
      ...(next === undefined ? [] : [`${colours.dim('next    ')} ${next}`]),
    ],
  ];
}

/** Renders a check on one line, for the progress of a run. */
export function renderOutcomeLine({ id, outcome, ...check }: CheckResult, colour: boolean): string {
  const colours = coloursFor(colour);
  const violation = outcome === 'blocked' ? undefined : check.counterexample?.message;
  const reason = escapeInvisible(violation ?? check.reason ?? '');
  return `${colours[colourOf[outcome]](outcome)}  ${colours.bold(escapeInvisible(id))}  ${reason}`;
}

function renderCheck(report: Report, check: CheckResult, options: TerminalOptions): string[] {
  const colours = coloursFor(options.colour);
  const wrap = wrapperFor(options.columns);
  const title = `${colours[colourOf[check.outcome]](check.outcome)}  ${colours.bold(escapeInvisible(check.id))}`;
  const { counterexample } = check;
  const rule = formatRule(check);
  if (!counterexample || check.outcome === 'blocked') return [title, wrap('  ', formatReason(check))];
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
