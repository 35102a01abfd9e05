/** The recording HTTP client: sends what a check asks byte for byte and keeps what comes back with its times. */
import { setMaxListeners } from 'node:events';
import { Agent, type Dispatcher } from 'undici';
import { Inconclusive } from '../verdict/outcomes.js';
import {
  byLowerCaseName,
  finishedExchange,
  type ReceivedResponse,
  recordedExchange,
  type SentRequest,
} from './exchange.js';
import type { Redactor } from './redact.js';
import type {
  TargetRequest,
  Caller,
  Chunk,
  Credentials,
  Exchange,
  HttpClient,
  OpenExchange,
  SentExchange,
} from './client.js';

/** Sees every exchange, in the order in which they end. `inspect` may refuse a request before it is sent. */
export interface TrafficObserver {
  /** Throws when the kit itself is wrong about the request. */
  beforeSend?(request: SentRequest, ask: TargetRequest): void;
  /** A request that may never be answered. */
  onSent?(exchange: SentExchange): void;
  onFinished?(exchange: Exchange): void;
}

export interface Connection {
  /** How many URLs the target has. */
  readonly nodes: number;
  /** A client whose requests end with `signal` and are shown to `witnesses`. */
  client(signal: AbortSignal, witnesses: readonly TrafficObserver[]): HttpClient;
  close(): Promise<void>;
}

/** The target did not answer at all, or not in HTTP. */
export class Unreachable extends Inconclusive {}

/** @param urls base URLs of the nodes; a path in them is kept as a prefix. */
export function connect(urls: readonly URL[], admin: Credentials | undefined, redact: Redactor): Connection {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: 64 });

  return {
    nodes: urls.length,
    client(signal, witnesses) {
      // One check may have many requests in the air, and each listens for the end of its time.
      setMaxListeners(0, signal);

      const open = async (ask: TargetRequest): Promise<OpenExchange & { finished(): Exchange }> => {
        const base = urls[ask.node ?? 0];
        if (!base) throw new RangeError(`The run has no node ${ask.node}.`);
        const request = compose(ask, base, admin);
        for (const witness of witnesses) witness.beforeSend?.(request, ask);

        const ending = ask.signal ? AbortSignal.any([signal, ask.signal]) : signal;
        const sentAt = performance.now();
        const sinceSent = (): number => performance.now() - sentAt;
        const come: { response?: ReceivedResponse; ended?: Exchange } = {};
        const sent: SentExchange = {
          request: ask,
          sentAt,
          record(from) {
            if (come.ended) return come.ended.record(from);
            const times = { sentAt, durationMs: sinceSent() };
            return recordedExchange(ask, request, times, come.response, redact, from);
          },
        };
        for (const witness of witnesses) witness.onSent?.(sent);
        let response: Dispatcher.ResponseData;
        try {
          response = await dispatcher.request({
            origin: base.origin,
            path: request.prefix + request.path,
            method: request.method,
            headers: request.headers,
            body: request.body ?? null,
            signal: ending,
            responseHeaders: 'raw',
          });
        } catch (error) {
          throw brokenConnection(request, error, ending);
        }
        const rawHeaders = inPairs(response.headers as unknown as string[]);
        const status = response.statusCode;
        const headersAtMs = sinceSent();
        const arrived: Chunk[] = [];
        const answer = { status, rawHeaders, headersAtMs, chunks: arrived };
        come.response = { ...answer, complete: false };
        const end = (complete: boolean): Exchange => {
          if (come.ended) return come.ended;
          const times = { sentAt, durationMs: sinceSent() };
          come.ended = finishedExchange(ask, request, times, { ...answer, complete }, redact);
          for (const witness of witnesses) witness.onFinished?.(come.ended);
          return come.ended;
        };
        async function* chunks(): AsyncGenerator<Chunk> {
          try {
            for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
              const chunk = { atMs: sinceSent(), bytes };
              arrived.push(chunk);
              yield chunk;
            }
            end(true);
          } catch (error) {
            // After close() the end of the body is no news.
            if (!come.ended) throw brokenConnection(request, error, ending);
          } finally {
            end(false);
          }
        }
        return {
          status,
          headers: byLowerCaseName(rawHeaders),
          headersAtMs,
          chunks: chunks(),
          finished: () => end(true),
          close() {
            if (come.ended) return;
            end(false);
            // An aborted body reports its end as an error, which nobody is left to hear.
            response.body.on('error', () => {}).destroy();
          },
        };
      };

      const attempt = async (ask: TargetRequest): Promise<Exchange> => {
        const opened = await open(ask);
        // The body is kept by the exchange; here it only has to arrive.
        for await (const chunk of opened.chunks) void chunk;
        return opened.finished();
      };

      return {
        open,
        async request(ask) {
          try {
            return await attempt(ask);
          } catch (error) {
            if (!(error instanceof Unreachable) || !isSafe(ask)) throw error;
            return attempt(ask);
          }
        },
      };
    },
    close: () => dispatcher.destroy(),
  };
}

/** The base64 of `name:password` in UTF-8 (SERVICE 5.1). */
export function basicToken({ name, password }: Credentials): string {
  return Buffer.from(`${name}:${password}`, 'utf8').toString('base64');
}

function compose(ask: TargetRequest, base: URL, admin: Credentials | undefined): SentRequest {
  const headers: Record<string, string> = {
    // Some servers label JSON as text for whoever does not ask for it.
    accept: 'application/json',
    ...(ask.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...callerHeaders(ask.as ?? 'anonymous', admin),
  };
  for (const [name, value] of Object.entries(ask.headers ?? {})) headers[name.toLowerCase()] = value;
  const body = ask.json === undefined ? ask.body : JSON.stringify(ask.json);
  return {
    method: ask.method ?? 'GET',
    prefix: base.pathname.replace(/\/$/, ''),
    path: ask.path + queryString(ask.query ?? {}),
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

function callerHeaders(caller: Caller, admin: Credentials | undefined): Record<string, string> {
  if (caller === 'anonymous') return {};
  if (caller === 'admin') return admin ? { authorization: `Basic ${basicToken(admin)}` } : {};
  if ('basic' in caller) return { authorization: `Basic ${basicToken(caller.basic)}` };
  if ('cookie' in caller) return { cookie: `AuthSession=${caller.cookie}` };
  return { authorization: caller.authorization };
}

function queryString(query: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
    });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

const isSafe = (ask: TargetRequest): boolean => ['GET', 'HEAD'].includes(ask.method ?? 'GET');

function inPairs(flat: readonly string[]): (readonly [string, string])[] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!] as const);
}

const untrusted = 'NODE_EXTRA_CA_CERTS=FILE adds one that is trusted';

/** Where the words of the system are no help to whoever has typed the URL. */
const problems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host, or no name server answers',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what listens there does not speak TLS; is it http:// rather than https://?',
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is signed by itself; ${untrusted}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its certificate is signed by an authority that is not known; ${untrusted}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its certificate is signed by an authority that is not known; ${untrusted}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `its certificate is signed by an authority that is not known; ${untrusted}`,
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** What a failed request means: the end of the check's time, or a connection that nobody can judge by. */
function brokenConnection(request: SentRequest, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const { code, message } = error as Error & { code?: string };
  const detail = problems[code ?? ''] ?? (message.split('\n')[0] || code || 'no reason given');
  const path = request.path.split('?')[0];
  return new Unreachable(`no answer to ${request.method} ${path}: ${detail}`, { cause: error });
}
