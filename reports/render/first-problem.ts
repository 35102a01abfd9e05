/** The first thing to do about a report: one rule, the request, and the answer; then what else does not hold. */
import { findCauses } from '../causes.js';
import { escapeInvisible } from '../escape.js';
import { mostUrgentFirst } from '../outcomes.js';
import { type CheckResult, violatingExchange } from '../report.js';
import { type curlCommand, describeExchange } from './curl.js';
import { renderOutcomeLine, type TerminalOptions } from './terminal.js';
import { coloursFor, renderLabelled, wrapperFor } from './terminal-text.js';
import { describeDifference, formatRule, formatTitle } from './text.js';

/**
 * @param report where the requests went
 * @param problems the checks that do not hold, at least one
 */
export function renderFirstProblem(
  report: Parameters<typeof curlCommand>[0],
  problems: readonly CheckResult[],
  options: TerminalOptions,
): string[] {
  const [cause] = findCauses(problems);
  const check = cause?.lead ?? mostUrgentFirst(problems)[0]!;
  const { id, level, obstacle, counterexample } = check;
  const shownBy = cause?.shownBy ?? check.exchange;
  const exchange = shownBy ?? (counterexample && violatingExchange(counterexample));
  const others = mostUrgentFirst(problems.filter((problem) => problem !== check));
  const lines: readonly (readonly [label: string, text: string | undefined])[] = [
    ['cause', obstacle && escapeInvisible(obstacle)],
    ['problem', escapeInvisible(formatTitle(check))],
    ['rule', `${escapeInvisible(id)} (${level}): ${formatRule(check) ?? ''}`],
    ...(exchange ? describeExchange(report, exchange) : []),
    // The answer to the smallest request need not have the same difference.
    ...(counterexample && !shownBy ? describeDifference(counterexample) : []).map(
      (line) => ['', line] as const,
    ),
    ['also', others.length === 0 ? undefined : `${others.length} more of this rung:`],
  ];
  const labelled = renderLabelled(
    lines.flatMap(([label, text]) => (text === undefined ? [] : [[label, text] as const])),
    coloursFor(options.colour),
    wrapperFor(options.columns),
  );
  return [...labelled, ...others.map((other) => `    ${renderOutcomeLine(other, options.colour)}`)];
}
