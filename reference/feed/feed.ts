/** The changes feed in each of its modes (SERVICE 4.7). */
import { Readable } from 'node:stream';
import type { Filter } from '../filters/filter.js';
import type { Database } from '../store/database.js';
import { eventStream, jsonObject, lines, type Framing } from './framing.js';
import type { OpenReader, Reader } from './reader.js';
import type { Change, FeedOptions, RenderRow } from './rows.js';
import { Countdown, settlesWithin, waitForChange } from './timing.js';

export type Mode = 'normal' | 'longpoll' | 'continuous' | 'eventsource';

/** How a mode writes, and whether it waits for what is not there yet. */
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

/** What a feed does after so many milliseconds without a row (SERVICE 4.7 rule 1); what a filter rejects is none. */
export interface IdleTimeout {
  readonly ms: number;
  readonly then: 'heartbeat' | 'end';
}

export interface Feed {
  readonly database: Database;
  readonly mode: ModeBehaviour;
  readonly options: FeedOptions;
  readonly idleTimeout: IdleTimeout;
  /** Closed at the end of the feed. */
  readonly filter?: Filter | undefined;
  readonly openReader: OpenReader;
  readonly renderRow: RenderRow;
  /** Resolves when all that has been written is on disk: a change that a crash may take back is not shown. */
  readonly flushed: () => Promise<void>;
  /** Ends feeds that wait. */
  readonly stopping: AbortSignal;
}

/** How long a filter may take for its first batch until the response begins without knowing whether it fails. */
const firstVerdictMs = 10_000;

/** The body of a response of the feed. */
export type OpenFeed = (feed: Feed) => Promise<Readable>;

/**
 * The body of the response, which reads on only when the client has taken what came before. A feed that waits ends in
 * order when the database is deleted meanwhile; one that is reading breaks off, as one does whose filter fails after
 * the first batch. Who may read is judged at the beginning, as in CouchDB: who loses access meanwhile reads on.
 *
 * Rejects when the start is malformed and when the filter fails on the first batch, so that this can be told in an
 * error response.
 */
export const openFeed: OpenFeed = async (feed) => {
  const { database, options, filter, mode, idleTimeout } = feed;
  try {
    const reader = feed.openReader(database, options, filter);
    const first = reader.next();
    const beats = mode.waits !== 'never' && idleTimeout.then === 'heartbeat';
    const within = beats ? Math.min(idleTimeout.ms, firstVerdictMs) : firstVerdictMs;
    if (await settlesWithin(within, first)) await first;
    return streamOf((gone) => writeFeed(feed, reader, first, gone), feed);
  } catch (error) {
    filter?.close();
    throw error;
  }
};

/** `Readable.from` would let a generator that waits hold up the end of its stream. */
function streamOf(
  write: (gone: AbortSignal) => AsyncGenerator<string, void, void>,
  { filter, flushed }: Feed,
): Readable {
  const gone = new AbortController();
  const text = write(gone.signal);
  const next = async (): Promise<string | null> => {
    const { done, value } = await text.next();
    await flushed();
    return done ? null : value;
  };
  return new Readable({
    read() {
      next().then(
        (chunk) => {
          if (!this.destroyed) this.push(chunk);
        },
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      gone.abort();
      filter?.close();
      callback(error);
    },
  });
}

async function* writeFeed(
  feed: Feed,
  reader: Reader,
  first: Promise<Change[] | undefined>,
  gone: AbortSignal,
): AsyncGenerator<string, void, void> {
  const { database, idleTimeout, stopping } = feed;
  const { framing, waits } = feed.mode;
  const write = rowWriter(feed, framing);
  const beats = waits !== 'never' && idleTimeout.then === 'heartbeat';
  const countdown = new Countdown(idleTimeout.ms);
  let given = false;
  let isLastRound = false;
  if (framing.head !== '') yield framing.head;

  for (let reading = first; ; reading = reader.next()) {
    // The time that a filter takes is time without a row.
    while (beats && (countdown.left === 0 || !(await settlesWithin(countdown.left, reading)))) {
      yield framing.heartbeat;
      countdown.restart();
    }
    const changes = await reading;
    if (changes === undefined) {
      const isDone = waits === 'never' || (waits === 'for rows' && given) || reader.exhausted;
      if (isDone || !(yield* wait())) break;
      reader.renew();
    } else if (changes.length > 0) {
      yield write(changes);
      given = true;
      countdown.restart();
    }
  }
  const end = framing.end({
    last_seq: reader.last,
    pending: database.closed ? 0 : reader.pending,
  });
  if (end !== '') yield end;

  /** @returns whether there is something to read */
  async function* wait(): AsyncGenerator<string, boolean, void> {
    for (;;) {
      if (gone.aborted || stopping.aborted || database.closed) return false;
      const isOver = countdown.left === 0;
      if (!reader.upToDate) {
        // What was written within the time is given; beyond that, writes that give no row do not prolong it.
        if (isOver && isLastRound) return false;
        isLastRound = isOver && !beats;
        return true;
      }
      if (!isOver) await waitForChange(database, countdown.left, [gone, stopping]);
      else if (beats) {
        yield framing.heartbeat;
        countdown.restart();
      } else return false;
    }
  }
}

function rowWriter({ database, options, renderRow }: Feed, { separator, row }: Framing) {
  let count = 0;
  const write = (change: Change): string => {
    const rendered = renderRow(database, change, options);
    const isNumbered = count++ % options.seqInterval === 0;
    return (count > 1 ? separator : '') + row(isNumbered ? rendered : { ...rendered, seq: null });
  };
  return (changes: readonly Change[]): string => changes.map(write).join('');
}
