/** What judges of traffic see, and what several of them need. */
import { Violation } from '../engine/outcomes.js';
import { asObject } from '../http/parse-json.js';
import type { FeedMode } from '../oracle/allowed-rows.js';
import type { Arrival, EndArrival, RowArrival } from '../play/feed-readers.js';
import type { Row } from '../play/read-feed.js';
import type { Deliveries } from './known-changes.js';
import type { Place } from './known-order.js';
import type { Shown } from './knowledge.js';
import type { FeedParameters, Passed } from './passed.js';

/** Throws a Violation if the target breaks the rule. @returns false if the rule does not apply */
export type Judge<Subject> = (subject: Subject) => boolean | void;

/**
 * A violation, unless somebody has meanwhile replaced or purged the database past the proxy. It is reported when later
 * responses show that nobody has.
 */
export class DoubtfulViolation extends Violation {
  /** What it relies on was there at this time. */
  readonly since: number;
  /** A revision of which a later response must show this, or else it is no violation. */
  readonly still: { readonly id: string; readonly rev: string; readonly as: Shown } | undefined;

  constructor({ message, difference }: Violation, since: number, still?: DoubtfulViolation['still']) {
    super(message, difference);
    this.since = since;
    this.still = still;
  }
}

/**
 * Throws what an assertion throws as a violation that may be none.
 *
 * @param since see {@link DoubtfulViolation}, as `still`
 */
export function unlessReplaced(
  since: number,
  assertion: () => void,
  still?: DoubtfulViolation['still'],
): void {
  try {
    assertion();
  } catch (error) {
    throw error instanceof Violation ? new DoubtfulViolation(error, since, still) : error;
  }
}

/** A feed as far as it has passed. */
export interface JudgedFeed {
  readonly passed: Passed;
  readonly parameters: FeedParameters;
  /** Whether the database has only one copy. */
  readonly hasOneCopy: boolean;
  /** Whether it can be read while it arrives. */
  readonly isLive: boolean;
  /** The writes that it must deliver, as far as they are known. */
  readonly due: Deliveries | undefined;
  /** Of the last seq until now, or where it starts; nothing if it is unknown. */
  place: Place | undefined;
  /** The rows until now. Of a stream that is read while it arrives, so many of the last ones as `seq_interval` says. */
  readonly rows: Row[];
  /** Their number, in any mode. */
  count: number;
  /** The number of parts that cannot be read, each of which may be a row. */
  unread: number;
  lastRowAt: number;
  /** The number of heartbeats since the last row. */
  heartbeats: number;
  /** The object with `last_seq`, if it has passed before. */
  end: unknown;
  /** In normal and longpoll mode, whether the response is an object with results. */
  hasResults: boolean;
}

export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A judge of successful responses of one operation. */
export const onResponseTo =
  (operation: string, judge: Judge<Passed>): Judge<Passed> =>
  (passed) =>
    passed.operation?.id === operation && passed.passing.status === 200 && judge(passed);

export interface ArrivalSubject {
  readonly arrival: Arrival;
  readonly feed: JudgedFeed;
}

/** A judge of rows in any mode. */
export const onRow =
  (judge: (row: Row, feed: JudgedFeed, arrival: RowArrival) => boolean | void): Judge<ArrivalSubject> =>
  ({ arrival, feed }) =>
    arrival.kind === 'row' && judge(arrival.row, feed, arrival);

/** A judge of the end of a response in normal or longpoll mode. */
export const onEnd =
  (judge: (end: EndArrival, feed: JudgedFeed) => boolean | void): Judge<ArrivalSubject> =>
  ({ arrival, feed }) =>
    arrival.kind === 'end' && !feed.parameters.isStream && judge(arrival, feed);

/** How far the timer of a server may be from its time, and how long a request or a response may take. */
const earliestEnd = 0.9;
const latenessMs = 200;

/** Whether a feed that has ended was silent for so long before. */
export function wasSilentFor(ms: number, { lastRowAt, count, passed: { passing } }: JudgedFeed): boolean {
  // A server may begin to wait before it sends the headers.
  const hasRows = count > 0;
  const silentMs = passing.endedAt! - (hasRows ? lastRowAt : passing.startedAt);
  const latestMs = ms + (hasRows ? latenessMs : 2 * latenessMs);
  return !passing.isSlowed && silentMs >= earliestEnd * ms && silentMs < latestMs;
}

/**
 * A server that stops, or whose database is deleted, may end a feed at any time, also at that of its timeout. It does not so
 * several times in a row.
 */
export const endsInARow = 3;

/** A judge of everything that arrives in one mode that streams. */
export const inMode =
  (mode: FeedMode, judge: Judge<ArrivalSubject>): Judge<ArrivalSubject> =>
  (subject) =>
    subject.feed.parameters.mode === mode && judge(subject);

/** With `seq_interval`, a row may lack its seq. */
export function withSeq<One extends Arrival>(arrival: One, { parameters }: JudgedFeed): One {
  if (arrival.kind !== 'row' || parameters.seqInterval === undefined) return arrival;
  const { row } = arrival;
  return { ...arrival, row: { ...row, value: { ...row.value, seq: row.seq ?? 0 } } };
}

/** The doc of a row, if it is the winning revision that the row lists. It may be a later one. */
export function ownDoc(
  { value, revs }: Row,
  { parameters }: JudgedFeed,
): Readonly<Record<string, unknown>> | undefined {
  const doc = asObject(value['doc']);
  const isWhole = parameters.has('include_docs') === true && parameters.style === 'main_only';
  return isWhole && doc['_rev'] === revs[0] ? doc : undefined;
}

/**
 * The revision that the winning one in the row has replaced, by a write that passed. Where several are listed, it may be a
 * leaf again: a server with a small limit of revisions forgets that it was replaced, and a replicator brings it back.
 */
export function replacedRev(
  { id, revs: [winner] }: Row,
  { parameters, passed }: JudgedFeed,
): string | undefined {
  const write = passed.database?.changes.writeOf(id);
  return parameters.style === 'main_only' && write?.rev === winner ? write?.replaced : undefined;
}

export const hasFilter = (passed: Passed, filter: string): boolean =>
  passed.isClear('filter') && passed.query.get('filter') === filter;

/** How messages name the feed of any database. */
export const feedPath = '/{db}/_changes';

/** Judges whole responses, after they have passed. */
export type ResponseJudge = Judge<Passed>;

/** Judges what arrives in a feed. */
export type ArrivalJudge = Judge<ArrivalSubject>;

/** Judges feeds, after they have passed. */
export type FeedJudge = Judge<JudgedFeed>;
