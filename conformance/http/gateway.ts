/**
 * What something between the suite and the target does to responses: it has not reached the target, or it ends responses
 * that take too long. Neither says anything of the target, so neither is a result.
 */
import { Unreachable } from '../engine/outcomes.js';
import type { SentRequest } from './exchange.js';
import type { ExchangeRecorder } from './exchange-recorder.js';
import { defaultPeriodMs, earlyToleranceMs } from './feed-times.js';
import { feedObject, parseJson } from './parse-json.js';
import { kindOf, mustEnd } from './request-kind.js';
import { Unanswered } from './unanswered.js';

/** Who has answered. */
export interface Answerer {
  readonly status: number;
  /** Such as `nginx/1.22.1`. */
  readonly server: string | undefined;
}

/**
 * Only a gateway answers so: it has not reached the target, or the response did not come in time. What is JSON is of the
 * target, which may be a gateway itself.
 */
export const isOfGateway = (status: number, mediaType = ''): boolean =>
  (status === 502 || status === timedOut) && !mediaType.startsWith('application/json');
const timedOut = 504;

const named = (server: string | undefined): string =>
  server === undefined ? '' : ` (\`Server: ${server}\`)`;

/** Such as `502 from something between (`Server: nginx/1.22.1`), whose log says why`. */
export const describeAnswer = ({ status, server }: Partial<Answerer>): string =>
  `${status} from something between${named(server)}, whose log says why`;

/** @returns what a request throws that only something between has answered. */
export function unreached({ method, path }: SentRequest, by: Answerer): Unreachable {
  const obstacle = `no response from the target, but ${describeAnswer(by)}`;
  return new Unreachable(`${obstacle}: ${method} ${path.split('?')[0]}`, { obstacle });
}

/** A limit of a gateway is at least so long, in milliseconds. */
const leastMs = 500;
/** How exactly it is kept and measured. */
const inexact = { share: 0.1, ms: 100 };

const isAbout = (one: number, other: number): boolean =>
  Math.abs(one - other) <= inexact.share * other + inexact.ms;

/** Remembers what something between does, and finds out after which silence it ends a response, if there is such a time. */
export class Gateway {
  /** How long the responses were silent that somebody has cut off, in milliseconds. */
  readonly #cuts: number[] = [];
  #count = 0;
  #last: Answerer | undefined;
  #limit: { readonly ms: number; readonly problem: string } | undefined;
  /** The longest silence that did not end a response, in milliseconds. */
  #longestMs = 0;

  /** How many requests only something between has answered, and who did last. */
  get answers(): { readonly count: number; readonly by: string } | undefined {
    return this.#last && { count: this.#count, by: describeAnswer(this.#last) };
  }

  /** A request was answered only by something between. */
  answered(by: Answerer): void {
    this.#count += 1;
    this.#last = by;
  }

  /** A response goes on, or has its end. */
  survived(silentMs: number): void {
    this.#longestMs = Math.max(this.#longestMs, silentMs);
  }

  /**
   * A response has no end, or the gateway has answered for the target. Once is chance.
   *
   * @returns what to throw if another one was cut off after the same silence, and none lasted longer
   */
  cut(recorder: ExchangeRecorder, by: Partial<Answerer>, silentMs: number): Unanswered | undefined {
    const { sent, request } = recorder;
    const waits = by.status === undefined ? !mustEnd(kindOf(sent, request.json)) : by.status === timedOut;
    if (!waits || silentMs < leastMs) return undefined;
    const others = this.#cuts.filter((other) => isAbout(silentMs, other));
    this.#cuts.push(silentMs);
    if (others.length === 0) return undefined;
    this.#limit ??= { ms: silentMs, problem: describeLimit(Math.min(silentMs, ...others), by) };
    const { ms, problem } = this.#limit;
    const isLonger = this.#longestMs > ms && !isAbout(this.#longestMs, ms);
    if (isLonger || !isAbout(silentMs, ms)) return undefined;
    const error = new Unanswered(`${problem[0]!.toUpperCase()}${problem.slice(1)}.`, { obstacle: problem });
    error.shownBy = recorder.record();
    return error;
  }
}

const describeLimit = (ms: number, { server }: Partial<Answerer>): string =>
  `feeds that send nothing for ${(ms / 1000).toPrecision(2)} s are cut off, as a gateway does${named(server)}; for nginx \`proxy_read_timeout\``;

/**
 * Whether the end of the connection is the end of the body. Without a length and without chunks, as in HTTP/1.0, nothing
 * else shows it. A body that is not whole after a silence was cut off.
 */
export function isWhole(
  { silentMs, sent, chunks }: ExchangeRecorder,
  headers: ReadonlyMap<string, readonly string[]>,
): boolean {
  if (headers.has('content-length') || headers.has('transfer-encoding') || silentMs < leastMs) return true;
  const query = new URLSearchParams(sent.path.split('?')[1]);
  // An event stream has no last event.
  if (query.get('feed') === 'eventsource') {
    const timeoutMs = Number(query.get('timeout') ?? defaultPeriodMs);
    // What ends earlier may be cut off: as an end, it would be a wrong one.
    return silentMs >= timeoutMs - earlyToleranceMs(timeoutMs);
  }
  const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString();
  const lastLine = text.trimEnd().split('\n').at(-1)!;
  return parseJson(text) !== undefined || feedObject(parseJson(lastLine)).lastSeq !== undefined;
}
