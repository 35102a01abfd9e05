/** Sends requests to the target byte for byte, and records the exchanges with arrival times. */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, Client, type Dispatcher } from 'undici';
import { Answers, type UnansweredKind, type Watch } from './answers.js';
import { byLowerCaseName, namesAndValues, type SentRequest } from './exchange.js';
import { Places, type Place } from './places.js';
import { ExchangeRecorder } from './exchange-recorder.js';
import { operationName } from './describe-response.js';
import { toJson } from './parse-json.js';
import { BodyLimits, Oversized } from './oversized.js';
import { type Answerer, Gateway, isOfGateway, isWhole, unreached } from './gateway.js';
import { isRefusal, Rate, type Refusal } from './rate.js';
import type { Redactor } from './redact.js';
import { TrafficMeter } from './traffic-meter.js';
import type { ResendReason, TrafficObserver } from './traffic-observer.js';
import { Unreachable } from '../engine/outcomes.js';
import type { Unanswered } from './unanswered.js';
import { connectionError } from './unreachable.js';
import type {
  TargetRequest,
  Caller,
  Chunk,
  Credentials,
  Exchange,
  HttpClient,
  OpenExchange,
} from './client.js';

export interface Connection {
  /** Number of nodes. */
  readonly nodes: number;
  /** Counts all requests. */
  readonly meter: TrafficMeter;
  /** What the target does not answer, if the connection watches that. */
  readonly unanswered: readonly UnansweredKind[];
  /** What something between the suite and the target does. */
  readonly gateway: Gateway;
  /** How fast the requests of all clients are sent. */
  readonly rate: Rate;
  /** A client whose requests abort with `signal` and are visible to `observers`. */
  client(signal: AbortSignal, observers: readonly TrafficObserver[]): HttpClient;
  /** Requests for the database of this name go to this place from now on. */
  locate(name: string, place: Place): void;
  close(): Promise<void>;
}

/** Checks have time limits of their own. */
const withoutTimeouts = { headersTimeout: 0, bodyTimeout: 0 };

/** @param timeout seconds after which a response that need not wait is missing. */
export function answersOf(urls: readonly URL[], timeout: number, rate = new Rate()): Answers {
  return new Answers(timeout, async ({ method, path, address, headers, body = null }, { node, signal }) => {
    await rate.turn(signal);
    const base = urls[node]!;
    const to = address ?? { origin: base.origin, path: base.pathname.replace(/\/$/, '') + path };
    const client = new Client(to.origin, withoutTimeouts);
    try {
      const response = await client.request({ path: to.path, method, headers, body, signal });
      await response.body.dump({ limit: Infinity });
      const mediaType = [response.headers['content-type']].flat()[0];
      if (isRefusal(response.statusCode) || isOfGateway(response.statusCode, mediaType))
        throw new Unreachable(`the target does not handle it (${response.statusCode})`);
    } finally {
      // Without waiting: a request that has no response would never end.
      void client.destroy();
    }
  });
}

/**
 * @param urls base URLs of the nodes. A path in them becomes a prefix of all requests.
 * @param limits what is read of responses.
 * @param answers finds missing responses. Default: requests wait for ever.
 * @param rate how many requests are sent in a second. Default: any number.
 */
export function connect(
  urls: readonly URL[],
  admin: Credentials | undefined,
  redact: Redactor,
  limits = new BodyLimits(),
  answers?: Answers,
  rate = new Rate(),
): Connection {
  const dispatcher = new Agent({ ...withoutTimeouts, connections: 256 });
  const meter = new TrafficMeter();
  const places = new Places();
  const gateway = new Gateway();
  return {
    nodes: urls.length,
    meter,
    rate,
    gateway,
    get unanswered() {
      return answers?.unanswered ?? [];
    },
    client(signal, otherObservers) {
      const observers = [...otherObservers, meter];
      // A check may have many concurrent requests, and each listens to the signal.
      setMaxListeners(0, signal);

      const signalOf = (request: TargetRequest): AbortSignal =>
        request.signal ? AbortSignal.any([signal, request.signal]) : signal;
      const noteResend = (why: ResendReason): void => {
        for (const observer of observers) observer.onResend?.(why);
      };
      const openOnce = async (
        wanted: TargetRequest,
        isLast: boolean,
      ): Promise<CompletableExchange | RefusedExchange> => {
        const translation = places.translationOf(wanted);
        const request = translation?.request(wanted) ?? wanted;
        const base = urls[request.node ?? 0];
        if (!base) throw new RangeError(`The run has no node ${request.node}.`);
        const sent = places.address(composeRequest(request, base, admin), base);
        const origin = sent.address?.origin ?? base.origin;
        answers?.mustBeAnswered(sent, request);
        for (const observer of observers) observer.beforeSend?.(sent, request);
        await rate.turn(signalOf(request));
        const recorder = new ExchangeRecorder(request, sent, redact, observers, translation?.response());
        const watch = answers?.watch(sent, recorder);
        const signals = [signal, request.signal ?? [], watch?.signal ?? []].flat();
        const requestSignal = signals.length === 1 ? signal : AbortSignal.any(signals);
        const openWith = (client: Dispatcher): Promise<CompletableExchange | RefusedExchange> =>
          openExchange(client, origin, recorder, requestSignal, limits, {
            watch,
            gateway,
            explain: async (error, by) =>
              (error instanceof Unreachable && (await answers?.breaks(sent, recorder, by))) || error,
            isResult: (status) => isLast || !isRefusal(status),
          });
        if (!request.onNewConnection) return openWith(dispatcher);
        const client = new Client(origin, withoutTimeouts);
        const opened = openWith(client);
        // Closes the connection when the response has ended.
        void client.close();
        return opened;
      };
      const open = async (request: TargetRequest): Promise<CompletableExchange> => {
        let isRedirected = false;
        for (let attempt = 1; ; attempt += 1) {
          const exchange = await openOnce(request, !answers && attempt === fewAttempts);
          if (!('refusal' in exchange)) {
            rate.answered();
            if (isRedirected || !places.learn(request, exchange)) return exchange;
            isRedirected = true;
            for await (const chunk of exchange.chunks) void chunk;
            continue;
          }
          const { refusal, recorder } = exchange;
          rate.refused(refusal, attempt === 1);
          noteResend(rate.isLimit ? 'limited' : 'broken');
          const problem =
            attempt >= maxAttempts && (await answers?.refuses(recorder.sent, recorder, refusal.status));
          if (problem) {
            rate.forget(refusal.operation);
            throw problem;
          }
          if (rate.refusedMs > mostRefusedMs) throw allRefused(refusal);
          const of = signalOf(request);
          await rate.hold(() =>
            wait(delayMs(refusal, attempt), undefined, { signal: of }).catch(() => of.throwIfAborted()),
          );
        }
      };
      const complete = async (request: TargetRequest): Promise<Exchange> => {
        const exchange = await open(request);
        // Reading the chunks records them.
        for await (const chunk of exchange.chunks) void chunk;
        return exchange.finished();
      };

      return {
        open,
        async request(request) {
          try {
            return await complete(request);
          } catch (error) {
            if (!(error instanceof Unreachable) || !isSafe(request)) throw error;
            noteResend('broken');
            return complete(request);
          }
        },
      };
    },
    locate: (name, place) => places.set(name, place),
    close: () => dispatcher.destroy(),
  };
}

/** Whether the target answers the request at all. */
interface Answering {
  readonly watch: Watch | undefined;
  readonly gateway: Gateway;
  /** @returns what to throw for the error. */
  readonly explain: (error: unknown, by: Partial<Answerer>) => Promise<unknown>;
  /** Whether a response with this status is a result. Otherwise it only says that the request must be sent again. */
  readonly isResult: (status: number) => boolean;
}

const space = 0x20;

interface CompletableExchange extends OpenExchange {
  finished(): Exchange;
}

/** A request that the target does not handle now. */
interface RefusedExchange {
  readonly recorder: ExchangeRecorder;
  readonly refusal: Refusal;
}

/** How often a request is refused before its kind may be the reason. They take some seconds. */
const maxAttempts = 9;

/** The same where no refusal is an error: see {@link Answers.refuses}. */
const fewAttempts = 5;

/** The time between two attempts, in milliseconds. It doubles from the least to the most. */
const leastDelayMs = 50;
const mostDelayMs = 2_000;
/** How much of the time in Retry-After counts, in milliseconds. */
const mostRetryAfterMs = 5_000;

/** When a run does not go on whose requests are all refused, in milliseconds. */
const mostRefusedMs = 60_000;

function delayMs({ retryAfter }: Refusal, attempt: number): number {
  return retryAfter !== undefined && /^\d+$/.test(retryAfter)
    ? Math.min(Math.max(1000 * Number(retryAfter), leastDelayMs), mostRetryAfterMs)
    : Math.min(leastDelayMs * 2 ** (attempt - 1), mostDelayMs);
}

function allRefused({ status, retryAfter }: Refusal): Unreachable {
  const until = retryAfter === undefined ? '' : `, with \`Retry-After: ${retryAfter}\``;
  const problem = `the target has refused every request for ${mostRefusedMs / 1000} s (${status}${until})`;
  return new Unreachable(problem, { obstacle: problem });
}

/** Resolves when the response headers have arrived. */
async function openExchange(
  dispatcher: Dispatcher,
  origin: string,
  recorder: ExchangeRecorder,
  signal: AbortSignal,
  limits: BodyLimits,
  { watch, gateway, explain, isResult }: Answering,
): Promise<CompletableExchange | RefusedExchange> {
  const { sent } = recorder;
  const ended = (
    problem: unknown,
    { isBroken, by, silentMs }: { isBroken: boolean; by: Partial<Answerer>; silentMs: number },
  ): Promise<unknown> | Unanswered => {
    const cut = isBroken ? gateway.cut(recorder, by, silentMs) : undefined;
    watch?.end(signal.aborted ? 'closed' : 'broken');
    recorder.fail(isBroken);
    return cut ?? explain(problem, by);
  };
  const failed = (error: unknown, by: Partial<Answerer> = {}): Promise<unknown> | Unanswered => {
    const isBroken = !signal.aborted && (error as { code?: string }).code !== 'ECONNREFUSED';
    return ended(connectionError(sent, error, signal), { isBroken, by, silentMs: recorder.silentMs });
  };
  const response = await dispatcher
    .request({
      origin,
      path: sent.address?.path ?? sent.prefix + sent.path,
      method: sent.method,
      headers: sent.headers,
      body: sent.body ?? null,
      signal,
      responseHeaders: 'raw',
    })
    .catch(async (error: unknown) => {
      throw await failed(error);
    });
  const rawHeaders = namesAndValues(response.headers as unknown as string[]);
  const headers = byLowerCaseName(rawHeaders);
  const by = { status: response.statusCode, server: headers.get('server')?.[0] };
  const { silentMs } = recorder;
  const headersAtMs = recorder.addHead({ status: response.statusCode, rawHeaders });
  if (isOfGateway(response.statusCode, headers.get('content-type')?.[0])) {
    gateway.answered(by);
    await recorder.keep(response.body).catch(() => {});
    throw await ended(unreached(sent, by), { isBroken: !signal.aborted, by, silentMs });
  }
  gateway.survived(silentMs);
  if (!isResult(response.statusCode)) {
    watch?.end('closed');
    recorder.fail(false);
    // What is cut shows that it was refused as well.
    await recorder.keep(response.body).catch(() => signal.throwIfAborted());
    return { recorder, refusal: refusalOf(recorder, response.statusCode, headers) };
  }
  watch?.head();

  async function* chunks(): AsyncGenerator<Chunk> {
    const count = limits.begin();
    watch?.progress();
    try {
      for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
        const limit = count.add(bytes);
        // Leaving the loop closes the connection.
        if (limit !== undefined) throw tooLong(limit);
        gateway.survived(recorder.silentMs);
        // A heartbeat is no answer.
        if (bytes.some((byte) => byte > space)) watch?.progress();
        yield recorder.addChunk(bytes);
      }
      if (!isWhole(recorder, headers)) throw new Error('the connection ended before the response did');
      gateway.survived(recorder.silentMs);
      yield* recorder.lastChunk();
      watch?.end('answered');
      recorder.finish(true);
    } catch (error) {
      if (error instanceof Oversized) throw error;
      // After close() the body ends with an error.
      if (!recorder.isFinished) throw await failed(error, { server: by.server });
    } finally {
      count.end();
      watch?.end('closed');
      recorder.finish(false);
    }
  }

  function tooLong(limit: string): Oversized {
    recorder.finish(false, limit);
    const { method, path } = sent;
    return new Oversized(`the response to ${method} ${path.split('?')[0]} is longer than ${limit}`);
  }

  return {
    request: recorder.request,
    status: response.statusCode,
    headers,
    headersAtMs,
    chunks: chunks(),
    finished: () => recorder.finish(true),
    close() {
      if (recorder.isFinished) return;
      recorder.finish(false);
      // Destroying the body emits an error, which must have a listener.
      response.body.on('error', () => {}).destroy();
    },
  };
}

function refusalOf(
  { sent: { method, path }, sentAt }: ExchangeRecorder,
  status: number,
  headers: OpenExchange['headers'],
): Refusal {
  const [server, retryAfter] = ['server', 'retry-after'].map((name) => headers.get(name)?.[0]);
  return { operation: operationName(method, path), status, sentAt, server, retryAfter };
}

/** The base64 of `name:password` in UTF-8 (SERVICE 5.1). */
export function basicToken({ name, password }: Credentials): string {
  return Buffer.from(`${name}:${password}`, 'utf8').toString('base64');
}

function composeRequest(request: TargetRequest, base: URL, admin: Credentials | undefined): SentRequest {
  const headers: Record<string, string> = {
    // Some servers label JSON as text unless the client accepts JSON explicitly.
    accept: 'application/json',
    // Without this header, a server may choose any encoding (RFC 9110, section 12.5.3).
    'accept-encoding': 'identity',
    ...(request.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...callerHeaders(request.as ?? 'anonymous', admin),
  };
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
  const body = request.json === undefined ? request.body : JSON.stringify(request.json);
  return {
    method: request.method ?? 'GET',
    prefix: base.pathname.replace(/\/$/, ''),
    path: request.path + queryString(request.query ?? {}),
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
  const parameters = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : toJson(value);
      return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
    });
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}

const isSafe = ({ method = 'GET' }: TargetRequest): boolean => ['GET', 'HEAD'].includes(method);
