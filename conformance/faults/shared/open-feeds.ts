/** Ways to change feeds that wait for changes. */
import { type Parts } from '../../../reference/index.js';
import { handlingFeeds, positionOf, type Query } from './feeds.js';
import { type Replace } from './components.js';

export type Feed = Parameters<Parts['openFeed']>[0];

export type Framing = Feed['mode']['framing'];

export type Mode = 'longpoll' | 'continuous' | 'eventsource';

export type Handlers = Parts['handlers'];

export type Request = Parameters<Handlers['getChanges']>[0];

export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly query: Query;
  readonly headers: Request['headers'];
  /** The setting chttpd/changes_timeout. */
  readonly changesTimeout: number;
}

/** Understands requests for feeds of that mode in another way. */
export function asking(mode: Mode, change: (asked: Asked) => Partial<Asked>): Replace {
  return handlingFeeds((handle, method) => (request, context) => {
    if (request.query.feed !== mode) return handle(request, context);
    const { query, headers } = request;
    const asked = { method, query, headers, changesTimeout: context.settings.changesTimeout };
    const understood = { ...asked, ...change(asked) };
    const settings = { ...context.settings, changesTimeout: understood.changesTimeout };
    return handle(
      { ...request, query: understood.query, headers: understood.headers },
      { ...context, settings },
    );
  });
}

/** Opens feeds of that mode, or of any that waits, in another way. */
export function opening(mode: Mode | 'any', change: (feed: Feed) => Partial<Feed>): Replace {
  return (parts) => ({
    ...parts,
    openFeed: (feed) =>
      parts.openFeed(mode === 'any' || modeOf(feed) === mode ? { ...feed, ...change(feed) } : feed),
  });
}

export function modeOf({ mode: { waits, framing } }: Feed): Mode | 'normal' {
  if (waits === 'never') return 'normal';
  if (waits === 'for rows') return 'longpoll';
  return framing.heartbeat === '\n' ? 'continuous' : 'eventsource';
}

/** Writes feeds of that mode in another way. One object of functions for each feed, so that they can remember. */
export function framed(mode: Mode, change: (framing: Framing, feed: Feed) => Partial<Framing>): Replace {
  return opening(mode, (feed) => {
    const { framing } = feed.mode;
    return { mode: { ...feed.mode, framing: { ...framing, ...change(framing, feed) } } };
  });
}

/** The patience of feeds of that mode without a heartbeat, or with one, is another. */
export const patient = (mode: Mode, then: Feed['patience']['then'], factor: number): Replace =>
  opening(mode, ({ patience }) => ({
    patience: patience.then === then ? { ...patience, ms: Math.ceil(patience.ms * factor) } : patience,
  }));

/** Writes the rows of a feed in another way; an empty text leaves one out. */
export const rowsAs = (
  mode: Mode,
  write: (feed: Feed) => (text: string, row: Parameters<Framing['row']>[0]) => string,
) =>
  framed(mode, (framing, feed) => {
    const change = write(feed);
    return { row: (row) => change(framing.row(row), row) };
  });

export type Found = Awaited<ReturnType<ReturnType<Feed['openReader']>['next']>>;

/** What the reader of a feed finds, or `undefined` when there is nothing more at present, becomes something else. */
export const finding = (feed: Feed, change: (found: Found) => Found): Partial<Feed> => ({
  openReader: (...of) => {
    const reader = feed.openReader(...of);
    const next = reader.next.bind(reader);
    reader.next = async () => change(await next());
    return reader;
  },
});

/** Of several changes the last is lost. */
export const withoutLast = (found: Found): Found => (found && found.length > 1 ? found.slice(0, -1) : found);

/** Of several changes that a live feed finds at once the last is lost. */
export const losingTheLast = (mode: Mode): Replace =>
  opening(mode, (feed) => {
    let isLive = false;
    return finding(feed, (found) => {
      isLive ||= found === undefined;
      return isLive ? withoutLast(found) : found;
    });
  });

/** A document that the feed has given is not given again. */
export const onlyOnce = (mode: Mode): Replace =>
  rowsAs(mode, () => {
    const given = new Set<string>();
    return (text, { id }) => {
      if (given.has(id)) return '';
      given.add(id);
      return text;
    };
  });

/** The feed begins so many changes after its `since`, unless that is its beginning or end. */
export function movedBy({ database, options }: Feed, by: number): Partial<Feed> {
  const position = positionOf(options.start.since);
  if (!(position > 0)) return {};
  const since = database.sequenceOf(Math.min(Math.max(0, position + by), database.position)) as string;
  return { options: { ...options, start: { ...options.start, since } } };
}

/** The `last_seq` at the end of the feed is that of the change after it. */
export const endingAhead = (mode: Mode): Replace =>
  framed(mode, (framing, { database }) => ({
    end: (end) => framing.end({ ...end, last_seq: database.sequenceOf(positionOf(end.last_seq) + 1) }),
  }));

/** The timeout begins with the feed, and no change puts it off. */
export const withoutRestart = (mode: Mode): Replace =>
  opening(mode, ({ patience, stopping }) => ({
    stopping:
      patience.then === 'end' ? AbortSignal.any([stopping, AbortSignal.timeout(patience.ms)]) : stopping,
  }));
