/** Splits the body of a feed into rows, heartbeats and its end, chunk by chunk. */
import type { FeedMode } from '../oracle/allowed-rows.js';
import { EventReader, LineReader, toLineFeeds, type Line } from '../http/stream-readers.js';
import { feedObject, parseFeed } from '../http/parse-json.js';
import type { Chunk } from '../http/client.js';
import { rowOf, type Row } from './read-feed.js';

export interface RowArrival {
  readonly kind: 'row';
  /** On the clock of `performance.now()`. */
  readonly at: number;
  readonly row: Row;
  /** The line ending in a continuous feed. */
  readonly ending: Line['ending'];
  /** The last event id of an event source feed at this row; empty if there is none. */
  readonly eventId: string;
}

/** The object with `last_seq`. */
export interface EndArrival {
  readonly kind: 'end';
  readonly at: number;
  readonly lastSeq: unknown;
  readonly pending: unknown;
  /** The line ending in a continuous feed. */
  readonly ending: Line['ending'];
}

/** A part of a feed. `at` is the time of its arrival on the clock of `performance.now()`. */
export type Arrival =
  | RowArrival
  /** A heartbeat, or an empty line that looks like one. */
  | { readonly kind: 'heartbeat'; readonly at: number }
  | EndArrival
  | { readonly kind: 'unrecognized'; readonly at: number; readonly text: string }
  /** A line of an event stream that a parser ignores, although it is no comment. The rows are right nevertheless. */
  | { readonly kind: 'stray'; readonly at: number; readonly text: string }
  /** At the end of an event stream: a row of a document that has none in an event of the type `message`. */
  | { readonly kind: 'misnamed'; readonly at: number; readonly id: string; readonly type: string };

/** Reads a chunk, or without one the end of the body, and appends its content to the arrivals. */
type Reader = (chunk?: Pick<Chunk, 'bytes'>) => void;

export const feedReaders: Readonly<Record<FeedMode, (arrivals: Arrival[]) => Reader>> = {
  normal: readObject,
  longpoll: readObject,
  continuous: readLines,
  eventsource: readEvents,
};

/** The rows arrive when the whole object is complete. Until then, the end of any line may be a heartbeat. */
function readObject(arrivals: Arrival[]): Reader {
  const lines = new LineReader();
  let text = '';
  const add = ({ text: line, ending }: Line, at: number): void => {
    text += line + ending;
    arrivals.push({ kind: 'heartbeat', at });
  };
  return (chunk) => {
    const at = performance.now();
    if (chunk) return lines.read(chunk.bytes).forEach((line) => add(line, at));
    lines.end().forEach((line) => add(line, at));
    const { results, lastSeq, pending } = feedObject(parseFeed(text));
    if (!results) return void arrivals.push({ kind: 'unrecognized', at, text });
    for (const [index, value] of results.entries()) {
      const unrecognized: Arrival = { kind: 'unrecognized', at, text: JSON.stringify(value) };
      arrivals.push(rowArrival(value, `$.results[${index}]`, at) ?? unrecognized);
    }
    arrivals.push({ kind: 'end', at, lastSeq, pending, ending: '' });
  };
}

function readLines(arrivals: Arrival[]): Reader {
  const lines = new LineReader();
  let count = 0;
  const arrival = ({ text, ending }: Line, at: number): Arrival => {
    count += 1;
    return text === '' ? { kind: 'heartbeat', at } : arrivalOf(text, `line ${count}`, at, { ending });
  };
  return (chunk) => {
    const at = performance.now();
    const read = chunk ? lines.read(chunk.bytes) : lines.end();
    for (const line of read) arrivals.push(arrival(line, at));
  };
}

/** How many documents of a stream are remembered. Nothing is said of later rows in events of other types. */
const maxRemembered = 200;

function readEvents(arrivals: Arrival[]): Reader {
  const lines = new LineReader();
  let at = 0;
  const events = new EventReader((text) => arrivals.push({ kind: 'stray', at, text }));
  const converted = toLineFeeds();
  let count = 0;
  const documents = new Set<string>();
  /** By the ids of their rows, the types of events. A message with the row may follow. */
  const misnamed = new Map<string, string>();
  return (chunk) => {
    at = performance.now();
    if (!chunk) {
      for (const [id, type] of misnamed) arrivals.push({ kind: 'misnamed', at, id, type });
      return events.end();
    }
    // A heartbeat needs no data, and an event reader drops events without data, so heartbeats are found by their line.
    for (const { text } of lines.read(converted(chunk.bytes))) {
      if (/^event: ?heartbeat$/.test(text)) arrivals.push({ kind: 'heartbeat', at });
    }
    for (const { type, data, lastEventId: eventId } of events.read(chunk.bytes)) {
      if (type !== 'message') {
        const id = type === 'heartbeat' ? undefined : rowOf(parseFeed(data), '')?.id;
        const isKnown = id === undefined || documents.has(id) || documents.size >= maxRemembered;
        if (!isKnown && misnamed.size < maxRemembered) misnamed.set(id, type);
        continue;
      }
      count += 1;
      const arrival = arrivalOf(data, `event ${count}`, at, { eventId });
      arrivals.push(arrival);
      if (arrival.kind !== 'row') continue;
      misnamed.delete(arrival.row.id);
      if (documents.size < maxRemembered) documents.add(arrival.row.id);
    }
  };
}

type RowDetails = Partial<Pick<RowArrival, 'ending' | 'eventId'>>;

function arrivalOf(text: string, path: string, at: number, details: RowDetails): Arrival {
  const value = parseFeed(text);
  const row = rowArrival(value, path, at, details);
  if (row) return row;
  const { lastSeq, pending } = feedObject(value);
  const { ending = '' } = details;
  return lastSeq === undefined
    ? { kind: 'unrecognized', at, text }
    : { kind: 'end', at, lastSeq, pending, ending };
}

function rowArrival(
  value: unknown,
  path: string,
  at: number,
  { ending = '', eventId = '' }: RowDetails = {},
): RowArrival | undefined {
  const row = rowOf(value, path);
  return row && { kind: 'row', at, row, ending, eventId };
}
