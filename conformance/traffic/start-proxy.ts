/** A proxy that judges what passes through it, as a library. */
import type { Dialect } from '../../openapi/generated/dialects.js';
import type { Report } from '../../reports/report.js';
import { Refusal } from '../engine/refusal.js';
import { baseUrl } from '../http/base-url.js';
import { connect } from '../http/http.js';
import { createRedactor } from '../http/redact.js';
import { detect, NotThisService } from '../session/probe/greeting.js';
import type { FoundViolation } from './findings.js';
import { Judging } from './judging.js';
import { startTappedProxy } from './tapped-proxy.js';
import {
  applyBaseline,
  judgeOptions,
  type TrafficOptions,
  trafficReport,
  type TrafficTarget,
} from './traffic-report.js';

/** Options of {@link startProxy}. Only `target` is required. */
export interface ProxyOptions extends TrafficOptions {
  /** Base URL of the target. */
  readonly target: string;
  /** Default: 0, which chooses a free port. */
  readonly port?: number | undefined;
  /** The address to listen at. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** The file to record the traffic into, in HAR 1.2. */
  readonly recording?: string | undefined;
  /** In bytes. If more traffic waits for its verdict, it passes unjudged. Default: 64 MiB. */
  readonly maxWaitingBytes?: number | undefined;
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
  /** What has passed and is not judged yet, with what each event needs, in bytes. */
  readonly waitingBytes: number;
  /** The report on all that has passed until now. */
  report(): Promise<Report>;
  /**
   * Closes all connections.
   *
   * @param options.withinMs how long what has passed may still be judged. The report says what was not. Default: until
   *   everything is judged.
   * @returns the report
   */
  stop(options?: { readonly withinMs?: number }): Promise<Report>;
}

/**
 * Starts a proxy. Resolves when it accepts connections.
 *
 * @throws Refusal if the options are wrong or the target is not a supported service
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const startedAt = new Date();
  const identity = await identify(baseUrl(options.target), options);
  const { target, dialect, version } = identity;
  const { baseline, recording, maxWaitingBytes, onFinding, onNotice = () => {} } = options;
  const judging = new Judging(
    {
      ...judgeOptions(identity, options),
      target: target.href,
      recording,
      timeOrigin: performance.timeOrigin,
    },
    {
      onNotice,
      onFinding(found) {
        if (applyBaseline(found, baseline).outcome !== 'known') onFinding?.(found);
      },
    },
    maxWaitingBytes,
  );
  const { host = '127.0.0.1', port = 0 } = options;
  const proxy = await startTappedProxy({ target, host, port, tap: judging }).catch(async (error: Error) => {
    await judging.end();
    throw new Refusal('usage', `cannot listen at ${host}:${port}: ${error.message}`, { cause: error });
  });
  const report = async (withinMs?: number): Promise<Report> => {
    const verdicts = await judging.verdicts(withinMs);
    const { requests, losses, unjudgedBytes } = judging;
    const times = losses === 1 ? 'once' : `${losses} times`;
    const warnings = [
      ...(losses === 0
        ? []
        : [`Judging fell behind ${times}, so that parts of the traffic passed unjudged.`]),
      ...(unjudgedBytes === 0
        ? []
        : [
            `Judging was stopped before its end: of what passed last, ${inMegabytes(unjudgedBytes)} are unjudged.`,
          ]),
    ];
    return trafficReport(verdicts, { ...identity, baseline, startedAt, requests, warnings });
  };
  return {
    url: proxy.url,
    dialect,
    version,
    report: () => report(),
    get requests() {
      return judging.requests;
    },
    get openFeeds() {
      return judging.openFeeds;
    },
    get connections() {
      return proxy.connections;
    },
    get waitingBytes() {
      return judging.waitingBytes;
    },
    async stop({ withinMs } = {}) {
      await proxy.close();
      const last = await report(withinMs);
      await judging.end(withinMs === undefined ? undefined : endMs);
      return last;
    },
  };
}

/** How long the judge may take to end if the proxy must end soon, in milliseconds. */
const endMs = 200;

/** With what each event needs, so that it is more than passed. */
export const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

async function identify(target: URL, { dialect, serviceVersion }: ProxyOptions): Promise<TrafficTarget> {
  if (dialect) return { target, dialect, version: serviceVersion, greeting: {} };
  const connection = connect([target], undefined, createRedactor([]));
  try {
    const identity = await detect(connection.client(new AbortController().signal, []), 0);
    return { target, ...identity, version: serviceVersion ?? identity.declared.version };
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
