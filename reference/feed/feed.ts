/** The changes feed in each of its modes (SERVICE 4.7). */
import { Readable } from 'node:stream';
import { httpError } from '../http/errors.js';
import { eventStream, jsonObject, lines, type Framing } from './framing.js';
import type { RowOptions, Rows, RowSource } from './rendered-rows.js';
import type { RenderedRow } from './rows.js';
import { Alarm, Countdown, settlesWithin } from './timing.js';

export type Mode = 'normal' | 'longpoll' | 'continuous' | 'eventsource';

/** Format of a mode, and whether it waits for changes. */
export interface ModeBehaviour {
  readonly framing: Framing;
  readonly waits: 'never' | 'for rows' | 'always';
}

export const modes: Record<Mode, ModeBehaviour> = {
  normal: { framing: jsonObject, waits: 'never' },
  longpoll: { framing: jsonObject, waits: 'for rows' },
  continuous: { framing: lines, waits: 'always' },
  eventsource: { framing: eventStream, waits: 'always' },
};

/** What a feed does after a time without rows (SERVICE 4.7 rule 1). Changes that the filter rejects do not count. */
export interface IdleTimeout {
  readonly ms: number;
  readonly then: 'heartbeat' | 'end';
}

export interface Feed extends RowOptions {
  readonly rows: RowSource;
  readonly mode: ModeBehaviour;
  readonly idleTimeout: IdleTimeout;
  /** Resolves when all changes so far are on disk. The feed only sends changes that are. */
  readonly flushed: () => Promise<void>;
  /** Ends waiting feeds. */
  readonly stopping: AbortSignal;
  /** Aborted when the client closes the connection. Only the filter needs it. */
  readonly disconnected?: AbortSignal | undefined;
}

/** A feed that waits sends its first byte after this time at the latest, like one with the default heartbeat. */
const maxSilenceMs = 60_000;

/** A feed that does not wait collects this much before it sends it, unless there is less. In bytes. */
const minChunkLength = 32 * 1024;

/**
 * Creates the response body of a feed. It reads further changes only after the client has received the previous ones. A
 * short one that never waits is complete, because streaming it would take longer than making it.
 *
 * If the database is deleted, a waiting feed ends normally, and a reading feed aborts. A feed also aborts if its filter
 * fails after the first batch. As in CouchDB, access is checked at the beginning only.
 *
 * Rejects if `since` is malformed or the filter fails on the first batch, so that the response is an error. It waits for
 * that batch, but a feed that waits for changes begins when its first heartbeat is due. Without past changes, a feed
 * begins at once.
 */
export async function openFeed(feed: Feed): Promise<Readable | Buffer> {
  const { filter, disconnected } = feed;
  const closeFilter = () => filter?.close();
  disconnected?.addEventListener('abort', closeFilter, { once: true });
  try {
    const rows = feed.rows.open(feed);
    const first = rows.next();
    if (feed.mode.waits === 'never' || (await settlesWithin(maxDelayMs(feed), first))) await first;
    const alarm = new Alarm(feed.database, feed.stopping);
    const chunks = writeFeed(feed, rows, first, alarm);
    if (feed.mode.waits !== 'never') return streamOf(chunks, alarm, feed);
    const joined = joinChunks(chunks);
    // Even one row can take long with a filter, and the client must receive the headers before.
    if (filter) return streamOf(joined, alarm, feed);
    const { value: beginning } = await joined.next();
    if (!beginning || beginning.length >= minChunkLength) return streamOf(joined, alarm, feed, beginning);
    await feed.flushed();
    return beginning;
  } catch (error) {
    closeFilter();
    if (disconnected?.aborted) throw httpError(408, 'request_timeout', 'The client has disconnected.');
    throw error;
  }
}

/** How long the first batch may delay the response of a feed that waits. */
function maxDelayMs({ idleTimeout }: Feed): number {
  return idleTimeout.then === 'heartbeat' ? Math.min(idleTimeout.ms, maxSilenceMs) : maxSilenceMs;
}

/** `Readable.from` is not usable: destroying its stream would wait until the generator continues. */
function streamOf(
  chunks: AsyncGenerator<string | Buffer, void, void>,
  alarm: Alarm,
  { filter, flushed }: Feed,
  beginning?: Buffer | void,
): Readable {
  let unsent = beginning;
  const next = async (): Promise<string | Buffer | null> => {
    const value = unsent ?? (await chunks.next()).value;
    unsent = undefined;
    await flushed();
    return value ?? null;
  };
  return new Readable({
    // Nothing is made ahead of the client: heartbeats that wait in a buffer would delay the rows behind them.
    highWaterMark: 1,
    read() {
      next().then(
        (chunk) => {
          if (!this.destroyed) this.push(chunk);
        },
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      alarm.close();
      filter?.close();
      callback(error);
    },
  });
}

/** Joins short chunks, because sending a chunk takes as long as sending many rows. Only the last one is short. */
async function* joinChunks(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer, void, void> {
  let unsent: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    unsent.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    length += chunk.length;
    if (length < minChunkLength) continue;
    yield Buffer.concat(unsent);
    unsent = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(unsent);
}

async function* writeFeed(
  feed: Feed,
  { reader, next }: Rows,
  first: Promise<RenderedRow[] | undefined>,
  alarm: Alarm,
): AsyncGenerator<string | Buffer, void, void> {
  const { database, idleTimeout } = feed;
  const { framing, waits } = feed.mode;
  const write = rowWriter(framing);
  const hasHeartbeat = waits !== 'never' && idleTimeout.then === 'heartbeat';
  const countdown = new Countdown(idleTimeout.ms);
  let hasRows = false;
  /** The last rows of a long poll, which leave in one chunk with its end. */
  let unsent: Buffer = Buffer.alloc(0);
  let isLastRound = false;
  if (framing.head !== '') yield framing.head;

  for (let reading = first; ; reading = next()) {
    // Send heartbeats while a slow filter is running, too.
    while (hasHeartbeat && feed.filter) {
      // Always waits, even if a heartbeat is due: a batch that fails while nobody waits for it would end the process.
      const isRead = await settlesWithin(countdown.left, reading);
      if (isRead && countdown.left > 0) break;
      yield framing.heartbeat;
      countdown.restart();
    }
    const rows = await reading;
    if (rows === undefined) {
      const isDone = waits === 'never' || (waits === 'for rows' && hasRows) || reader.exhausted;
      if (isDone || !(yield* wait())) break;
      reader.renew();
    } else if (rows.length > 0) {
      if (waits !== 'for rows') yield write(rows);
      else {
        if (unsent.length > 0) yield unsent;
        unsent = write(rows);
      }
      hasRows = true;
      countdown.restart();
    }
  }
  const end = framing.end({
    last_seq: reader.last,
    pending: database.closed ? 0 : reader.pending,
  });
  const rest = Buffer.concat([unsent, Buffer.from(end)]);
  if (rest.length > 0) yield rest;

  /** @returns whether there are changes to read */
  async function* wait(): AsyncGenerator<string, boolean, void> {
    for (;;) {
      if (alarm.isOver) return false;
      const isOver = countdown.left === 0;
      if (!reader.upToDate) {
        // Read once more after the timeout to include the last changes. Changes without rows do not extend the timeout.
        if (isOver && isLastRound) return false;
        isLastRound = isOver && !hasHeartbeat;
        return true;
      }
      if (!isOver) await alarm.wait(countdown.left);
      else if (hasHeartbeat) {
        yield framing.heartbeat;
        countdown.restart();
      } else return false;
    }
  }
}

function rowWriter(framing: Framing) {
  const { separator } = framing;
  let isFirst = true;
  return (rows: readonly RenderedRow[]): Buffer => {
    const text = framedText(rows, framing);
    const from = isFirst ? Buffer.byteLength(separator) : 0;
    isFirst = false;
    return text.subarray(from);
  };
}

/** Texts of rows that several feeds send, by framing. */
const framedTexts = new WeakMap<readonly RenderedRow[], Map<Framing, Buffer>>();

/** Returns rows with a separator before each of them. */
function framedText(rows: readonly RenderedRow[], framing: Framing): Buffer {
  const texts = framedTexts.get(rows) ?? new Map<Framing, Buffer>();
  framedTexts.set(rows, texts);
  let text = texts.get(framing);
  if (!text) {
    const { separator, row } = framing;
    const joined = rows.map(({ json, seq }) => separator + row(json, seq)).join('');
    // A short text from the pool of Node.js would keep a piece of 8 KiB in memory as long as its rows.
    text = Buffer.from(new TextEncoder().encode(joined).buffer);
    texts.set(framing, text);
  }
  return text;
}
