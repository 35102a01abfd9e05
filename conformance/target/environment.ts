/** Runs checks against a target: opens their scopes there, and judges outcomes by what is known of it. */
import { type Counterexample, violatingExchange } from '../../reports/report.js';
import type { CheckOutcome } from '../engine/check-outcome.js';
import type { Environment } from '../engine/environment.js';
import { describeResponse } from '../http/describe-response.js';
import { symptomsOf } from '../http/symptoms.js';
import type { Traffic } from '../http/traffic.js';
import type { TrafficObserver } from '../http/traffic-observer.js';
import { type Check, type CheckContext, ruleOf } from './check.js';
import { checkTarget, type TargetState } from './check-target.js';
import { TargetEvidence } from './evidence.js';
import type { LostTargetGuard } from './lost-target.js';
import { groupBySettings, settingsOf } from './settings-groups.js';
import { outcomeOfSkip, reasonNotToRun } from './skip-reason.js';
import type { TargetSettings } from './apply-settings.js';
import { TestData } from './test-data.js';

/** What all checks of a run against a target have in common. */
interface TargetRun {
  readonly state: TargetState;
  readonly configuration: TargetSettings;
  readonly guard: LostTargetGuard;
  readonly traffic: Traffic & TrafficObserver;
  /** They see all requests of all checks. */
  readonly observers: readonly TrafficObserver[];
  /** Removes secrets that the target may have repeated from a text. */
  readonly redact: (text: string) => string;
  /** The meaning of the terms in a text that a reader may not know. */
  readonly explainTerms: (text: string) => NonNullable<Counterexample['terms']>;
}

export function targetEnvironment(run: TargetRun): Environment<CheckContext, Check> {
  const { state, configuration, guard, traffic, redact } = run;
  return {
    redact,
    describe(check) {
      const { id, area, level, statement, source } = ruleOf(check);
      const settings = settingsOf(check, state);
      return {
        ...{ rule: id, area, level, statement, source: [...source] },
        ...(Object.keys(settings).length > 0 && { settings }),
      };
    },
    reasonNotToRun: (check) => reasonNotToRun(check, ruleOf(check), state),
    async inGroups(checks, runGroup) {
      for (const group of groupBySettings(checks, state)) {
        await configuration.withSettings(group.settings, (targetInfo, problem) =>
          runGroup(group.checks, targetEnvironment({ ...run, state: { ...state, targetInfo } }), problem),
        );
      }
    },
    openScope(base, { usage, isSettled, outer }) {
      const evidence = new TargetEvidence(state.targetInfo.hasOneCopy, outer as TargetEvidence | undefined);
      const requestCounter: TrafficObserver = {
        beforeSend: (_, { background = false }) => void (usage.requests += background ? 0 : 1),
        onResend: () => void (usage.resends += 1),
      };
      const observers = [requestCounter, evidence, traffic, ...run.observers];
      const { log, lag } = evidence;
      const testData = new TestData(state, base.signal, { observers, log, lag, isSettled });
      return {
        context: { ...base, ...testData.items, target: checkTarget(state, testData.client), traffic },
        evidence,
        close: () => testData.removeAll(),
      };
    },
    conclude: (outcome, check) => conclude(outcome, check, run),
    reasonToEnd: ({ id }, reason) => guard.reasonIfLost(id, reason),
    onResend: () => state.connection.meter.onResend('broken'),
  };
}

/** A missing endpoint or a lacking capability explains some outcomes. Other counterexamples get what explains them. */
function conclude(outcome: CheckOutcome, check: Check, { state, explainTerms }: TargetRun): CheckOutcome {
  const { counterexample, obstacle } = outcome;
  const response = counterexample ? responseIn(counterexample) : obstacle;
  const missing = response === undefined ? undefined : state.targetInfo.missingEndpoints.get(response);
  if (missing !== undefined) return { outcome: 'blocked', reason: `${missing}.`, obstacle: missing };
  if (counterexample) {
    const rule = ruleOf(check);
    const { message, input } = counterexample;
    const text = [message, rule.statement, JSON.stringify(input, null, 2)].join('\n');
    const explained = { symptoms: symptomsOf(counterexample, rule), terms: explainTerms(text) };
    return { ...outcome, counterexample: { ...counterexample, ...explained } };
  }
  return outcome.missing === undefined ? outcome : outcomeOfSkip(outcome, outcome.missing, state);
}

/** The response of the violating exchange. */
function responseIn(counterexample: Counterexample): string | undefined {
  const { request, response } = violatingExchange(counterexample) ?? {};
  if (!request || !response) return undefined;
  return describeResponse({ ...request, status: response.status });
}
