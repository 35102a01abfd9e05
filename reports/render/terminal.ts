import { join } from 'node:path';
import { createColors } from 'picocolors';
import { mostUrgentFirst } from '../outcomes.js';
import type { CheckResult, Outcome, Report } from '../report.js';
import {
  circumstances,
  counts,
  findings,
  idsByReason,
  printable,
  reasonOf,
  ruleText,
  seconds,
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

/** Outcomes whose reason is often one for many checks: a line a reason. */
const grouped = ['blocked', 'skipped'] as const;

/** How many ids stand beside such a reason. */
const idsShown = 6;

/** Whether people see colours there: on a terminal, and unless they have said that they do not want them. */
export function showsColour(stream: NodeJS.WriteStream): boolean {
  // Not a terminal: undefined, whatever the types say.
  return stream.isTTY === true && process.env['NO_COLOR'] === undefined;
}

/**
 * The summary that `docfeed check` prints: warnings, what needs attention and why, what was skipped, the counts.
 *
 * @param options.reportDir where the files of the report are; named at the end.
 */
export function renderTerminal(report: Report, options: { colour: boolean; reportDir?: string }): string {
  const colours = createColors(options.colour);
  const attention = mostUrgentFirst(report.checks).filter(
    ({ outcome }) => outcome !== 'pass' && !(grouped as readonly Outcome[]).includes(outcome),
  );
  const blocks = [
    circumstances(report).map(([label, text]) => `${colours.dim(label.padEnd(8))} ${text}`),
    report.warnings.map((warning) => colours.yellow(`warning: ${printable(warning)}`)),
    ...attention.map((check) => describe(report, check, colours, options.reportDir)),
    grouped.flatMap((outcome) =>
      idsByReason(report, outcome).map(
        ([reason, ids]) =>
          `${colours[colourOf[outcome]](outcome)}  ${reason} ${colours.dim(`(${several(ids)})`)}`,
      ),
    ),
    [`${colours.bold(counts(report))}  ${colours.dim(seconds(report.suite.durationMs))}`],
    options.reportDir === undefined
      ? []
      : [
          `report   ${join(options.reportDir, 'report.html')}`,
          colours.dim('         and report.json, junit.xml, summary.md beside it'),
        ],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function describe(report: Report, check: CheckResult, colours: Colours, reportDir?: string): string[] {
  const title = `${colours[colourOf[check.outcome]](check.outcome)}  ${colours.bold(printable(check.id))}`;
  const { counterexample } = check;
  const rule = ruleText(check);
  if (!counterexample || check.outcome === 'known') return [title, `  ${reasonOf(check)}`];
  return [
    `${title}  ${colours.dim(check.level)}`,
    `  ${printable(counterexample.message)}`,
    ...(rule === undefined ? [] : [`  ${colours.dim('rule    ')} ${rule}`]),
    ...findings(report, check, reportDir).map(([label, text]) => `  ${colours.dim(label.padEnd(8))} ${text}`),
  ];
}

function several(ids: readonly string[]): string {
  const more = ids.length - idsShown;
  return more > 1 ? `${ids.slice(0, idsShown).join(', ')} and ${more} more` : ids.join(', ');
}
