/** Follows feeds that stay open. Every row, heartbeat and end is available to the check as soon as it arrives. */
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { FeedRecord } from '../../reports/report.js';
import { withQuery, type FeedMode, type FeedRequest } from '../oracle/allowed-rows.js';
import { isInTime, isSlow, judgeInTime, type Probes } from '../engine/deadlines.js';
import { must } from '../engine/matchers.js';
import { describeResponse } from '../http/describe-response.js';
import { Blocked, Violation } from '../engine/outcomes.js';
import type { DatabaseClient, Exchange, OpenExchange } from '../http/client.js';
import { Oversized } from '../http/oversized.js';
import { recordFeed } from './feed-record.js';
import { feedReaders, type Arrival, type RowArrival } from './feed-readers.js';
import { changesRequest, type Row, type SentFeedRequest } from './read-feed.js';

export interface LiveRequest extends SentFeedRequest {
  readonly mode: FeedMode;
}

/** How long to wait for a condition. */
interface WaitOptions {
  /** When it should be met, on the clock of `performance.now()`. Default: now. */
  readonly by?: number;
  /** How much later it may still be met: see {@link isInTime}. */
  readonly graceMs?: number;
}

const mediaTypes: Readonly<Record<FeedMode, string>> = {
  normal: 'application/json',
  longpoll: 'application/json',
  // Some servers refuse a continuous feed if the client only accepts text or JSON.
  continuous: '*/*',
  eventsource: 'text/event-stream',
};

/** More rows, heartbeats and empty lines than a conforming target sends to any check. They use up memory. */
const maxArrivals = 100_000;

/** A request that the target answers immediately, to probe whether it is working: see {@link isInTime}. */
const ping = (database: DatabaseClient): Promise<Exchange> =>
  database.request({ path: '', background: true });

/** Parameters with which the response would be long, or wait. */
const withoutWaiting = {
  feed: undefined,
  since: undefined,
  timeout: undefined,
  heartbeat: undefined,
  limit: 1,
};

/**
 * What shows whether the target is working: see {@link isInTime}. A busy target may accept a new connection long after a
 * request on an open one, and evaluate a filter long after it has answered other requests.
 *
 * @param request the request to the feed that is waited for.
 */
export const probesOf = (database: DatabaseClient, request: FeedRequest): Probes => ({
  probe: async () => {
    await database.settled();
    await ping(database);
  },
  control: (signal) =>
    database.request({
      ...(request.query?.filter === undefined
        ? { path: '' }
        : changesRequest(withQuery({ ...request, headers: {} }, withoutWaiting))),
      background: true,
      onNewConnection: true,
      signal,
    }),
});

/**
 * Opens a feed, calls `body` with it, and closes it. The feed is also closed before a violation leaves this function,
 * so that its response is part of the evidence.
 */
export async function withLiveFeed<T>(
  database: DatabaseClient,
  request: LiveRequest,
  body: (feed: LiveFeed) => Promise<T>,
): Promise<T> {
  return withLiveFeeds(database, [request], ([feed]) => body(feed!));
}

/** Like {@link withLiveFeed} for several feeds that are open at the same time. */
export async function withLiveFeeds<T>(
  database: DatabaseClient,
  requests: readonly LiveRequest[],
  body: (feeds: readonly LiveFeed[]) => Promise<T>,
): Promise<T> {
  await database.settled();
  const feeds = requests.map((request) => new LiveFeed(database, request));
  try {
    return await body(feeds);
  } catch (error) {
    // What follows from something that did not arrive depends on timing, too.
    const dependsOnTiming = error instanceof Violation && feeds.some(({ wasTooSlow }) => wasTooSlow);
    throw dependsOnTiming ? error.dependingOnTiming() : error;
  } finally {
    feeds.forEach((feed) => feed.close());
  }
}

export class LiveFeed {
  readonly request: LiveRequest;
  /** When the request was sent, on the clock of `performance.now()`. */
  readonly sentAt = performance.now();
  /** Everything received so far, in order. */
  readonly arrivals: Arrival[] = [];
  /** When the target ended the response, on the clock of `performance.now()`. */
  endedAt: number | undefined;
  /** Whether a check has waited in vain while the target or this machine was slow. */
  wasTooSlow = false;

  readonly #database: DatabaseClient;
  readonly #probes: Probes;
  readonly #closing = new AbortController();
  #closedAt: number | undefined;
  #response: OpenExchange | undefined;
  #failure: { reason: unknown } | undefined;
  /** Resolves at the next change of any of the above, and is then replaced. */
  #change!: Promise<void>;
  #resolveChange = (): void => {};

  constructor(database: DatabaseClient, request: LiveRequest) {
    this.#database = database;
    this.request = request;
    database.recorder.follows(this);
    this.#probes = probesOf(database, request);
    this.#notify();
    this.#follow().catch((reason: unknown) => {
      this.#failure = { reason };
      this.#notify();
    });
  }

  /** The response, or undefined until its headers have arrived. */
  get response(): OpenExchange | undefined {
    return this.#response;
  }

  /** The exchange of this feed, as evidence. */
  get exchange(): OpenExchange | undefined {
    return this.#response;
  }

  /** This feed as the place of a violation. */
  get place(): { path: string; exchange: OpenExchange | undefined } {
    return { path: `the ${this.request.mode} feed`, exchange: this.#response };
  }

  record(from: number): FeedRecord {
    const { request, arrivals, sentAt } = this;
    const endedAt = this.endedAt ?? this.#closedAt ?? performance.now();
    return recordFeed({ mode: request.mode, query: request.query ?? {}, arrivals, sentAt, endedAt }, from);
  }

  /** The rows received so far. Throws Blocked if the feed is refused, or contains anything that its mode does not allow. */
  get rows(): Row[] {
    this.mustBeAccepted();
    const unrecognized = this.arrivals.find((arrival) => arrival.kind === 'unrecognized');
    if (unrecognized) {
      const text = JSON.stringify(unrecognized.text.slice(0, 200));
      throw new Blocked(`The ${this.request.mode} feed contains something that is not a row: ${text}`, {
        obstacle: `The ${this.request.mode} feed contains something that is not a row`,
        exchange: this.#response,
      });
    }
    return this.rowArrivals.map(({ row }) => row);
  }

  /**
   * The rows received so far, whatever else the feed contains. Throws Blocked if the feed is refused. A row that comes
   * twice says nothing new, and no rule is about it in a feed that stays open.
   */
  get rowArrivals(): RowArrival[] {
    this.mustBeAccepted();
    const latest = new Map<string, unknown>();
    return this.arrivals.filter((arrival): arrival is RowArrival => {
      if (arrival.kind !== 'row') return false;
      const { id, value } = arrival.row;
      const isRepeat = isDeepStrictEqual(latest.get(id), value);
      latest.set(id, value);
      return !isRepeat;
    });
  }

  /** The number of heartbeats received so far. */
  get heartbeats(): number {
    return this.heartbeatTimes.length;
  }

  /** When the heartbeats arrived, on the clock of `performance.now()`. */
  get heartbeatTimes(): number[] {
    return this.arrivals.filter(({ kind }) => kind === 'heartbeat').map(({ at }) => at);
  }

  /** When the headers of the response arrived, on the clock of `performance.now()`. */
  get headersAt(): number | undefined {
    return this.#response && this.sentAt + this.#response.headersAtMs;
  }

  /** The object with `last_seq`, if it has arrived. Throws Blocked if the feed is refused. */
  get end(): { lastSeq: unknown } | undefined {
    this.mustBeAccepted();
    return this.arrivals.find((arrival) => arrival.kind === 'end');
  }

  /**
   * Resolves as soon as the condition is met, the target ends the response, or the check closes the feed. Rejects if
   * the connection breaks.
   */
  async until(isMet: () => boolean): Promise<void> {
    while (!isMet() && this.endedAt === undefined && !this.#closing.signal.aborted) {
      if (this.#failure) throw this.#failure.reason;
      await this.#change;
    }
  }

  /** Whether the condition is met in time, or the response ends in time: see {@link isInTime}. */
  async isMetInTime(
    isMet: () => boolean,
    { by = performance.now(), graceMs }: WaitOptions = {},
  ): Promise<boolean> {
    const isOver = await isInTime(this.until(isMet), { by, graceMs, ...this.#probes });
    this.wasTooSlow ||= !isOver && isSlow({ by, graceMs });
    return isOver;
  }

  /**
   * Waits until the condition is met.
   *
   * @param what one sentence that says what the target does wrong otherwise.
   * @throws Violation if the condition is not met in time or before the response ends. Blocked if the target refuses
   * the feed, which other rules cover.
   */
  async mustMeetInTime(
    what: string,
    options: WaitOptions & { readonly expected: unknown; readonly isMet: () => boolean },
  ): Promise<void> {
    const { by = performance.now(), graceMs, expected, isMet } = options;
    const isOver = await this.isMetInTime(isMet, { by, graceMs });
    this.mustBeAccepted();
    judgeInTime({ by, graceMs }, () =>
      must(isOver && isMet(), what, {
        exchange: this.#response,
        path: `the ${this.request.mode} feed after ${Math.round(by - this.sentAt)} ms`,
        expected,
        actual: isOver
          ? `it ended with ${this.#summary()}`
          : `only ${this.#summary()} ${Math.round(performance.now() - by)} ms later, while the target answered other requests`,
      }),
    );
  }

  /** Waits until the target ends the response. Throws like {@link LiveFeed.mustMeetInTime}. */
  mustEndInTime(what: string, options: WaitOptions = {}): Promise<void> {
    return this.mustMeetInTime(what, {
      ...options,
      expected: 'the end of the response',
      isMet: () => this.endedAt !== undefined,
    });
  }

  /**
   * Gives the target time to process the request: resolves one round trip after the response headers. If the target
   * sends no headers before the first row, it resolves after a moment, some more round trips, and one on a new
   * connection, which the target may accept much later.
   *
   * @returns whether later writes must arrive. Without headers, the target may evaluate `since=now` only after them.
   */
  async waitUntilOpen(): Promise<boolean> {
    const isOpen = (): boolean => this.#response !== undefined;
    // Most headers arrive this soon, so probing the target earlier would only cost requests.
    await Promise.race([this.until(isOpen), wait(50)]);
    for (let trip = 0; trip < 10 && !isOpen(); trip += 1) {
      await Promise.race([this.until(isOpen), ping(this.#database)]);
    }
    if (!isOpen()) await Promise.race([this.until(isOpen), this.#probes.control(this.#closing.signal)]);
    await ping(this.#database);
    return isOpen() || this.request.query?.since !== 'now';
  }

  /** Whether the response has arrived with a status other than 200. */
  get isRefused(): boolean {
    return this.#response !== undefined && this.#response.status !== 200;
  }

  /** Throws Blocked if the target has refused the request. */
  mustBeAccepted(): void {
    if (!this.isRefused) return;
    const { status } = this.#response!;
    throw new Blocked(`The target responds to the ${this.request.mode} feed with ${status}.`, {
      obstacle: describeResponse({ ...this.#response!.request, status }),
      exchange: this.#response,
    });
  }

  /**
   * The target must not refuse the feed for the one thing that the rule is about.
   *
   * @param what one sentence that says what the target does wrong otherwise.
   * @param other a request that differs in that thing only.
   * @throws Violation if the target accepts the other request, Blocked if it refuses that as well.
   */
  async mustBeAcceptedLike(other: LiveRequest, what: string): Promise<void> {
    if (!this.isRefused) return;
    await withLiveFeed(this.#database, other, async (feed) => {
      await feed.waitUntilOpen();
      feed.mustBeAccepted();
    });
    const { status: actual } = this.#response!;
    throw new Violation(what, { path: '$status', expected: 200, actual, exchange: this.#response });
  }

  /** Judges what the feed has sent: a violation is in its response, whatever the check has read since. */
  judge(must: () => void): void {
    try {
      must();
    } catch (error) {
      if (!(error instanceof Violation) || error.exchange) throw error;
      const { message, difference, dependsOnTiming } = error;
      throw new Violation(message, { ...difference, exchange: this.#response }, { dependsOnTiming });
    }
  }

  close(): void {
    this.#closedAt ??= performance.now();
    this.#response?.close();
    this.#closing.abort(new Blocked('The check has closed the feed.'));
    this.#notify();
  }

  async #follow(): Promise<void> {
    const { mode } = this.request;
    const { headers, query, ...sent } = changesRequest(this.request);
    const response = await this.#database.open({
      ...sent,
      query: { ...query, feed: mode },
      headers: { accept: mediaTypes[mode], ...headers },
      signal: this.#closing.signal,
    });
    this.#response = response;
    this.#notify();
    // The body of an error is no feed.
    const read = this.isRefused ? () => {} : feedReaders[mode](this.arrivals);
    for await (const chunk of response.chunks) {
      read(chunk);
      if (this.arrivals.length > maxArrivals) {
        response.close();
        throw new Oversized(`the ${mode} feed has more than ${maxArrivals} rows, heartbeats and empty lines`);
      }
      this.#notify();
    }
    if (this.#closing.signal.aborted) return;
    read();
    this.endedAt = performance.now();
    this.#notify();
  }

  #notify(): void {
    const resolve = this.#resolveChange;
    this.#change = new Promise((resolveNext) => (this.#resolveChange = resolveNext));
    resolve();
  }

  #summary(): string {
    const ids = this.rowArrivals.map(({ row }) => row.id);
    return `rows for ${JSON.stringify(ids)} and ${this.heartbeats} heartbeats or empty lines`;
  }
}
