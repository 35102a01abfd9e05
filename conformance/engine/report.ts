/** Builds the report of a run. */
import { currentEnvironment, docfeedVersion } from '../../reports/origin.js';
import { summarize } from '../../reports/outcomes.js';
import type { CheckResult, Report } from '../../reports/report.js';
import { withBaseline } from './baseline.js';
import { limitSize, redactDeep } from './json-data.js';
import type { RunPlan } from './plan.js';
import type { RunOutcome } from './run.js';
import { judgeSecondChances, type SentRequests } from './second-chances.js';
import type { Selection } from './select.js';

export function buildReport(input: {
  startedAt: Date;
  cost: NonNullable<Report['suite']['cost']>;
  plan: RunPlan<unknown>;
  shard: Selection['shard'];
  /** The options of the run, as on the command line. */
  options: readonly string[];
  /** Version of the OpenAPI description. */
  specification: string;
  /** All rules that there are. */
  rules: readonly { readonly id: string; readonly area: string }[];
  run: RunOutcome;
  sent: SentRequests;
  target: Report['target'];
  /** Adds the warnings of the suite to those of the engine. */
  warnings: (ofEngine: readonly string[], results: readonly CheckResult[]) => string[];
  /** Removes secrets from a text that may quote a target. */
  redact: (text: string) => string;
}): Report {
  const { startedAt, cost, plan, shard, specification, rules, run, target, redact } = input;
  const known = run.results.map((result) => withBaseline(result, plan.baseline));
  const { results, warnings: secondChances } = judgeSecondChances(known, input.sent);
  return {
    format: 'docfeed-report/2',
    suite: {
      version: docfeedVersion,
      specification,
      rules: rules.length,
      environment: currentEnvironment(),
      unselected: rules
        .filter(({ id }) => !results.some(({ rule }) => rule === id))
        .map(({ id, area }) => ({ rule: id, area })),
      seed: plan.seed,
      profile: plan.profile,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      cost,
      ...(shard ? { shard } : {}),
      options: [...input.options],
      ...(run.stopped === undefined ? {} : { stopped: run.stopped }),
    },
    target,
    warnings: input.warnings([...reducedCaseWarnings(results), ...secondChances], results),
    checks: results,
    observations: [...run.observations].map(([id, value]) => ({
      id,
      value: redactDeep(redact, limitSize(value)),
    })),
    summary: summarize(results),
  };
}

/** Warns about checks that ran fewer generated cases than planned. */
function reducedCaseWarnings(results: readonly CheckResult[]): string[] {
  const reduced = results.flatMap(({ id, cases, planned }) =>
    planned === undefined ? [] : [`${id} (${cases} of ${planned})`],
  );
  if (reduced.length === 0) return [];
  return [`These checks had no time for all generated cases: ${reduced.join(', ')}.`];
}
