/** What continuous feeds and event streams consist of (SERVICE 4.7 modes 3 and 4, 6). */
import {
  type Arrival,
  equalTo,
  matching,
  must,
  mustMatch,
  type OpenExchange,
  type RowArrival,
} from '../../kit.js';
import type { Line } from '../../http/stream-readers.js';
import { rowShape } from './row-assertions.js';

/**
 * A line of a continuous feed.
 *
 * @param end the object with `last_seq`, if it has arrived before.
 */
export function mustBeLine(arrival: Arrival, end: unknown): void {
  must(arrival.kind !== 'unrecognized', 'A line of the feed is neither empty nor a row', {
    path: 'a line',
    expected: 'nothing, or a row in JSON',
    actual: arrival.kind === 'unrecognized' ? arrival.text : undefined,
  });
  if (arrival.kind === 'row') {
    mustMatch('A line of the feed is not a valid row', arrival.row.value, rowShape, arrival.row.path);
  }
  if (arrival.kind !== 'row' && arrival.kind !== 'end') return;
  must(end === undefined, 'The feed continues after the object with last_seq', {
    path: 'a line',
    expected: `nothing after ${JSON.stringify(end)}`,
    actual: arrival.kind === 'row' ? arrival.row.value : arrival.lastSeq,
  });
}

export const mustEndWithCrLf = (ending: Line['ending'], line: string): void =>
  mustMatch('A line of the feed does not end with CR LF', ending, equalTo('\r\n'), `the end of ${line}`);

export function mustBeEventStream({ headers }: Pick<OpenExchange, 'headers'>): void {
  const type = headers.get('content-type')?.[0];
  const eventStream = matching(/^text\/event-stream\s*(;|$)/i, 'text/event-stream');
  mustMatch('The feed does not have the media type of an event stream', type, eventStream, 'Content-Type');
}

export function mustBeEvent(arrival: Arrival): void {
  must(arrival.kind !== 'stray', 'A line of the event stream is neither empty nor a comment nor a field', {
    path: 'a line',
    expected: 'nothing, a comment, or a field such as data',
    actual: arrival.kind === 'stray' ? arrival.text : undefined,
  });
  must(arrival.kind !== 'misnamed', 'The row of a document has an event of another type than message', {
    path: 'the type of an event',
    expected: 'message, for the row of a document that has no other',
    actual: arrival.kind === 'misnamed' ? arrival.type : undefined,
  });
  const what = 'The data of an event is not a valid row';
  must(arrival.kind !== 'unrecognized', what, {
    path: 'the data of an event',
    expected: 'a row in JSON',
    actual: arrival.kind === 'unrecognized' ? arrival.text : undefined,
  });
  if (arrival.kind === 'row') mustMatch(what, arrival.row.value, rowShape, arrival.row.path);
}

/** Its own, or that of the event before. */
export function mustHaveEventId({ row, eventId }: RowArrival): void {
  must(eventId !== '', 'An event has no id to resume from', {
    path: `the id of ${row.path}`,
    expected: 'an id',
    actual: eventId,
  });
}
