/** Checks a server that must not be written to: sends only requests that change nothing, and judges them as traffic. */
import { setTimeout as wait } from 'node:timers/promises';
import pMap from 'p-map';
import { type Dialect, type DialectNames, dialects } from '../../../openapi/generated/dialects.js';
import type { Report } from '../../../reports/report.js';
import { Inconclusive } from '../../engine/outcomes.js';
import { Refusal } from '../../engine/refusal.js';
import { baseUrl } from '../../http/base-url.js';
import type { Caller, Credentials, Exchange, HttpClient, TargetRequest } from '../../http/client.js';
import { loadDescription } from '../../http/description.js';
import { connect } from '../../http/http.js';
import { asObject, parseJson } from '../../http/parse-json.js';
import { Rate } from '../../http/rate.js';
import { createRedactor } from '../../http/redact.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';
import { feedModes } from '../../oracle/allowed-rows.js';
import { startTimeUnitMs } from '../../passing/knowledge.js';
import { sinceText } from '../../passing/known-order.js';
import { runSuite } from '../findings.js';
import { identify } from '../identify.js';
import { judgeTraffic, type PassingOptions } from '../judged-traffic.js';
import {
  acceptRequests,
  attachmentRequests,
  documentsRequest,
  filterRequests,
  lastEventRequest,
  lastRequests,
  mayWait,
  overriddenMs,
  overriddenRequests,
  parameterRequests,
  type Reading,
  resumeRequest,
  revisionRequests,
  type Row,
  rowsIn,
  waitingRequests,
  wrongRequests,
} from './feed-requests.js';
import { onlyHarmless } from './harmless.js';
import { Sender } from './sender.js';
import { loginRequest, sessionRequests } from './session-requests.js';
import { tellPassing } from './tell-passing.js';

/** Options of {@link checkReadOnly}. Only `target` and `databases` are required. */
export interface ReadOnlyOptions extends PassingOptions {
  /** Base URL of the target. */
  readonly target: string;
  /** The names of existing databases whose feeds are read. */
  readonly databases: readonly string[];
  /** A user who may read them. Default: anybody may. */
  readonly user?: Credentials | undefined;
  /** Tokens that the target accepts. */
  readonly tokens?: readonly string[] | undefined;
  /** How many rows of a feed a request asks for at most. Default: 1000. */
  readonly maxRows?: number | undefined;
  /** The greatest number of requests that the target gets in a second. Default: 20. */
  readonly maxRate?: number | undefined;
  /** Seconds after which a request is given up. Default: 30. */
  readonly timeout?: number | undefined;
  /** Aborts the run: it ends with a report on what was sent until then. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each request. */
  readonly onProgress?: ((requests: number) => void) | undefined;
}

/** The bounds of a run that the user does not choose. */
export const readOnlyDefaults = { maxRows: 1000, maxRate: 20, timeout: 30 } as const;

/** So many requests are open at the same time, besides the feeds that wait. */
const concurrency = 4;

/** A feed is read in so many pages. */
const pageCount = 8;

/** How many documents a response has at most. */
const maxDocuments = 50;

/** How long a run that ends early still judges what it has sent, in milliseconds. */
const stoppedMs = 1000;

/** How long a feed that waits is read, unless it ends. In milliseconds. */
const waitingMs = 3000;

/** While only feeds are open that wait, others show that the target works. In milliseconds. */
const witnessMs = 200;

/** @throws Refusal if the options are wrong, or the target or a database cannot be read */
export async function checkReadOnly(options: ReadOnlyOptions): Promise<Report> {
  const target = baseUrl(options.target);
  const { databases, user, tokens = [], timeout = readOnlyDefaults.timeout } = options;
  const rate = new Rate(options.maxRate ?? readOnlyDefaults.maxRate);
  const redact = createRedactor([...tokens, user?.password ?? []].flat());
  const connection = connect([target], user, redact, undefined, undefined, rate);
  const sender = new Sender(1000 * timeout, options.onProgress ?? (() => {}), options.signal);
  const { signal } = sender;
  const clientFor = (dialect: Dialect, ...observers: TrafficObserver[]): HttpClient =>
    connection.client(signal, [
      onlyHarmless(loadDescription(dialect), databases),
      sender.observer,
      ...observers,
    ]);
  try {
    const identity = await identify(clientFor('couchdb'), target, options);
    const { judging, report } = await judgeTraffic(identity, options, runSuite);
    try {
      const client = clientFor(identity.dialect, tellPassing(judging));
      const run = new ReadOnlyRun(
        options,
        (request) => sender.send(client, request),
        (request, ms) => sender.hold(client, request, ms),
      );
      const stopped = await run.run(dialects[identity.dialect], signal);
      const { requests, unanswered } = sender;
      const lost = [...unanswered].map(([operation, times]) => `${operation} (${times})`).join(', ');
      const loss =
        lost === ''
          ? []
          : `Requests that had no whole response, for which the run waits up to ${timeout} s: ${lost}.`;
      const proof = `All ${requests.length} requests of the run are of kinds that change nothing; the observation requests-sent lists them.`;
      const warnings = [proof, run.warnings, loss].flat();
      const withinMs = stopped === undefined ? undefined : stoppedMs;
      return withRequests(await report({ withinMs, warnings }), requests, stopped);
    } finally {
      await judging.end();
    }
  } finally {
    await connection.close();
  }
}

/** The report lists all requests, so that its readers see that none of them changes anything. */
function withRequests(report: Report, requests: readonly string[], stopped: string | undefined): Report {
  const { suite, observations } = report;
  return {
    ...report,
    suite: { ...suite, ...(stopped !== undefined && { stopped }) },
    observations: [...observations, { id: 'requests-sent', value: requests }],
  };
}

/** What is known of a feed before it is read. */
interface Extent {
  readonly reading: Reading;
  readonly isWhole: boolean;
}

class ReadOnlyRun {
  readonly warnings: string[] = [];
  readonly #options: ReadOnlyOptions;
  readonly #send: (request: TargetRequest) => Promise<Exchange | undefined>;
  readonly #hold: (request: TargetRequest, ms: number) => Promise<void>;
  readonly #as: Caller;

  constructor(
    options: ReadOnlyOptions,
    send: (request: TargetRequest) => Promise<Exchange | undefined>,
    hold: (request: TargetRequest, ms: number) => Promise<void>,
  ) {
    this.#options = options;
    this.#send = send;
    this.#hold = hold;
    const [token] = options.tokens ?? [];
    this.#as = options.user || token === undefined ? 'admin' : { authorization: `Bearer ${token}` };
  }

  /** @returns why the run ended early, if it did */
  async run(names: DialectNames, signal: AbortSignal): Promise<string | undefined> {
    const { databases } = this.#options;
    const extents: Extent[] = [];
    // What cannot be read is said before anything takes time.
    for (const name of databases) extents.push(await this.#extentOf(name));
    const steps = [
      () => this.#readSessions(names, extents),
      ...extents.map((extent) => () => this.#readDatabase(extent, signal)),
    ];
    for (const step of steps) if (!signal.aborted) await step();
    if (!signal.aborted) return undefined;
    const reason: unknown = signal.reason;
    return reason instanceof Inconclusive ? reason.message : 'The run was interrupted.';
  }

  /** Sends the requests, some of them at the same time. */
  async #sendAll(requests: readonly TargetRequest[]): Promise<void> {
    await pMap(
      requests,
      async (request) => {
        if (mayWait(request)) await this.#hold(request, waitingMs);
        else await this.#send(request);
      },
      { concurrency },
    );
  }

  /**
   * Sends each filter in normal mode first: a server that lacks it may break where a feed waits.
   *
   * @returns the filters that the target takes
   */
  async #sendFilters(requests: readonly TargetRequest[], signal: AbortSignal): Promise<ReadonlySet<unknown>> {
    const taken = new Set<unknown>();
    for (const filter of new Set(requests.map(({ query }) => query?.['filter']))) {
      const [first, ...others] = requests.filter(({ query }) => query?.['filter'] === filter);
      const status = (await this.#send(first!))?.status;
      // Then nothing is known of the filter.
      if (signal.aborted) break;
      if (status === 200) {
        taken.add(filter);
        await this.#sendAll(others);
      } else {
        const how = status === undefined ? 'gives no whole response to' : `answers ${status} to`;
        this.warnings.push(`The target ${how} \`filter=${String(filter)}\`, which was tried once.`);
      }
    }
    return taken;
  }

  async #readSessions(names: DialectNames, [first]: readonly Extent[]): Promise<void> {
    const { user, tokens = [] } = this.#options;
    await this.#sendAll(sessionRequests(user, tokens, names));
    if (!user) return;
    const login = await this.#send(loginRequest(user));
    const cookies = login?.headers.get('set-cookie') ?? [];
    const [cookie] = cookies.flatMap((line) => /^AuthSession=([^;]+)/.exec(line)?.[1] ?? []);
    if (cookie === undefined) return;
    const as = { cookie };
    await this.#sendAll([
      { path: '/', as },
      { path: '/_session', as },
      { path: first!.reading.path, as, query: { limit: 1 } },
    ]);
  }

  /** @throws Refusal if the feed cannot be read */
  async #extentOf(name: string): Promise<Extent> {
    const { maxRows = readOnlyDefaults.maxRows } = this.#options;
    const as = this.#as;
    const database = `/${encodeURIComponent(name)}`;
    const path = `${database}/_changes`;
    const first = await this.#send({ path, as, query: { limit: 1 } });
    mustBeFeed(name, first);
    const body = asObject(parseJson(first.text));
    const info = asObject(parseJson((await this.#send({ path: database, as }))?.text ?? ''));
    const rows = numberIn([rowsIn(body).length, body['pending']], [info['doc_count'], info['doc_del_count']]);
    const reading = {
      path,
      as,
      bounds: {},
      rows: Math.min(rows, maxRows),
      documents: Math.min(maxDocuments, maxRows),
    };
    if (rows <= maxRows) return { reading, isWhole: true };
    const newest = await this.#send({ path, as, query: { descending: true, limit: maxRows } });
    const { seq: since } = rowsIn(parseJson(newest?.text ?? '')).at(-1) ?? {};
    this.warnings.push(
      `The feed of ${name} is longer than ${maxRows} rows. Only the last ones were read; --max-rows chooses how many.`,
    );
    return { reading: { ...reading, bounds: { since, limit: maxRows } }, isWhole: false };
  }

  async #readDatabase({ reading, isWhole }: Extent, signal: AbortSignal): Promise<void> {
    const waiting = { areOpen: true };
    const feeds = Promise.all([
      ...waitingRequests(reading).map(([request, ms]) => this.#hold(request, ms)),
      ...overriddenRequests(reading).map(async (requests) => {
        for (const request of requests) await this.#hold(request, overriddenMs);
      }),
    ]).finally(() => (waiting.areOpen = false));
    // A database that is made again sooner may say that it is as old as before, so that nothing could be concluded.
    await wait(startTimeUnitMs, undefined, { signal }).catch(() => {});
    const { found, isAtEnd } = await this.#readPages(reading);
    const sample = await this.#send(documentsRequest(reading));
    const documents = rowsIn(parseJson(sample?.text ?? '')).map(({ doc }) => asObject(doc));
    await this.#sendAll(revisionRequests(reading, documents));
    const { bodies = false } = this.#options;
    // A filter that finds nothing would go through all that follows.
    if (!isWhole && !isAtEnd) {
      const problem = 'grew faster than it was read, so that filters would have had to go through too much';
      this.warnings.push(`The feed at ${reading.path} ${problem}. They were not tried.`);
    }
    const filters = isWhole || isAtEnd ? filterRequests(reading, found, documents, bodies) : [];
    await this.#sendAll([
      ...parameterRequests(reading),
      ...attachmentRequests(reading, found, documents),
      ...acceptRequests(reading),
    ]);
    const taken = await this.#sendFilters(filters, signal);
    await this.#sendAll(
      wrongRequests(reading).filter((request) => !mayWait(request) || taken.has(request.query?.['filter'])),
    );
    while (waiting.areOpen && !signal.aborted) {
      await this.#send({ path: '/' });
      await Promise.race([feeds, wait(witnessMs)]);
    }
    await feeds;
    // Shows what is still there, and whether others have replaced the database meanwhile.
    await this.#sendAll(lastRequests(reading));
    await this.#send({ path: reading.path.replace(/\/_changes$/, ''), as: reading.as });
  }

  /** Goes through the feed, and resumes from each page. */
  async #readPages(reading: Reading): Promise<{ found: Row[]; isAtEnd: boolean }> {
    const { maxRows = readOnlyDefaults.maxRows } = this.#options;
    const pages: Row[][] = [];
    const limit = Math.max(1, Math.ceil(reading.rows / pageCount));
    let since = reading.bounds['since'];
    let isAtEnd = false;
    // Nothing is read beside them, so that they show the order of all rows.
    for (let left = maxRows; left > 0 && !isAtEnd;) {
      const response = await this.#send(resumeRequest(reading, 'normal', since, limit));
      const body = asObject(parseJson(response?.text ?? ''));
      const rows = rowsIn(body);
      pages.push(rows);
      left -= rows.length;
      if (!('last_seq' in body)) break;
      isAtEnd = rows.length < limit;
      since = body['last_seq'];
    }
    await this.#sendAll([
      resumeRequest(reading, 'normal', since, limit),
      ...pages.flatMap((rows, page) => [
        ...resumedRows(rows).map(({ seq }, index) =>
          resumeRequest(reading, feedModes[(page + index) % feedModes.length]!, seq, limit),
        ),
        ...rows.slice(-1).map(({ seq }) => lastEventRequest(reading, sinceText(seq), limit)),
      ]),
    ]);
    return { found: pages.flat(), isAtEnd };
  }
}

/** From how many rows of a page the feed is read again. */
const resumedCount = 4;

/** Some rows of a page, from its whole length. */
const resumedRows = (rows: readonly Row[]): Row[] =>
  rows.filter((_, index) => {
    const part = (index * resumedCount) / rows.length;
    return Math.floor(part) !== Math.floor(part - resumedCount / rows.length);
  });

function mustBeFeed(name: string, response: Exchange | undefined): asserts response is Exchange {
  const status = response?.status;
  if (status === 200) return;
  if (status === 404)
    throw new Refusal('usage', `--database: the target has no database ${JSON.stringify(name)}`);
  if (status === 401 || status === 403) {
    const problem = `the target does not let this caller read the database ${JSON.stringify(name)} (${status})`;
    throw new Refusal('credentials', `${problem}: use --admin or --token with a user who may`);
  }
  const what = status === undefined ? 'gives no whole response' : `answers ${status}`;
  throw new Refusal('target', `the target ${what} to the feed of the database ${JSON.stringify(name)}`);
}

/** The sum of the first list that has numbers only. */
function numberIn(...lists: readonly (readonly unknown[])[]): number {
  const numbers = lists.find((list) => list.every((value) => typeof value === 'number'));
  return numbers ? (numbers as number[]).reduce((sum, value) => sum + value) : Infinity;
}
