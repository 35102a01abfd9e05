/** Builds the report of a run. */
import { rules } from '../../openapi/generated/rules.js';
import { currentEnvironment, docfeedVersion } from '../../reports/environment.js';
import { summarize } from '../../reports/outcomes.js';
import type { CheckResult, Report } from '../../reports/report.js';
import type { Identity } from '../target/detect.js';
import { limitSize } from '../http/json.js';
import { redactDeep } from '../http/redact.js';
import { withBaseline } from './baseline.js';
import type { Coverage } from '../target/coverage.js';
import type { ConformanceOptions } from '../target/options.js';
import type { RunPlan } from './plan.js';
import { reducedCaseWarnings } from './reduced-cases.js';
import { optionsOf } from './replay.js';
import type { RunState } from './scope.js';
import { judgeSecondChances } from './second-chances.js';

export function buildReport(input: {
  startedAt: Date;
  cost: NonNullable<Report['suite']['cost']>;
  options: ConformanceOptions;
  plan: RunPlan;
  identity: Identity;
  /** Version of the OpenAPI description. */
  specification: string;
  state: RunState;
  coverage: Coverage;
  /** Results without the baseline, and why the run ended early. */
  run: { readonly results: readonly CheckResult[]; readonly stopped?: string };
  /** Settings that the run changed for all checks. */
  provided: readonly string[];
  /** Warnings from before and after the checks. */
  warnings: { before: readonly string[]; after: readonly string[] };
}): Report {
  const { startedAt, cost, options, plan, identity, state, coverage, provided, warnings } = input;
  const { stopped } = input.run;
  const known = input.run.results.map((result) => withBaseline(result, plan.baseline));
  const { results, warnings: secondChances } = judgeSecondChances(known, state.connection.meter);
  return {
    format: 'docfeed-report/2',
    suite: {
      version: docfeedVersion,
      specification: input.specification,
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
      ...(options.shard ? { shard: options.shard } : {}),
      options: optionsOf(options),
      ...(stopped === undefined ? {} : { stopped }),
    },
    target: {
      url: plan.urls.map(String).join(' '),
      greeting: redactDeep(state.redact, limitSize(identity.greeting) as typeof identity.greeting),
      dialect: identity.dialect,
      ...(state.version === undefined ? {} : { version: state.version }),
      capabilities: [...state.targetInfo.capabilityStatuses],
      ...(provided.length > 0 ? { provided: [...provided] } : {}),
    },
    warnings: [
      ...warnings.before,
      ...coverage.warnings(results),
      ...reducedCaseWarnings(results),
      ...secondChances,
      ...warnings.after,
    ],
    checks: results,
    observations: [...state.observations].map(([id, value]) => ({
      id,
      value: redactDeep(state.redact, limitSize(value)),
    })),
    summary: summarize(results),
  };
}
