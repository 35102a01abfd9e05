/** Runs a check, or one case of it, in a scope with its own client, evidence and test data. */
import type { Capability } from '../../openapi/generated/rules.js';
import type { Counterexample } from '../../reports/report.js';
import type { CheckContext, PropertySettings } from '../target/check.js';
import type { Traffic } from '../http/traffic.js';
import type { TrafficObserver } from '../http/traffic-observer.js';
import { Violation } from './outcomes.js';
import { checkTarget, type TargetState } from '../target/check-target.js';
import { Evidence } from '../target/evidence.js';
import type { SharedResults } from './shared-results.js';
import { TestData } from '../target/test-data.js';

/** What all scopes of a run share. */
export interface RunState extends TargetState {
  readonly traffic: Traffic & TrafficObserver;
  readonly coverage: TrafficObserver;
  /** Capabilities that the user requires: a check that needs one of them is blocked instead of skipped. */
  readonly required: ReadonlySet<Capability>;
  readonly observations: Map<string, unknown>;
  /** Options that the generated cases depend on, for replay tokens. */
  readonly replayOptions: readonly string[];
  /** Removes secrets that the target may have repeated from a text. */
  readonly redact: (text: string) => string;
  readonly adapt: CheckContext['adapt'];
  /** The meaning of the terms in a text that a reader may not know. */
  readonly explainTerms: (text: string) => NonNullable<Counterexample['terms']>;
}

/** What one check has used so far, in all its scopes. */
export interface Usage {
  requests: number;
  cases: number;
  /** Number of requests that were sent again because they got no complete response, or 429 or 503. */
  resends: number;
  /** Number of cases that failed, and that held when their reads waited for lagging copies. */
  lagging: number;
  /** Number of planned cases, if there was no time for all of them. */
  planned?: number;
}

interface ScopeOptions {
  readonly signal: AbortSignal;
  readonly property: PropertySettings;
  readonly usage: Usage;
  /** Missing in a scope that shares nothing. */
  readonly shared?: SharedResults | undefined;
  /** Whether reads wait until no copy can lag behind the writes before them. */
  readonly isSettled?: boolean;
}

/** Runs `body`, then removes what it created on the target. Adds the evidence to a violation. */
export async function inScope<T>(
  state: RunState,
  options: ScopeOptions,
  body: (context: CheckContext) => Promise<T>,
  outer?: Evidence,
): Promise<T> {
  const evidence = new Evidence(outer);
  const { context, testData } = openScope(state, options, evidence);
  try {
    return await body(context);
  } catch (error) {
    throw error instanceof Violation ? evidence.findingOf(error) : error;
  } finally {
    await testData.removeAll();
  }
}

function openScope(
  state: RunState,
  options: ScopeOptions,
  evidence: Evidence,
): { context: CheckContext; testData: TestData } {
  const { signal, property, usage, shared, isSettled = false } = options;
  const requestCounter: TrafficObserver = {
    beforeSend: (_, { background = false }) => void (usage.requests += background ? 0 : 1),
    onResend: () => void (usage.resends += 1),
  };
  const observers = [requestCounter, evidence, state.traffic, state.coverage];
  const { log, lag } = evidence;
  const testData = new TestData(state, signal, { observers, log, lag, isSettled });
  const context: CheckContext = {
    signal,
    property,
    traffic: state.traffic,
    target: checkTarget(state, testData.client),
    ...testData.items,
    adapt: state.adapt,
    observe: (id, value) => void state.observations.set(id, value),
    inScope: (body, { isAlone = false, isSettled = false } = {}) =>
      inScope(state, { ...options, ...(isAlone && { shared: undefined }), isSettled }, body, evidence),
    async shared(key, make) {
      if (!shared) return make(context);
      const result = await shared.get(key, async (sharedSignal) => {
        const sharedOptions = { ...options, signal: sharedSignal, shared: undefined };
        const sharedEvidence = new Evidence();
        // The end of the run removes what this creates.
        const { context: sharedContext } = openScope(state, sharedOptions, sharedEvidence);
        return { value: await make(sharedContext), evidence: sharedEvidence };
      });
      evidence.include(result.evidence);
      return result.value;
    },
    countCase: () => void (usage.cases += 1),
    countLag: () => void (usage.lagging += 1),
    reportReducedCases: (planned) => void (usage.planned = planned),
  };
  return { context, testData };
}
