/** What several renderings say alike. */
import { outcomes, type CheckResult, type Outcome, type Report } from './report.js';

/** The order in which people want to see outcomes: what needs attention first. */
export const byUrgency: readonly Outcome[] = [
  'fail',
  'error',
  'blocked',
  'inconclusive',
  'warn',
  'known',
  'skipped',
  'pass',
];

/** `41 pass, 1 fail, 3 skipped`: the outcomes that occurred. */
export function counts(report: Report): string {
  const occurred = outcomes.filter((outcome) => report.summary[outcome] > 0);
  return (
    occurred.map((outcome) => `${report.summary[outcome]} ${outcome}`).join(', ') || 'nothing was checked'
  );
}

/** A JSON value on one printable line, cut after `limit` characters; `nothing` for an absent one. */
export function inline(value: unknown, limit = 300): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  return printable(text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text);
}

/** The command that runs the failing case again. */
export function replayCommand(report: Report, check: CheckResult): string | undefined {
  return check.replay && `docfeed check ${report.target.url} --replay ${check.replay}`;
}

/** Skipped checks by reason, so that ten checks of one missing capability are one line. */
export function skippedByReason(report: Report): [reason: string, ids: string[]][] {
  const groups = new Map<string, string[]>();
  for (const check of report.checks) {
    if (check.outcome !== 'skipped') continue;
    const reason = check.reason ?? '';
    groups.set(reason, [...(groups.get(reason) ?? []), check.id]);
  }
  return [...groups];
}

/** Control characters as escapes: a target must not be able to steer the terminal or break a line. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}
