/** A proxy that judges what passes through it, as a library. */
import type { Dialect } from '../../openapi/generated/dialects.js';
import { rules } from '../../openapi/generated/rules.js';
import { currentEnvironment, docfeedVersion } from '../../reports/environment.js';
import { summarize } from '../../reports/outcomes.js';
import type { Report } from '../../reports/report.js';
import { type BaselineEntry, withBaseline } from '../engine/baseline.js';
import { Refusal } from '../engine/refusal.js';
import { baseUrl } from '../http/base-url.js';
import { loadDescription } from '../http/description.js';
import { connect } from '../http/http.js';
import { createRedactor } from '../http/redact.js';
import { detect, NotThisService, type Identity } from '../target/detect.js';
import type { FoundViolation } from './findings.js';
import { startRelay } from './relay.js';
import { JudgeThread, type Verdicts } from './thread.js';

/** In bytes. Longer bodies pass unjudged. */
const maxBodyBytes = 64 * 1024 * 1024;

/** Options of {@link startProxy}. Only `target` is required. */
export interface ProxyOptions {
  /** Base URL of the target. */
  readonly target: string;
  /** Default: 0, which chooses a free port. */
  readonly port?: number | undefined;
  /** The address to listen at. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default: detected by a request to the target. */
  readonly dialect?: Dialect | undefined;
  /** The service version of the target. Default: that of its greeting. */
  readonly serviceVersion?: string | undefined;
  /**
   * Whether the target has one copy of each database, so that a write is visible as soon as it is acknowledged. Default:
   * as a response to `GET /{db}` says.
   */
  readonly hasOneCopy?: boolean | undefined;
  /** Whether reports and recordings have the content of documents. Default: false. */
  readonly bodies?: boolean | undefined;
  /** The file to record the traffic into, in HAR 1.2. */
  readonly recording?: string | undefined;
  /** Deviations that are no findings: see `docfeed check --baseline`. */
  readonly baseline?: readonly BaselineEntry[] | undefined;
  /** Called once for each violation, as soon as it is found. */
  readonly onFinding?: (found: FoundViolation) => void;
  /** Called with a sentence about something that the user should know, such as that judging falls behind. */
  readonly onNotice?: (notice: string) => void;
}

/** A proxy that accepts connections. */
export interface Proxy {
  /** Where it listens, such as `http://127.0.0.1:40001`. */
  readonly url: string;
  readonly dialect: Dialect;
  readonly version: string | undefined;
  readonly requests: number;
  readonly openFeeds: number;
  readonly connections: number;
  /** The report on all that has passed until now. */
  report(): Promise<Report>;
  /** Closes all connections. @returns the report */
  stop(): Promise<Report>;
}

/**
 * Starts a proxy. Resolves when it accepts connections.
 *
 * @throws Refusal if the options are wrong or the target is not a supported service
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const startedAt = new Date();
  const target = baseUrl(options.target);
  const identity = await identify(target, options);
  const { dialect } = identity;
  const version = options.serviceVersion ?? identity.version;
  const { baseline = [], onFinding, onNotice = () => {} } = options;
  const thread = new JudgeThread(
    {
      ...{ target: target.href, dialect, version, maxBodyBytes, recording: options.recording },
      prefix: target.pathname.replace(/\/$/, ''),
      hasOneCopy: options.hasOneCopy ?? false,
      bodies: options.bodies ?? false,
      timeOrigin: performance.timeOrigin,
    },
    {
      onNotice,
      onFinding(found) {
        if (applyBaseline(found, baseline).outcome !== 'known') onFinding?.(found);
      },
    },
  );
  const { host = '127.0.0.1', port = 0 } = options;
  const relay = await startRelay({ target, host, port, tap: thread }).catch(async (error: Error) => {
    await thread.end();
    throw new Refusal('usage', `cannot listen at ${host}:${port}: ${error.message}`, { cause: error });
  });
  const report = async (): Promise<Report> =>
    trafficReport(await thread.verdicts(), {
      ...{ startedAt, url: target.href, identity, version, baseline },
      requests: thread.requests,
      warnings:
        thread.losses === 0
          ? []
          : [`Judging fell behind ${thread.losses} times, so that parts of the traffic passed unjudged.`],
    });
  return {
    ...{ url: relay.url, dialect, version, report },
    get requests() {
      return thread.requests;
    },
    get openFeeds() {
      return thread.openFeeds;
    },
    get connections() {
      return relay.connections;
    },
    async stop() {
      await relay.close();
      const last = await report();
      await thread.end();
      return last;
    },
  };
}

type KnownIdentity = Pick<Identity, 'dialect' | 'version' | 'greeting'>;

async function identify(target: URL, { dialect }: ProxyOptions): Promise<KnownIdentity> {
  if (dialect) return { dialect, greeting: {} };
  const connection = connect([target], undefined, createRedactor([]));
  try {
    return await detect(connection.client(new AbortController().signal, []), 0);
  } catch (error) {
    const problem =
      error instanceof NotThisService
        ? ` ${error.message}; use --dialect if it is one nevertheless`
        : `: ${(error as Error).message}`;
    throw new Refusal('target', target.href + problem, { cause: error });
  } finally {
    await connection.close();
  }
}

/**
 * Applies a baseline, which names the checks of the suite, to a violation of a rule. Traffic need not show a deviation,
 * and has no generated input.
 */
function applyBaseline(found: FoundViolation, baseline: readonly BaselineEntry[]): FoundViolation {
  const entries = baseline.map(({ input: _, ...entry }) => ({
    ...entry,
    check: entry.check.split('/')[0]!,
    sometimes: true,
  }));
  return { ...withBaseline(found, entries), counterexample: found.counterexample };
}

interface TrafficRun {
  readonly startedAt: Date;
  readonly url: string;
  readonly identity: KnownIdentity;
  readonly version: string | undefined;
  readonly baseline: readonly BaselineEntry[];
  readonly requests: number;
  readonly warnings: readonly string[];
}

export function trafficReport({ found, results }: Verdicts, run: TrafficRun): Report {
  const { startedAt, url, identity, version, baseline, requests, warnings } = run;
  const checks = results.map((result) => {
    const violations = found
      .filter(({ rule }) => rule === result.rule)
      .map((one) => applyBaseline(one, baseline));
    const shown = violations.find(({ outcome }) => outcome !== 'known') ?? violations[0];
    return shown ? { ...shown, cases: result.cases } : result;
  });
  return {
    format: 'docfeed-report/2',
    suite: {
      version: docfeedVersion,
      specification: loadDescription(identity.dialect).version,
      rules: rules.length,
      environment: currentEnvironment(),
      // Nothing is generated.
      ...{ seed: 0, profile: 'default' },
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
    },
    target: {
      ...{ url, greeting: identity.greeting, dialect: identity.dialect, capabilities: [] },
      ...(version !== undefined && { version }),
    },
    warnings: [
      `These are verdicts on ${requests} requests of applications. Rules that they do not show are skipped.`,
      ...warnings,
    ],
    checks,
    observations: [],
    summary: summarize(checks),
  };
}
