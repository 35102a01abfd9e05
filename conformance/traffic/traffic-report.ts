/** The report on traffic, and the options that decide what it says. */
import type { Dialect } from '../../openapi/generated/dialects.js';
import { rules } from '../../openapi/generated/rules.js';
import { currentEnvironment, docfeedVersion } from '../../reports/origin.js';
import { summarize } from '../../reports/outcomes.js';
import type { Report } from '../../reports/report.js';
import { type BaselineEntry, withBaseline } from '../engine/baseline.js';
import { loadDescription } from '../http/description.js';
import type { FoundViolation } from './findings.js';
import type { JudgeOptions, Verdicts } from './judge.js';
import { feedPath } from '../passing/judges.js';

/** Options of {@link startProxy} and of recordings. */
export interface TrafficOptions {
  /** Default: as the greeting of the target shows. */
  readonly dialect?: Dialect | undefined;
  /** The service version of the target. Default: that of its greeting. */
  readonly serviceVersion?: string | undefined;
  /**
   * Whether the target has one copy of each database, so that a write is visible as soon as it is acknowledged. Default:
   * as a response to `GET /{db}` says.
   */
  readonly hasOneCopy?: boolean | undefined;
  /** The claims that the target requires of tokens, such as `exp`. Default: none is known. */
  readonly requiredClaims?: readonly string[] | undefined;
  /** Whether reports and recordings have the content of documents. Default: false. */
  readonly bodies?: boolean | undefined;
  /** Deviations that are no findings: see `docfeed check --baseline`. */
  readonly baseline?: readonly BaselineEntry[] | undefined;
}

/** What is known of the target. */
export interface TrafficTarget {
  readonly target: URL;
  readonly dialect: Dialect;
  readonly version?: string | undefined;
  readonly greeting: Record<string, unknown>;
}

export const judgeOptions = (
  { target, dialect, version }: TrafficTarget,
  { hasOneCopy = false, requiredClaims = [], bodies = false }: TrafficOptions,
  toShowMore = 'let requests pass that show it',
): JudgeOptions => ({
  dialect,
  version,
  hasOneCopy,
  requiredClaims,
  bodies,
  toShowMore,
  prefix: target.pathname.replace(/\/$/, ''),
});

interface TrafficRun extends TrafficTarget, Pick<TrafficOptions, 'baseline'> {
  readonly startedAt: Date;
  readonly requests: number;
  readonly warnings: readonly string[];
}

/**
 * Applies a baseline, which names the checks of the suite, to a violation of a rule. Traffic need not show a deviation,
 * and has no generated input.
 */
export function applyBaseline(
  found: FoundViolation,
  baseline: readonly BaselineEntry[] = [],
): FoundViolation {
  const { counterexample } = found;
  const { message, exchanges, violating = 0 } = counterexample;
  const { path = '' } = exchanges[violating]?.request ?? {};
  const isFiltered = /[?&]filter=/.test(path);
  const entries = baseline
    .filter(({ check }) => isFiltered || !check.includes('/filtered'))
    .map(({ input: _, ...entry }) => ({
      ...entry,
      check: entry.check.split('/')[0]!,
      // A check also sends requests, and says more than a passer-by sees.
      message: entry.message?.startsWith(message) ? message : entry.message,
      sometimes: true,
    }));
  // The suite names the feed with its query.
  const asInSuite = { ...counterexample, message: message.replace(feedPath, () => path) };
  return { ...withBaseline({ ...found, counterexample: asInSuite }, entries), counterexample };
}

export function trafficReport(
  { rules: verdicts, observations, capabilities }: Verdicts,
  run: TrafficRun,
): Report {
  const { target, dialect, version, greeting, baseline, startedAt, requests, warnings } = run;
  const checks = verdicts.map(({ violations, otherwise }) => {
    const found = violations.map((one) => applyBaseline(one, baseline));
    return found.find(({ outcome }) => outcome !== 'known') ?? found[0] ?? otherwise;
  });
  return {
    format: 'docfeed-report/2',
    suite: {
      version: docfeedVersion,
      specification: loadDescription(dialect).version,
      rules: rules.length,
      environment: currentEnvironment(),
      // The format requires them. Nothing is generated.
      seed: 0,
      profile: 'default',
      traffic: { requests },
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
    },
    target: {
      url: target.href,
      greeting,
      dialect,
      capabilities,
      ...(version !== undefined && { version }),
    },
    warnings: [...warnings],
    checks,
    observations,
    summary: summarize(checks),
  };
}
