/** Stands between the consumer and the server: records everything, and treats requests as the scenario says. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { RecordedExchange } from '../../reports/report.js';
import type { Chunk } from '../http/client.js';
import { decodeContent } from '../http/content-coding.js';
import { namesAndValues, type ReceivedResponse, recordExchange } from '../http/exchange.js';
import { defaultPeriodMs } from '../http/feed-times.js';
import { asObject, parseJson } from '../http/parse-json.js';
import type { Redactor } from '../http/redact.js';
import { forward } from '../http/reverse-proxy.js';
import type { Certificate, Certificates } from './certificates.js';
import type { Treatment } from './scenario.js';
import { rowsOf, treated } from './treated-body.js';
import { treatedHeaders } from './treated-headers.js';

/** A request of the consumer with its response, while it happens. */
interface Passage {
  readonly incoming: IncomingMessage;
  /** To the consumer. */
  readonly outgoing: ServerResponse;
  readonly method: string;
  /** As the consumer sent it. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly sentAt: number;
  /** How long nothing happened before the request, in milliseconds; for a feed, in no feed. */
  readonly pauseMs: number;
  body: string;
  endedAt: number | undefined;
  /** When the last row was sent. */
  lastRowAt: number | undefined;
  isComplete: boolean;
  response?: Omit<ReceivedResponse, 'complete'>;
}

/** What a treatment has left to do. */
interface Dose {
  readonly treatment: Treatment;
  /** Number of requests that come before those that get it. */
  before: number;
  left: number;
  /** Until when all requests get the answer, on the clock of `performance.now()`. */
  until: number;
  /** Number of requests before that, by what they ask for: one attempt of a consumer may take several requests. */
  readonly hasty: Map<string, number>;
}

/** Pauses between attempts differ by this factor at most, or they belong to one attempt. */
const similarPause = 4;

/** After so many attempts that came too early, even a server that insists lets the consumer go on. */
const mostInsistence = 15;

/** More of a body than a report keeps. */
const maxShownBytes = 16 * 1024 * 1024;

/** A consumer that has got no row or response and sent no request for this time waits for changes, in milliseconds. */
const quietMs = 250;

/** The address of the front. A server of another host has another name. */
export const ownAddress = '127.0.0.1';

export class Front {
  /**
   * Emits `row` with the id of the document for each row that the consumer gets, `vain` for a request while there is no
   * server, `spent` each time a treatment is used that may cost an attempt, `wait` when a time begins in which the consumer
   * must wait, `stored` when the server has answered that it has stored something, and `note` for whatever else happens, which
   * is a step in the timeline unless it is traffic.
   */
  readonly events = new EventEmitter<{
    row: [id: string];
    vain: [];
    spent: [];
    wait: [ms: number];
    stored: [what: 'checkpoint' | 'documents'];
    note: [text: string, kind?: 'traffic'];
  }>();
  /** Where the server is; undefined while there is none. */
  upstream: URL | undefined;
  /** Whether requests had cookies. */
  sawCookies = false;
  /** Whether the server has answered requests whose cookies had expired, or which had none any more. */
  sawExpiredCookies = false;
  /** Whether requests had a selector. */
  sawSelector = false;
  /** Whether requests were for an event stream. */
  readsEvents = false;
  /** Where credentials were sent that belong to this host. */
  leakedTo: string | undefined;
  /** Whether the consumer has sent a request without encryption, although the server has a certificate. */
  speaksPlainly = false;
  /** Whether the consumer has connected to a server with another certificate at the address of this one, and has left it. */
  hasMetImpostor = false;
  readonly #certificates: Certificates | undefined;
  readonly #clockRate: number;
  readonly #own: ReturnType<typeof createServer | typeof createSecureServer>;
  readonly #other = createServer();
  /** Ports of the consumer whose connections have got the certificate of an impostor. */
  readonly #deceived = new Set<number>();
  readonly #doses: Dose[];
  readonly #passages: Passage[] = [];
  readonly #expired = new Set<string>();
  readonly #cookies = new Set<string>();
  readonly #sinces: string[] = [];
  /** The most feeds that were open at the same time: each of them makes attempts of its own. */
  #parallelFeeds = 1;
  /** When the consumer was started last, on the clock of `performance.now()`. */
  #startedAt = 0;

  /**
   * @param certificates Default: the server speaks http.
   * @param clockRate how many times as fast as the real one the clock of the consumer is
   */
  constructor(treatments: readonly Treatment[], certificates?: Certificates, clockRate = 1) {
    this.#certificates = certificates;
    this.#clockRate = clockRate;
    // A client may use a connection again just when it is closed for having been idle, which no scenario is about.
    const options = { keepAliveTimeout: 0 };
    this.#own = certificates
      ? createSecureServer({ ...certificates.own, ...options })
      : createServer(options);
    this.#own.on('tlsClientError', ({ code }: NodeJS.ErrnoException) => {
      this.speaksPlainly ||= code === 'ERR_SSL_HTTP_REQUEST';
      this.events.emit('note', `a TLS handshake fails: ${code}`);
    });
    this.#doses = treatments.map((treatment) => ({
      treatment,
      before: treatment.after ?? 0,
      left: treatment.times ?? 1,
      until: 0,
      hasty: new Map(),
    }));
    this.#own.on('request', (incoming, outgoing) => {
      // Each side may close its connection at any time.
      this.#receive(incoming, outgoing).catch(() => {
        this.events.emit('note', 'the connection is closed', 'traffic');
        outgoing.destroy();
      });
    });
    this.#other.on('request', (incoming, outgoing) => {
      if (hasCredentials(incoming)) this.leakedTo = this.#otherUrl;
      outgoing.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>');
    });
  }

  async listen(): Promise<void> {
    await Promise.all([
      once(this.#own.listen(0, ownAddress), 'listening'),
      once(this.#other.listen(0, 'localhost'), 'listening'),
    ]);
  }

  get url(): string {
    return `${this.#certificates ? 'https' : 'http'}://${ownAddress}:${portOf(this.#own)}`;
  }

  get #otherUrl(): string {
    return `http://localhost:${portOf(this.#other)}`;
  }

  get hasRequests(): boolean {
    return this.#passages.length > 0;
  }

  /** Number of requests since the consumer was started last. */
  get requestsOfStart(): number {
    return this.#passagesSince(this.#startedAt).length;
  }

  /** When the longest wait that the server has asked for is over, on the clock of `performance.now()`. */
  get waitsUntil(): number {
    return Math.max(0, ...this.#doses.map(({ until }) => until));
  }

  /** The longest time without any byte that a request of the consumer allows, in milliseconds: SERVICE 4.5. */
  get allowedSilenceMs(): number {
    const live = this.#passages.filter(({ path }) => modeOf(path) !== 'normal');
    const periods = live.map(({ path }) => {
      const { heartbeat, timeout } = Object.fromEntries(queryOf(path));
      return Number(heartbeat ?? timeout) || defaultPeriodMs;
    });
    return Math.max(0, ...periods);
  }

  /** The most attempts of each feed in a time in which the server was away, or had said that the consumer must wait. */
  get hasty(): number {
    const most = Math.max(0, ...this.#doses.flatMap(({ hasty }) => [...hasty.values()]));
    return Math.ceil(most / this.#parallelFeeds);
  }

  /** The longest time that the consumer has waited before an attempt since its last start, in milliseconds. */
  get longestPauseMs(): number {
    return Math.max(0, ...this.#attempts.map(({ pauseMs }) => pauseMs));
  }

  /** When the consumer has tried again since a time, after a pause like its longest one. */
  attemptsSince(time: number): number[] {
    const least = this.longestPauseMs / similarPause;
    return this.#attempts
      .filter(({ sentAt, pauseMs }) => sentAt >= time && pauseMs >= least)
      .map(({ sentAt }) => sentAt);
  }

  /** Requests for feeds and those that failed. Others may mean nothing, such as one each second that only asks for life. */
  get #attempts(): Passage[] {
    return this.#passagesSince(this.#startedAt).filter(
      ({ path, endedAt, response }) =>
        isFeed(path) || (endedAt !== undefined && (response === undefined || response.status >= 400)),
    );
  }

  /** Whether the consumer has made an attempt since a time. */
  hasTriedSince(time: number): boolean {
    return this.#attempts.some(({ sentAt }) => sentAt >= time);
  }

  /** Number of connections on which the consumer waits for a response or for the rest of one. */
  get openRequests(): number {
    return this.#open.length;
  }

  /** What the server refused first, if it has answered no feed. */
  get refusal(): string | undefined {
    const isAnswered = ({ path, response }: Passage): boolean =>
      isFeed(path) && response !== undefined && response.status < 400;
    if (this.#passages.some(isAnswered)) return undefined;
    const refused = this.#passages.find(({ response }) => response !== undefined && response.status >= 400);
    return (
      refused &&
      `${refused.method} ${refused.path.split('?')[0]} is answered with ${refused.response!.status}`
    );
  }

  /** Whether the consumer waits for changes: in an open feed, or because it got no row twice in a row. */
  get isIdle(): boolean {
    const [previous, last] = this.#passages
      .filter(({ path, response }) => isFeed(path) && response)
      .slice(-2);
    const feed = last ?? previous;
    if (feed?.endedAt !== undefined)
      return [previous, last].every((each) => each?.isComplete && !each.lastRowAt);
    return feed !== undefined && performance.now() - this.#lastActivityIn(this.#passages) > quietMs;
  }

  #lastActivityIn(passages: readonly Passage[]): number {
    return Math.max(
      this.#startedAt,
      ...passages.map(({ sentAt, lastRowAt = 0, endedAt = 0 }) => Math.max(sentAt, lastRowAt, endedAt)),
    );
  }

  #passagesSince(time: number): Passage[] {
    return this.#passages.filter(({ sentAt }) => sentAt >= time);
  }

  /** Passages whose response has not ended. */
  get #open(): Passage[] {
    return this.#passages.filter(({ endedAt }) => endedAt === undefined);
  }

  /** The pauses of a consumer that was started before mean nothing for this one. */
  startConsumer(): void {
    this.#startedAt = performance.now();
  }

  cutAll(): void {
    for (const { outgoing } of this.#open) outgoing.destroy();
  }

  /**
   * From now on, another server answers at this address, which cannot show the certificate of this one. It answers nothing
   * but 503, and notes whether it gets credentials.
   */
  startImpostor(certificate: Certificate): void {
    this.#present(certificate);
    this.#own.on('connection', this.#meetImpostor);
  }

  endImpostor(): void {
    this.#own.off('connection', this.#meetImpostor);
    this.#present(this.#certificates!.own);
  }

  /** Each new connection gets this certificate. One whose handshake has begun goes on with the one before. */
  #present(certificate: Certificate): void {
    if ('setSecureContext' in this.#own) this.#own.setSecureContext(certificate);
    this.#own.closeAllConnections();
  }

  readonly #meetImpostor = (socket: Socket): void => {
    const port = socket.remotePort!;
    this.#deceived.add(port);
    socket.once('close', () => {
      this.#deceived.delete(port);
      this.hasMetImpostor = true;
      this.events.emit('note', 'the consumer has left the other server');
    });
  };

  /** Sends heartbeats in all feeds that wait for changes, each in a write of its own. */
  async sendHeartbeats(count: number): Promise<void> {
    for (const { path, outgoing } of this.#open) {
      if (modeOf(path) === 'normal' || !outgoing.headersSent) continue;
      const heartbeat = modeOf(path) === 'eventsource' ? 'event: heartbeat\ndata: \n\n' : '\n';
      for (let sent = 0; sent < count && !outgoing.destroyed; sent += 1) {
        outgoing.write(heartbeat);
        // Otherwise they would leave together.
        await nextTurn();
      }
    }
  }

  /** From now on, cookies that the consumer has sent mean nothing, and feeds that were opened with them have ended. */
  expireCookies(): void {
    for (const cookie of this.#cookies) this.#expired.add(cookie);
    this.cutAll();
  }

  async stop(): Promise<void> {
    const listeners = [this.#own, this.#other];
    const closed = listeners.map((listener) => once(listener.close(), 'close'));
    for (const listener of listeners) listener.closeAllConnections();
    await Promise.all(closed);
  }

  /** The last exchanges, with their times since `from` on the clock of `performance.now()`. */
  record(redact: Redactor, most: number, from: number): { exchanges: RecordedExchange[]; omitted: number } {
    const kept = this.#passages.slice(-most);
    const exchanges = kept.map(({ method, path, headers, body, sentAt, endedAt, isComplete, response }) =>
      recordExchange(
        { method, path },
        { method, prefix: '', path, headers, ...(body !== '' && { body }) },
        { sentAt, durationMs: (endedAt ?? performance.now()) - sentAt },
        response && { ...response, complete: isComplete },
        redact,
        from,
      ),
    );
    return { exchanges, omitted: this.#passages.length - kept.length };
  }

  async #receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = incoming;
    if (this.#deceived.has(incoming.socket.remotePort!)) {
      this.events.emit('note', `${method} ${path}, to the other server`, 'traffic');
      if (hasCredentials(incoming)) this.leakedTo = 'a server with another certificate';
      outgoing.writeHead(503, { connection: 'close' }).end();
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const sentAt = performance.now();
    // A login belongs to the attempt that it is made for.
    const earlier = this.#passagesSince(this.#startedAt).filter((each) => !isFeed(path) || isFeed(each.path));
    const passage: Passage = {
      incoming,
      outgoing,
      method,
      path,
      headers,
      sentAt,
      body: '',
      pauseMs: earlier.length === 0 ? 0 : sentAt - this.#lastActivityIn(earlier),
      endedAt: undefined,
      lastRowAt: undefined,
      isComplete: false,
    };
    this.#passages.push(passage);
    const feeds = this.#open.filter((each) => isFeed(each.path));
    this.#parallelFeeds = Math.max(this.#parallelFeeds, feeds.length);
    this.events.emit('note', `${method} ${path}`, 'traffic');
    outgoing.once('close', () => (passage.endedAt = performance.now()));
    const body = Buffer.concat(await incoming.toArray());
    if (body.length > 0) passage.body = shownBody(body, headers['content-encoding']);
    await this.#answer(passage, body);
  }

  async #answer(passage: Passage, body: Buffer): Promise<void> {
    const { path, headers } = passage;
    const { cookie } = headers;
    if (cookie !== undefined) {
      this.sawCookies = true;
      this.#cookies.add(cookie);
    }
    this.sawSelector ||= queryOf(path).get('filter') === '_selector';
    this.readsEvents ||= modeOf(path) === 'eventsource';
    const dose = this.#doseFor(passage);
    const { treatment } = dose ?? {};
    if (dose && treatment?.away) {
      this.#takeAttempt(dose, passage, treatment.away.ms);
      this.events.emit('note', 'the server is away, and the connection breaks');
      passage.outgoing.destroy();
      return;
    }
    if (dose && treatment?.answer && !treatment.answer.acts) {
      const { status, retryAfter = 0, asDate, type, body: text } = treatment.answer;
      this.#takeAttempt(dose, passage, 1000 * retryAfter);
      const waitMs = Math.max(dose.until - performance.now(), 0);
      const retry = asDate ? dateAfter(waitMs) : String(Math.ceil(waitMs / 1000));
      const headers = {
        'content-type': type ?? 'application/json',
        ...(retryAfter > 0 && { 'retry-after': retry }),
      };
      return this.#send(passage, status, headers, text);
    }
    const isSpent = treatment?.cut === undefined && treatment?.silence === undefined;
    if (dose && isSpent) this.#spend(dose);
    if (treatment?.redirect) {
      const location = new URL(path, this.#otherUrl).href;
      return this.#send(passage, 307, { location, 'content-type': 'text/plain' }, '');
    }
    if (treatment?.delayMs !== undefined) await pause(treatment.delayMs);
    const forwarded = this.#rewritten(path, treatment);
    if (treatment && forwarded !== path) this.events.emit('note', `the server answers as to ${forwarded}`);
    await this.#forward(passage, forwarded, body, dose);
  }

  /**
   * An attempt that the server does not get: it begins the time in which the consumer must wait, or comes in this time.
   *
   * @param waitMs that time, in milliseconds
   */
  #takeAttempt(dose: Dose, { method, path }: Passage, waitMs: number): void {
    const { treatment, hasty } = dose;
    const end = performance.now() + waitMs;
    if (performance.now() < dose.until) {
      const asked = `${method} ${path.split('?')[0]}`;
      const attempts = (hasty.get(asked) ?? 0) + 1;
      hasty.set(asked, attempts);
      if (treatment.answer?.insists && isFeed(path) && attempts < mostInsistence) dose.until = end;
      return;
    }
    this.#spend(dose);
    if (waitMs === 0) return;
    dose.until = end;
    this.events.emit('wait', waitMs);
  }

  #spend(dose: Dose): void {
    dose.left -= 1;
    if (mayCostAttempt(dose.treatment)) this.events.emit('spent');
  }

  #doseFor(passage: Passage): Dose | undefined {
    const { method, path } = passage;
    const isOf = {
      all: true,
      feeds: isFeed(path),
      'live feeds': modeOf(path) !== 'normal',
      logins: isLogin(method, path),
      writes: storedBy(passage) === 'documents',
    };
    return this.#doses.find((dose) => {
      const { treatment, left, until } = dose;
      if (performance.now() < until) return true;
      if (left === 0 || !isOf[treatment.of ?? 'feeds']) return false;
      if (dose.before === 0) return true;
      dose.before -= 1;
      return false;
    });
  }

  /** The path that the server gets. */
  #rewritten(path: string, treatment: Treatment | undefined): string {
    const query = queryOf(path);
    const since = query.get('since');
    const parameters: Record<string, string | null> = {
      ...this.#fasterPeriods(query),
      ...treatment?.parameters,
    };
    if (treatment?.earlierSince && this.#sinces.length > 0) {
      parameters['since'] = this.#sinces[Math.floor(this.#sinces.length / 2)]!;
    }
    if (since !== null) this.#sinces.push(since);
    for (const [name, value] of Object.entries(parameters)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return Object.keys(parameters).length === 0 ? path : `${path.split('?')[0]}?${query.toString()}`;
  }

  /** The periods that the consumer measures with a fast clock are as short for the server. */
  #fasterPeriods(query: URLSearchParams): Record<string, string> {
    const given = ['heartbeat', 'timeout'].filter((name) => this.#clockRate > 1 && query.has(name));
    const faster = (period: string): number =>
      Math.ceil((Number(period) || defaultPeriodMs) / this.#clockRate);
    return Object.fromEntries(given.map((name) => [name, String(faster(query.get(name)!))]));
  }

  #send(passage: Passage, status: number, headers: Record<string, string>, body: string): void {
    const bytes = Buffer.from(body);
    passage.response = {
      status,
      rawHeaders: Object.entries(headers),
      headersAtMs: performance.now() - passage.sentAt,
      chunks: [{ atMs: performance.now() - passage.sentAt, bytes }],
    };
    passage.isComplete = true;
    this.events.emit(
      'note',
      `gets ${status}${headers['retry-after'] ? `, Retry-After ${headers['retry-after']}` : ''}`,
    );
    passage.outgoing.writeHead(status, headers).end(bytes);
  }

  async #forward(passage: Passage, path: string, body: Buffer, dose: Dose | undefined): Promise<void> {
    if (!this.upstream) {
      this.events.emit('vain');
      throw new Error('There is no server now.');
    }
    const { cookie } = passage.headers;
    // A cookie that has expired is like none.
    const isExpired = cookie !== undefined && this.#expired.has(cookie);
    if (isExpired) this.events.emit('note', 'its cookie has expired');
    // A client that keeps cookies as long as they say.
    const hasNoneAnyMore =
      this.#expired.size > 0 && isFeed(passage.path) && !cookie?.includes('AuthSession=');
    await forward(passage.incoming, passage.outgoing, {
      target: this.upstream,
      path,
      body,
      without: isExpired ? ['cookie'] : [],
      onResponse: (response) => {
        this.sawExpiredCookies ||= isExpired || hasNoneAnyMore;
        const { answer, form } = dose?.treatment ?? {};
        const headers = treatedHeaders(namesAndValues(response.rawHeaders), form);
        return {
          ...(answer && { status: answer.status }),
          headers,
          body: this.#passing(response, headers, path, passage, dose),
          keepsLength: !answer && !form,
        };
      },
    });
  }

  /** The body of a response as the consumer gets it. */
  async *#passing(
    response: IncomingMessage,
    rawHeaders: ReceivedResponse['rawHeaders'],
    path: string,
    passage: Passage,
    dose: Dose | undefined,
  ): AsyncGenerator<Buffer> {
    const { statusCode = 502 } = response;
    const { answer } = dose?.treatment ?? {};
    const status = answer?.status ?? statusCode;
    const chunks: Chunk[] = [];
    const sinceSent = (): number => performance.now() - passage.sentAt;
    passage.response = {
      status,
      rawHeaders,
      headersAtMs: sinceSent(),
      chunks,
    };
    const stores = storedBy(passage);
    // Before the consumer knows it.
    if (stores && statusCode < 300) this.events.emit('stored', stores);
    const rows = rowsOf(modeOf(path) === 'eventsource', (id) => {
      passage.lastRowAt = performance.now();
      this.events.emit('row', id);
    });
    const countsAll =
      dose?.treatment.form?.countsRejected && modeOf(path) === 'normal' && queryOf(path).has('filter');
    const spend = (): void => {
      if (dose!.treatment.silence) this.events.emit('note', 'from here on, the connection is silent');
      this.#spend(dose!);
    };
    const body = answer
      ? answered(response, answer.body)
      : countsAll
        ? this.#countingRejected(response, passage)
        : treated(response, dose?.treatment, spend);
    for await (const bytes of body) {
      chunks.push({ atMs: sinceSent(), bytes });
      rows(bytes);
      yield bytes;
    }
    passage.isComplete = true;
    this.events.emit('note', `the response has ended${status === 200 ? '' : `, ${status}`}`, 'traffic');
  }

  /** Asks the server how many changes there are after the response without the filter. */
  async *#countingRejected(body: IncomingMessage, { path, headers }: Passage): AsyncGenerator<Buffer> {
    const text = Buffer.concat(await body.toArray()).toString();
    const { last_seq } = asObject(parseJson(text));
    const since = typeof last_seq === 'string' ? last_seq : JSON.stringify(last_seq);
    const url = new URL(`${path.split('?')[0]}?since=${encodeURIComponent(since)}&limit=0`, this.upstream);
    const { authorization = '', cookie = '' } = headers;
    const rest = (await (await fetch(url, { headers: { authorization, cookie } })).json()) as object;
    const { pending } = { pending: 0, ...rest };
    yield Buffer.from(text.replace(/"pending":\d+(?=\}\s*$)/, `"pending":${pending}`));
  }
}

/** Whether a request shows who the consumer is. */
const hasCredentials = ({ headers, method, url }: IncomingMessage): boolean =>
  headers.authorization !== undefined || headers.cookie !== undefined || isLogin(method, url);

const isLogin = (method = '', path = ''): boolean => method === 'POST' && path.split('?')[0] === '/_session';

/** A body in place of that of the server. */
async function* answered(body: IncomingMessage, text: string): AsyncGenerator<Buffer> {
  await body.toArray();
  yield Buffer.from(text);
}

/** A date in a header has whole seconds. */
const dateAfter = (ms: number): string => new Date(Math.ceil((Date.now() + ms) / 1000) * 1000).toUTCString();

/** Whether the consumer may have to try again. It reads a response that only has another form like any other. */
const mayCostAttempt = ({ of, after, times, form, ...others }: Treatment): boolean =>
  Object.keys(others).length > 0;

/** As a report shows it: a body that is compressed would hide what it says, also from what removes secrets. */
function shownBody(bytes: Buffer, encoding = 'identity'): string {
  const decoded = decodeContent(bytes, encoding, { maxOutputLength: maxShownBytes });
  return decoded ? new TextDecoder().decode(decoded) : `[${bytes.length} bytes that docfeed cannot decode]`;
}

/** What a request stores, if it is one that does. */
function storedBy({ method, path }: Passage): 'checkpoint' | 'documents' | undefined {
  const [, , document = ''] = path.split('?')[0]!.split('/');
  if (document === '_local') return method === 'PUT' ? 'checkpoint' : undefined;
  if (document === '_bulk_docs') return 'documents';
  return method === 'PUT' && document !== '' ? 'documents' : undefined;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const modeOf = (path: string): string => (isFeed(path) && queryOf(path).get('feed')) || 'normal';

const isFeed = (path: string): boolean => path.split('?')[0]!.endsWith('/_changes');

const queryOf = (path: string): URLSearchParams => new URL(path, 'http://host').searchParams;
