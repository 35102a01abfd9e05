/** Follows feeds that stay open: what comes is there for the check at the moment it arrives. */
import type { FeedMode, FeedQuery, FeedRequest } from '../model/feed.js';
import { isInTime } from '../verdict/deadlines.js';
import { Blocked, Violation } from '../verdict/outcomes.js';
import { EventReader, LineReader, type Line } from '../client/stream-readers.js';
import { parseJson } from '../client/json.js';
import type { TargetRequest, Chunk, DatabaseClient, Exchange, OpenExchange } from '../client/client.js';
import { rowOf, type Row } from './feed.js';

export interface LiveRequest {
  readonly mode: FeedMode;
  readonly method?: FeedRequest['method'];
  readonly query?: Omit<FeedQuery, 'feed'>;
  readonly headers?: TargetRequest['headers'];
  /** What a POST carries; an empty object unless given. */
  readonly json?: unknown;
}

/** Something that a feed has brought. `at` is on the clock of `performance.now()`. */
export type Arrival = { readonly at: number } & (
  | {
      readonly kind: 'row';
      readonly row: Row;
      /** How its line ends, in a continuous feed. */
      readonly ending: Line['ending'];
      /** What an event stream can be resumed with after this row; empty where there is nothing. */
      readonly eventId: string;
    }
  /** A heartbeat, or what looks like one. */
  | { readonly kind: 'beat' }
  /** The object with `last_seq`. */
  | { readonly kind: 'end'; readonly lastSeq: unknown }
  /** What has none of these forms. */
  | { readonly kind: 'strange'; readonly text: string }
);

const mediaTypes: Readonly<Record<FeedMode, string>> = {
  normal: 'application/json',
  longpoll: 'application/json',
  // Servers may refuse to send lines to whoever asks for text or for JSON only.
  continuous: '*/*',
  eventsource: 'text/event-stream',
};

/** Something that the target answers at once, for {@link isInTime}. */
export const pinging = (database: DatabaseClient) => (): Promise<Exchange> =>
  database.request({ path: '', background: true });

/**
 * Opens a feed, lets `body` follow it, and closes it.
 *
 * What is an exchange for others is evidence here too: the feed has ended before a violation leaves this function.
 */
export async function withLiveFeed<T>(
  database: DatabaseClient,
  request: LiveRequest,
  body: (feed: LiveFeed) => Promise<T>,
): Promise<T> {
  const feed = new LiveFeed(database, request);
  try {
    return await body(feed);
  } finally {
    feed.close();
  }
}

export class LiveFeed {
  readonly request: LiveRequest;
  /** When the request was sent, on the clock of `performance.now()`. */
  readonly sentAt = performance.now();
  /** In the order in which they came. */
  readonly arrivals: Arrival[] = [];
  /** When the response has ended by itself. */
  endedAt: number | undefined;

  readonly #database: DatabaseClient;
  readonly #closing = new AbortController();
  #opened: OpenExchange | undefined;
  #broken: { reason: unknown } | undefined;
  /** Resolved, and renewed, when there is something new. */
  #news!: Promise<void>;
  #tell = (): void => {};

  constructor(database: DatabaseClient, request: LiveRequest) {
    this.#database = database;
    this.request = request;
    this.#renew();
    this.#follow().catch((reason: unknown) => {
      this.#broken = { reason };
      this.#renew();
    });
  }

  /** The response as far as it is there: undefined until its headers are. */
  get response(): OpenExchange | undefined {
    return this.#opened;
  }

  /** The rows so far. Throws Blocked when there is something that has not the form of the mode. */
  get rows(): Row[] {
    return this.arrivals.flatMap((arrival) => {
      if (arrival.kind === 'strange') {
        const said = JSON.stringify(arrival.text.slice(0, 200));
        throw new Blocked(`the ${this.request.mode} feed holds what is no row: ${said}`);
      }
      return arrival.kind === 'row' ? [arrival.row] : [];
    });
  }

  /** The object with `last_seq`, when it has come. */
  get end(): { lastSeq: unknown } | undefined {
    return this.arrivals.find((arrival) => arrival.kind === 'end');
  }

  /** Resolves as soon as the condition is met, or when the feed has ended or is closed. Rejects when the connection breaks. */
  async until(isMet: () => boolean): Promise<void> {
    while (!isMet() && this.endedAt === undefined && !this.#closing.signal.aborted) {
      if (this.#broken) throw this.#broken.reason;
      await this.#news;
    }
  }

  /** Whether the condition is met, or the feed has ended, in time: see {@link isInTime}. */
  isMetInTime(isMet: () => boolean, { by, graceMs }: { by: number; graceMs?: number }): Promise<boolean> {
    return isInTime(this.until(isMet), { by, graceMs, look: pinging(this.#database) });
  }

  /**
   * Returns when the condition is met in time.
   *
   * @param what one sentence on what is wrong otherwise.
   * @throws Violation when it is not met although the time is over or the response has ended; Blocked when the feed is
   * refused, which is for other rules to judge.
   */
  async mustMeetInTime(
    what: string,
    wanted: {
      readonly by: number;
      /** How much later is not late yet: see {@link isInTime}. */
      readonly graceMs?: number;
      readonly expected: unknown;
      readonly isMet: () => boolean;
    },
  ): Promise<void> {
    const { by, graceMs, expected, isMet } = wanted;
    const came = await this.isMetInTime(isMet, { by, graceMs });
    this.mustBeAccepted();
    if (came && isMet()) return;
    throw new Violation(what, {
      path: `the ${this.request.mode} feed after ${Math.round(by - this.sentAt)} ms`,
      expected,
      actual: came
        ? `it has ended with ${this.#summary()}`
        : `only ${this.#summary()} ${Math.round(performance.now() - by)} ms later, while other requests were answered`,
    });
  }

  /**
   * Lets the target take up the request: resolves a round trip after the head of the response. A target may hold it
   * back until there is something to report; then it resolves after some more.
   *
   * @returns whether the head has come, so that what is written from now on comes after `since=now`.
   */
  async waitUntilOpen(): Promise<boolean> {
    const look = pinging(this.#database);
    const isOpen = (): boolean => this.#opened !== undefined;
    for (let trip = 0; trip < 10 && !isOpen(); trip += 1) await Promise.race([this.until(isOpen), look()]);
    await look();
    return isOpen();
  }

  /** Throws Blocked when the request has been refused. */
  mustBeAccepted(): void {
    const status = this.#opened?.status ?? 200;
    if (status !== 200) throw new Blocked(`the ${this.request.mode} feed is answered with ${status}`);
  }

  close(): void {
    this.#opened?.close();
    this.#closing.abort(new Blocked('the check has closed the feed'));
    this.#renew();
  }

  async #follow(): Promise<void> {
    const { mode, method = 'GET', query, headers, json = {} } = this.request;
    const opened = await this.#database.open({
      method,
      path: '/_changes',
      query: { ...query, feed: mode },
      headers: { accept: mediaTypes[mode], ...headers },
      ...(method === 'POST' && { json }),
      signal: this.#closing.signal,
    });
    this.#opened = opened;
    this.#renew();
    const read = readers[mode](this.arrivals);
    for await (const chunk of opened.chunks) {
      read(chunk);
      this.#renew();
    }
    if (this.#closing.signal.aborted) return;
    read();
    this.endedAt = performance.now();
    this.#renew();
  }

  #renew(): void {
    const tell = this.#tell;
    this.#news = new Promise((resolve) => (this.#tell = resolve));
    tell();
  }

  #summary(): string {
    const ids = this.arrivals.flatMap((arrival) => (arrival.kind === 'row' ? [arrival.row.id] : []));
    const beats = this.arrivals.filter(({ kind }) => kind === 'beat').length;
    return `rows for ${JSON.stringify(ids)} and ${beats} empty lines or heartbeats`;
  }
}

/** Takes in a chunk, or without one the end of the body, and adds what it brings. */
type Reader = (chunk?: Chunk) => void;

const readers: Readonly<Record<FeedMode, (arrivals: Arrival[]) => Reader>> = {
  normal: readObject,
  longpoll: readObject,
  continuous: readLines,
  eventsource: readEvents,
};

/** The rows of one object come when it is complete. Before, every line that ends may be a heartbeat. */
function readObject(arrivals: Arrival[]): Reader {
  const lines = new LineReader();
  let text = '';
  const add = ({ text: line, ending }: Line, at: number): void => {
    text += line + ending;
    arrivals.push({ kind: 'beat', at });
  };
  return (chunk) => {
    const at = performance.now();
    if (chunk) return lines.read(chunk.bytes).forEach((line) => add(line, at));
    lines.end().forEach((line) => add(line, at));
    const { results, last_seq: lastSeq } = (parseJson(text) ?? {}) as Record<string, unknown>;
    if (!Array.isArray(results)) return void arrivals.push({ kind: 'strange', at, text });
    for (const [index, value] of (results as unknown[]).entries()) {
      arrivals.push(rowArrival(value, `$.results[${index}]`, at) ?? strange(value, at));
    }
    arrivals.push({ kind: 'end', at, lastSeq });
  };
}

function readLines(arrivals: Arrival[]): Reader {
  const lines = new LineReader();
  let count = 0;
  const arrival = ({ text, ending }: Line, at: number): Arrival => {
    count += 1;
    if (text === '') return { kind: 'beat', at };
    const value = parseJson(text);
    return (
      rowArrival(value, `line ${count}`, at, { ending }) ??
      endArrival(value, at) ?? { kind: 'strange', at, text }
    );
  };
  return (chunk) => {
    const at = performance.now();
    const read = chunk ? lines.read(chunk.bytes) : lines.end();
    arrivals.push(...read.map((line) => arrival(line, at)));
  };
}

function readEvents(arrivals: Arrival[]): Reader {
  const lines = new LineReader();
  const events = new EventReader();
  let count = 0;
  return (chunk) => {
    if (!chunk) return;
    const at = performance.now();
    // By its line: clients do not see an event without data, which a heartbeat need not have.
    for (const { text } of lines.read(chunk.bytes)) {
      if (/^event: ?heartbeat$/.test(text)) arrivals.push({ kind: 'beat', at });
    }
    for (const { type, data, lastEventId: eventId } of events.read(chunk.bytes)) {
      if (type !== 'message') continue;
      const value = parseJson(data);
      const path = `event ${(count += 1)}`;
      arrivals.push(
        rowArrival(value, path, at, { eventId }) ??
          endArrival(value, at) ?? { kind: 'strange', at, text: data },
      );
    }
  };
}

function rowArrival(
  value: unknown,
  path: string,
  at: number,
  { ending = '', eventId = '' }: { ending?: Line['ending']; eventId?: string } = {},
): Arrival | undefined {
  const row = rowOf(value, path);
  return row && { kind: 'row', at, row, ending, eventId };
}

function endArrival(value: unknown, at: number): Arrival | undefined {
  const { last_seq: lastSeq } = (value ?? {}) as Record<string, unknown>;
  return lastSeq === undefined ? undefined : { kind: 'end', at, lastSeq };
}

const strange = (value: unknown, at: number): Arrival => ({
  kind: 'strange',
  at,
  text: JSON.stringify(value),
});
