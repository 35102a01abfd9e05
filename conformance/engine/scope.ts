/** Runs a check, or one case of it, in a scope: it has its own evidence, and what it creates is removed at its end. */
import type { PropertySettings, ScopeContext } from './check.js';
import type { Evidence } from './evidence.js';
import { Blocked, OutOfTime, Violation } from './outcomes.js';
import type { SharedResults } from './shared-results.js';

/** What one check has used so far, in all its scopes. */
export interface Usage {
  requests: number;
  cases: number;
  /** Number of requests that were sent again because they got no complete response, or a 502, 503 or 504 by chance. */
  resends: number;
  /** Number of cases that failed, and that held when their reads waited for lagging copies. */
  lagging: number;
  /** Number of planned cases, if there was no time for all of them. */
  planned?: number;
}

/** A scope that is open. */
interface Scope<Context> {
  readonly context: Context;
  readonly evidence: Evidence;
  /** Removes what the scope created. */
  close(): Promise<void>;
}

/** Opens the scopes of a suite, and adds to their context what is its own. */
export interface Scopes<Context> {
  /**
   * @param options.check the id of the check
   * @param options.usage what to count the requests in
   * @param options.isSettled whether reads wait until no copy can lag behind the writes before them
   * @param options.outer evidence of the enclosing scope, which may have led to a violation in this one
   */
  openScope(
    base: ScopeContext<Context>,
    options: { check: string; usage: Usage; isSettled: boolean; outer: Evidence | undefined },
  ): Scope<Context>;
}

interface ScopeOptions {
  readonly check: string;
  readonly signal: AbortSignal;
  readonly property: PropertySettings;
  readonly usage: Usage;
  readonly observations: Map<string, unknown>;
  /** Missing in a scope that shares nothing. */
  readonly shared?: SharedResults | undefined;
  readonly isSettled?: boolean;
  /** Throws {@link NothingJudged} if the evidence has no response that the rule of the check is about. */
  readonly mustHaveJudged: (evidence: Evidence) => void;
}

/**
 * Runs `body`, then removes what it created. Adds the evidence to a violation.
 *
 * @param judges whether the body must judge a response of what the rule is about
 */
export async function inScope<Context extends ScopeContext<Context>, T>(
  scopes: Scopes<Context>,
  options: ScopeOptions,
  body: (context: Context) => Promise<T>,
  { outer, judges = true }: { outer?: Evidence; judges?: boolean } = {},
): Promise<T> {
  const scope = openScope(scopes, options, outer);
  try {
    const result = await body(scope.context);
    if (judges) options.mustHaveJudged(scope.evidence);
    return result;
  } catch (error) {
    if (isExplained(error)) scope.evidence.explain?.(error);
    throw error instanceof Violation ? scope.evidence.findingOf(error) : error;
  } finally {
    await scope.close();
  }
}

const isExplained = (error: unknown): error is Blocked | OutOfTime =>
  error instanceof Blocked || error instanceof OutOfTime;

function openScope<Context extends ScopeContext<Context>>(
  scopes: Scopes<Context>,
  options: ScopeOptions,
  outer?: Evidence,
): Scope<Context> {
  const { check, signal, property, usage, observations, shared, isSettled = false } = options;
  const base: ScopeContext<Context> = {
    signal,
    property,
    isAlone: shared === undefined,
    observe: (id, value) => void observations.set(id, value),
    inScope: (body, { isAlone = false, isSettled = false, judges = false } = {}) =>
      inScope(scopes, { ...options, ...(isAlone && { shared: undefined }), isSettled }, body, {
        outer: scope.evidence,
        judges,
      }),
    async shared(key, make) {
      if (!shared) return make(scope.context);
      const result = await shared.get(key, async (sharedSignal) => {
        // The end of the run removes what this creates.
        const { context, evidence } = openScope(scopes, {
          ...options,
          signal: sharedSignal,
          shared: undefined,
        });
        try {
          return { value: await make(context), evidence };
        } catch (error) {
          if (isExplained(error)) evidence.explain?.(error);
          throw error;
        }
      });
      scope.evidence.include(result.evidence);
      return result.value;
    },
    countCase: () => void (usage.cases += 1),
    countLag: () => void (usage.lagging += 1),
    reportReducedCases: (planned) => void (usage.planned = planned),
  };
  const scope = scopes.openScope(base, { check, usage, isSettled, outer });
  return scope;
}
