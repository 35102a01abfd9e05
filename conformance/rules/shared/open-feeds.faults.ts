/** Changes feeds as they are written, most of them feeds that wait for changes. */
import { EventEmitter } from 'node:events';
import type { Components } from '../../../reference/index.js';
import { positionOf, type FeedRow, type Mode } from './feeds.faults.js';
import { combine, perServer, replaceFunction, replaceHandler, type Replace } from './components.faults.js';

export type Feed = Parameters<Components['openFeed']>[0];
type Framing = Feed['mode']['framing'];
type Changes = Awaited<ReturnType<ReturnType<Feed['rows']['openReader']>['next']>>;

/** Changes what feeds of a mode are opened with. */
export const changeOpenFeed = (mode: Mode, change: (feed: Feed) => Partial<Feed>): Replace =>
  replaceFunction('openFeed', (original, feed) =>
    original(modeOf(feed) === mode ? { ...feed, ...change(feed) } : feed),
  );

export function modeOf({ mode: { waits, framing } }: Feed): Mode {
  if (waits === 'never') return 'normal';
  if (waits === 'for rows') return 'longpoll';
  return framing.heartbeat === '\n' ? 'continuous' : 'eventsource';
}

/**
 * Changes how feeds of a mode are written. `change` is called for each feed, so its result can remember rows. It may
 * have getters: a feed reads its members each time.
 */
export const changeFraming = (
  mode: Mode,
  change: (framing: Framing, feed: Feed) => Partial<Framing>,
): Replace =>
  changeOpenFeed(mode, (feed) => {
    const { framing } = feed.mode;
    // A spread would call getters once.
    const changes = Object.getOwnPropertyDescriptors(change(framing, feed)) as PropertyDescriptorMap;
    return { mode: { ...feed.mode, framing: Object.defineProperties({ ...framing }, changes) } };
  });

/** Changes the text of rows. An empty text omits the row. `create` is called for each feed. */
export const changeRowText = (
  mode: Mode,
  create: (feed: Feed) => (text: string, row: FeedRow) => string,
): Replace =>
  changeFraming(mode, (framing, feed) => {
    const change = create(feed);
    return { row: (json, seq) => change(framing.row(json, seq), JSON.parse(json) as FeedRow) };
  });

/** Changes the text of each row by itself. `isLive`: the row is of a change that was made while the feed was open. */
export const changeEachRowText = (
  mode: Mode,
  change: (text: string, row: FeedRow, isLive: boolean) => string,
): Replace =>
  changeRowText(
    mode,
    ({ database: { position } }) =>
      (text, row) =>
        change(text, row, positionOf(row.seq) > position),
  );

/**
 * Changes members of the object at the end of feeds of a mode; an empty object changes nothing. `seqs`: the sequences
 * of the rows before it.
 */
export const changeEnd = (
  mode: Mode,
  change: (end: Parameters<Framing['end']>[0], feed: Feed, seqs: readonly unknown[]) => object,
): Replace =>
  changeFraming(mode, (framing, feed) => {
    const seqs: unknown[] = [];
    return {
      row(json, seq) {
        seqs.push(seq);
        return framing.row(json, seq);
      },
      end: (end) => framing.end({ ...end, ...change(end, feed, seqs) }),
    };
  });

/** Multiplies the time until feeds of a mode end (`end`), or until they send a heartbeat. */
export const scaleWait = (mode: Mode, then: Feed['idleTimeout']['then'], factor: number): Replace =>
  changeOpenFeed(mode, ({ idleTimeout }) => ({
    idleTimeout:
      idleTimeout.then === then ? { ...idleTimeout, ms: Math.ceil(idleTimeout.ms * factor) } : idleTimeout,
  }));

/** Changes each batch of changes that a feed reads; `undefined` stands for no more changes at present. */
export const changeReads = (feed: Feed, change: (changes: Changes) => Changes): Partial<Feed> => ({
  rows: feed.rows.with({
    openReader: (...request) => {
      const reader = feed.rows.openReader(...request);
      const next = reader.next.bind(reader);
      reader.next = async () => change(await next());
      return reader;
    },
  }),
});

/** What a feed has sent so far. */
interface Sent {
  /** The heartbeats, including this one and those that are omitted. */
  readonly heartbeats: number;
  /** The same since the last row, or since the start. */
  readonly sinceRow: number;
  readonly hasRows: boolean;
}

/** Omits some heartbeats of feeds of a mode. */
export const omitHeartbeats = (mode: Mode, isOmitted: (sent: Sent) => boolean): Replace =>
  changeFraming(mode, ({ row, heartbeat }) => {
    let sent: Sent = { heartbeats: 0, sinceRow: 0, hasRows: false };
    return {
      get heartbeat() {
        sent = { ...sent, heartbeats: sent.heartbeats + 1, sinceRow: sent.sinceRow + 1 };
        return isOmitted(sent) ? '' : heartbeat;
      },
      row: (...change) => {
        sent = { ...sent, sinceRow: 0, hasRows: true };
        return row(...change);
      },
    };
  });

export const withoutLastOfSeveral = (changes: Changes): Changes =>
  changes && changes.length > 1 ? changes.slice(0, -1) : changes;

/** Changes each batch of changes that a feed reads after it has begun to wait. */
const changeAwaited = (mode: Mode, change: (changes: Changes) => Changes): Replace =>
  changeOpenFeed(mode, (feed) => {
    let isWaiting = false;
    return changeReads(feed, (changes) => {
      isWaiting ||= changes === undefined;
      return isWaiting ? change(changes) : changes;
    });
  });

/** Once a feed waits for changes, it loses the last of several that it reads at once. */
export const loseLastOfSeveral = (mode: Mode): Replace => changeAwaited(mode, withoutLastOfSeveral);

/** Once a feed waits for changes, it loses those after the first `count` that it reads at once. */
export const loseAfter = (mode: Mode, count: number): Replace =>
  changeAwaited(mode, (changes) => changes?.slice(0, count));

export const sendEachDocumentOnce = (mode: Mode): Replace =>
  changeRowText(mode, () => {
    const sent = new Set<string>();
    return (text, { id }) => {
      if (sent.has(id)) return '';
      sent.add(id);
      return text;
    };
  });

/** Starts a feed some changes later, or earlier if `by` is negative, unless it starts at the beginning or at `now`. */
export function moveStart({ database, options }: Feed, by: number): Partial<Feed> {
  const position = positionOf(options.start.since);
  if (!(position > 0)) return {};
  const since = database.sequenceOf(Math.min(Math.max(0, position + by), database.position)) as string;
  return { options: { ...options, start: { ...options.start, since } } };
}

/** Ends feeds with the `last_seq` of a later change, or of an earlier one if `by` is negative. */
export const moveLastSeq = (mode: Mode, by: number): Replace =>
  changeEnd(mode, ({ last_seq }, { database }) => ({
    last_seq: database.sequenceOf(Math.max(0, positionOf(last_seq) + by)),
  }));

/** Ends some feeds with a limit with the `last_seq` of the whole database. */
export const endAtPresent = (mode: Mode, isAffected: (feed: Feed) => boolean): Replace =>
  changeFraming(mode, ({ end }, feed) => {
    const { options, database } = feed;
    return options.limit < Infinity && isAffected(feed)
      ? { end: (values) => end({ ...values, last_seq: database.sequenceOf(database.position) }) }
      : {};
  });

/** Sends no more rows than a limit of two or more with a filter allows, but does not end the feed then. */
export const neverEndAfterLimitWithFilter = (mode: Mode): Replace =>
  changeOpenFeed(mode, ({ filter, options, mode }) => {
    const { limit } = options;
    if (!filter || limit < 2 || limit === Infinity) return {};
    let count = 0;
    const { framing } = mode;
    const row: Framing['row'] = (json, seq) => ((count += 1) > limit ? '' : framing.row(json, seq));
    return { options: { ...options, limit: Infinity }, mode: { ...mode, framing: { ...framing, row } } };
  });

/** A signal that aborts after a time, or when `stopping` does. */
export function abortAfter(ms: number, stopping: AbortSignal): AbortSignal {
  // Not AbortSignal.timeout(): within AbortSignal.any() it may be collected as garbage and never abort
  // (https://github.com/nodejs/node/issues/57736).
  const timeout = new AbortController();
  setTimeout(() => timeout.abort(), ms).unref();
  return AbortSignal.any([stopping, timeout.signal]);
}

/** Ends feeds of a mode after a multiple of their timeout, even if there are rows. */
export const limitLifetime = (mode: Mode, factor: number): Replace =>
  changeOpenFeed(mode, ({ idleTimeout, stopping }) =>
    idleTimeout.then === 'end' ? { stopping: abortAfter(factor * idleTimeout.ms, stopping) } : {},
  );

/** Ends long polls after an operation of a database; `isWoken` compares its name with that of the feed. */
export const endLongPollsAfter = (
  operation: 'bulkDocs' | 'putLocalDocument',
  isWoken: (written: string, own: string) => boolean,
): Replace =>
  perServer(() => {
    const writes = new EventEmitter().setMaxListeners(0);
    return combine(
      replaceHandler(operation, async (original, request, context) => {
        const response = await original(request, context);
        writes.emit('write', request.params.db);
        return response;
      }),
      changeOpenFeed('longpoll', ({ database, stopping }) => {
        const woken = new AbortController();
        writes.on('write', (name: string) => isWoken(name, database.name) && woken.abort());
        return { stopping: AbortSignal.any([stopping, woken.signal]) };
      }),
    );
  });
