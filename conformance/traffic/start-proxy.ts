/** A proxy that judges what passes through it, as a library. */
import type { Dialect } from '../../openapi/generated/dialects.js';
import type { Report } from '../../reports/report.js';
import { Refusal } from '../engine/refusal.js';
import { baseUrl } from '../http/base-url.js';
import { connect } from '../http/http.js';
import { createRedactor } from '../http/redact.js';
import { identify } from './identify.js';
import { judgeTraffic, type PassingOptions } from './judged-traffic.js';
import { startTappedProxy } from './tapped-proxy.js';

/** Options of {@link startProxy}. Only `target` is required. */
export interface ProxyOptions extends PassingOptions {
  /** Base URL of the target. */
  readonly target: string;
  /** Default: 0, which chooses a free port. */
  readonly port?: number | undefined;
  /** The address to listen at. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
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
  const connection = connect([baseUrl(options.target)], undefined, createRedactor([]));
  const client = connection.client(new AbortController().signal, []);
  const identity = await identify(client, baseUrl(options.target), options).finally(() => connection.close());
  const { target, dialect, version } = identity;
  const { judging, report } = await judgeTraffic(identity, options);
  const { host = '127.0.0.1', port = 0 } = options;
  const proxy = await startTappedProxy({ target, host, port, tap: judging }).catch(async (error: Error) => {
    await judging.end();
    throw new Refusal('usage', `cannot listen at ${host}:${port}: ${error.message}`, { cause: error });
  });
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
      const last = await report({ withinMs });
      await judging.end(withinMs === undefined ? undefined : endMs);
      return last;
    },
  };
}

/** How long the judge may take to end if the proxy must end soon, in milliseconds. */
const endMs = 200;
