import { createColors } from 'picocolors';
import type { CheckResult, Outcome, Report } from '../report.js';
import { byUrgency, counts, inline, printable, replayCommand, skippedByReason } from '../text.js';

type Colours = ReturnType<typeof createColors>;

const paint: Record<Outcome, (colours: Colours) => (text: string) => string> = {
  pass: (colours) => colours.green,
  fail: (colours) => colours.red,
  error: (colours) => colours.red,
  blocked: (colours) => colours.yellow,
  inconclusive: (colours) => colours.yellow,
  warn: (colours) => colours.yellow,
  known: (colours) => colours.cyan,
  skipped: (colours) => colours.dim,
};

/**
 * The summary that `docfeed check` prints: warnings, what needs attention and why, what was skipped, the counts.
 *
 * @param options.reportDir named at the end as the place of the full report.
 */
export function renderTerminal(report: Report, options: { colour: boolean; reportDir?: string }): string {
  const colours = createColors(options.colour);
  const attention = report.checks
    .filter((check) => check.outcome !== 'pass' && check.outcome !== 'skipped')
    .sort((a, b) => byUrgency.indexOf(a.outcome) - byUrgency.indexOf(b.outcome));
  const { target, suite } = report;
  const lines = [
    `${target.url}  dialect ${target.dialect}${target.version ? `, version ${target.version}` : ''}`,
    ...report.warnings.map((warning) => colours.yellow(`! ${printable(warning)}`)),
    '',
    ...attention.flatMap((check) => describe(report, check, colours)),
    ...skippedByReason(report).map(([reason, ids]) => colours.dim(`skipped  ${reason}: ${ids.join(', ')}`)),
    `${counts(report)}  (seed ${suite.seed}, ${(suite.durationMs / 1000).toFixed(1)} s)`,
  ];
  if (options.reportDir) lines.push(`report: ${options.reportDir}/report.html`);
  return `${lines.join('\n')}\n`;
}

function describe(report: Report, check: CheckResult, colours: Colours): string[] {
  const { counterexample } = check;
  const head = `${paint[check.outcome](colours)(check.outcome)}  ${colours.bold(check.id)}  ${printable(check.reason ?? '')}`;
  if (!counterexample || check.outcome === 'known') return [head, ''];
  const details: [string, string | undefined][] = [
    ['at', counterexample.path],
    ['expected', 'expected' in counterexample ? inline(counterexample.expected) : undefined],
    ['actual', 'expected' in counterexample ? inline(counterexample.actual) : undefined],
    ['input', 'input' in counterexample ? inline(counterexample.input) : undefined],
    ['replay', replayCommand(report, check)],
  ];
  return [
    head,
    ...details
      .filter(([, text]) => text !== undefined)
      .map(([label, text]) => `  ${label.padEnd(9)} ${text}`),
    '',
  ];
}
