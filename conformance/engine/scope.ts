/** Runs a check, or one case of it, in a scope with its own client, evidence, databases and users. */
import type { Dialect, DialectNames } from '../../openapi/generated/dialects.js';
import type { Capability } from '../../openapi/generated/rules.js';
import type { CheckContext, CheckTarget, PropertySettings } from './check.js';
import type { Credentials, HttpClient } from '../http/client.js';
import type { Connection } from '../http/http.js';
import type { FeedVersion } from '../target/service-version.js';
import type { TargetInfo } from '../target/target-info.js';
import type { Traffic } from '../http/traffic.js';
import type { TrafficObserver } from '../http/traffic-observer.js';
import { Violation } from '../verdict/outcomes.js';
import type { Cleanup } from '../target/created-items.js';
import { Evidence } from './evidence.js';
import type { SharedResults } from './shared-results.js';
import { TestData } from './test-data.js';

/** What all scopes of a run share. */
export interface RunState {
  readonly connection: Connection;
  readonly traffic: Traffic & TrafficObserver;
  readonly coverage: TrafficObserver;
  readonly dialect: Dialect;
  readonly names: DialectNames;
  readonly version?: string;
  readonly feed: FeedVersion;
  readonly admin?: Credentials;
  /** What the kit knows about the target under its current settings. */
  readonly targetInfo: TargetInfo;
  /** Capabilities that the user requires: a check that needs one of them is blocked instead of skipped. */
  readonly required: ReadonlySet<Capability>;
  readonly observations: Map<string, unknown>;
  readonly cleanup: Cleanup;
  /** Options that the generated cases depend on, for replay tokens. */
  readonly replayOptions: readonly string[];
  /** Removes secrets that the target may have repeated from a text. */
  readonly redact: (text: string) => string;
  /** A name that no database, user or role of the target has. */
  freshName(): string;
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

/** Runs `body`, then removes the databases and users that it created. Adds the evidence to a violation. */
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
  const observers = [state.feed.guard, requestCounter, evidence, evidence.lag, state.traffic, state.coverage];
  const testData = new TestData(state, signal, { observers, evidence, isSettled });
  const context: CheckContext = {
    signal,
    property,
    traffic: state.traffic,
    target: checkTarget(state, testData.client),
    createDatabase: ({ query } = {}) => testData.createDatabase(query),
    openDatabase: (name) => testData.openDatabase(name),
    createUser: (user) => testData.createUser(user),
    planUser: (user) => testData.planUser(user),
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

function checkTarget(state: RunState, client: HttpClient): CheckTarget {
  const { dialect, names, version, feed, admin, connection, targetInfo } = state;
  return {
    ...client,
    dialect,
    nodes: connection.nodes,
    names,
    ...(version === undefined ? {} : { version }),
    ...(admin ? { admin } : {}),
    feed,
    auth: targetInfo.auth,
    has: (capability) => {
      // Otherwise the check would generate other cases when it runs alone than in a whole run.
      if (!targetInfo.capabilityStatuses.some(({ name }) => name === capability))
        throw new Error(`A check must name the capability "${capability}" in \`needs\` or \`optional\`.`);
      return targetInfo.capabilities.has(capability);
    },
    setting: (name) => targetInfo.settings.get(name),
  };
}
