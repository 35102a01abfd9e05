/** The last lines of a run: the verdict, and the one step that helps most now. */
import { findCauses } from '../causes.js';
import { isInPart, isUnfinished } from '../outcomes.js';
import { remedyOf } from '../reasons.js';
import { ruleCoverage, type RuleCoverage } from '../rule-coverage.js';
import type { CheckResult, Outcome, Report } from '../report.js';
import { escapeInvisible } from '../escape.js';
import { countRules, formatGaps, quote, rerunCommand } from './text.js';

const undecided = ['error', 'blocked', 'inconclusive'] as const satisfies readonly Outcome[];

export function formatVerdict({ target, checks, summary }: Report): string {
  const rulesWith = (wanted: Outcome): number =>
    new Set(checks.filter(({ outcome }) => outcome === wanted).map(({ rule }) => rule)).size;
  const failed = rulesWith('fail');
  if (failed > 0) {
    const verb = target.consumer ? 'consumer does not survive what is allowed by' : 'target violates';
    return `The ${verb} ${failed} ${failed === 1 ? 'rule' : 'rules'}.`;
  }
  const open = undecided.filter((outcome) => summary[outcome] > 0);
  const outdated = checks.filter(isOutdated).length;
  if (outdated > 0 && outdated === summary.error && open.length === 1) {
    return `All checked rules hold, but the baseline is out of date: ${outdated} ${outdated === 1 ? 'check' : 'checks'} that it expects to fail ${outdated === 1 ? 'passes' : 'pass'}.`;
  }
  if (open.length > 0) {
    return `The run could not decide: ${open.map((outcome) => `${summary[outcome]} ${outcome}`).join(', ')}.`;
  }
  if (summary.pass + summary.warn + summary.known === 0) return 'Nothing was checked.';
  const [warned, known] = [rulesWith('warn'), rulesWith('known')];
  const exceptions = [
    ...(warned === 0 ? [] : [`${warned} ${warned === 1 ? 'recommendation' : 'recommendations'}`]),
    ...(known === 0 ? [] : [`known deviations from ${known} ${known === 1 ? 'rule' : 'rules'}`]),
  ];
  const inPart = checks.filter((check) => check.outcome === 'pass' && isInPart(check)).length;
  const holds = inPart === 0 ? 'All checked rules hold' : 'Whatever was judged of the rules holds';
  return `${target.consumer ? 'The consumer survives all scenarios' : holds}${exceptions.length === 0 ? '' : `, except for ${exceptions.join(' and ')}`}.`;
}

/** Whether the error is one of the baseline: the check itself passes. */
const isOutdated = ({ outcome, remedy }: CheckResult): boolean => outcome === 'error' && remedy !== undefined;

/** Whether the check is blocked, and an administrator may help. */
function needsAdmin({ target }: Report, { outcome, exchange, counterexample }: CheckResult): boolean {
  const admin = target.capabilities.find(({ name }) => name === 'admin');
  const status = exchange?.response?.status ?? 401;
  return (
    outcome === 'blocked' &&
    !counterexample &&
    admin?.available === false &&
    (status === 401 || status === 403)
  );
}

/** What would have most rules checked that are not: first what the run needed. Nothing if docfeed knows no remedy. */
function formatNextGap({ gaps }: RuleCoverage): string | undefined {
  const mendable = gaps.filter(({ remedy }) => remedy !== undefined);
  const needing = mendable.find(({ missing }) => missing.length > 0);
  if (needing) return formatGaps({ gaps: [needing], unselected: 0 })[0];
  const [remedy] = mendable.map(({ remedy }) => remedy!);
  if (remedy === undefined) return undefined;
  const count = gaps.filter((gap) => gap.remedy === remedy).flatMap(({ checks }) => checks).length;
  return `${remedy} (${countRules(count)})`;
}

/**
 * @param reportDir folder of the report, if it is not the default one
 * @returns `undefined` if nothing is left to do
 */
export function formatNextStep(report: Report, reportDir?: string): string | undefined {
  const causes = findCauses(report.checks);
  if (
    !report.target.consumer &&
    causes.some(({ lead }) => lead.obstacle !== undefined && !needsAdmin(report, lead))
  ) {
    const words = [...report.target.url.split(' '), '--bring-up'];
    return `npx docfeed check ${words.map((word) => quote(escapeInvisible(word))).join(' ')}`;
  }
  const cause = causes.find(({ lead }) => lead.outcome === 'fail');
  if (cause) {
    const folder = reportDir === undefined ? [] : ['--report-dir', reportDir];
    const words = ['--explain', cause.lead.id, ...folder].map((word) => quote(escapeInvisible(word)));
    return `npx docfeed check ${words.join(' ')}`;
  }
  if (report.suite.stopped !== undefined) return 'run the same command again for the unfinished checks';
  const open = report.checks.find(
    (check) => (undecided as readonly Outcome[]).includes(check.outcome) && !isUnfinished(report, check),
  );
  if (!open) return formatNextGap(ruleCoverage(report));
  const admin = needsAdmin(report, open) ? 'use --admin name:password' : undefined;
  return remedyOf(report, open) ?? admin ?? rerunCommand(report, open);
}
