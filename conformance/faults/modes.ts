/** Faults in the modes of the feed and in their timing. */
import { EventEmitter, once } from 'node:events';
import type { Fault, Components } from '../../reference/index.js';
import { httpError } from '../../reference/index.js';
import { handlingFeeds, positionOf, type Query, type Replace } from './feeding.js';
import type { Answer, Context } from './replacing.js';

type Feed = Parameters<Components['openFeed']>[0];
type Framing = Feed['mode']['framing'];
type Mode = 'longpoll' | 'continuous' | 'eventsource';
type Handlers = Components['handlers'];
type Request = Parameters<Handlers['getChanges']>[0];

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly query: Query;
  readonly headers: Request['headers'];
  /** The setting chttpd/changes_timeout. */
  readonly changesTimeout: number;
}

/** Understands requests for feeds of that mode in another way. */
function asking(mode: Mode, change: (asked: Asked) => Partial<Asked>): Replace {
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
function opening(mode: Mode | 'any', change: (feed: Feed) => Partial<Feed>): Replace {
  return (parts) => ({
    ...parts,
    openFeed: (feed) =>
      parts.openFeed(mode === 'any' || modeOf(feed) === mode ? { ...feed, ...change(feed) } : feed),
  });
}

function modeOf({ mode: { waits, framing } }: Feed): Mode | 'normal' {
  if (waits === 'never') return 'normal';
  if (waits === 'for rows') return 'longpoll';
  return framing.heartbeat === '\n' ? 'continuous' : 'eventsource';
}

/** Writes feeds of that mode in another way. One object of functions for each feed, so that they can remember. */
function framed(mode: Mode, change: (framing: Framing, feed: Feed) => Partial<Framing>): Replace {
  return opening(mode, (feed) => {
    const { framing } = feed.mode;
    return { mode: { ...feed.mode, framing: { ...framing, ...change(framing, feed) } } };
  });
}

const beatingAfterFirstRow = framed('continuous', ({ row, heartbeat }) => {
  let begun = false;
  return {
    get heartbeat() {
      return begun ? heartbeat : '';
    },
    row: (change) => {
      begun = true;
      return row(change);
    },
  };
});

/** The idleTimeout of feeds of that mode without a heartbeat, or with one, is another. */
const patient = (mode: Mode, then: Feed['idleTimeout']['then'], factor: number): Replace =>
  opening(mode, ({ idleTimeout }) => ({
    idleTimeout:
      idleTimeout.then === then ? { ...idleTimeout, ms: Math.ceil(idleTimeout.ms * factor) } : idleTimeout,
  }));

/** Writes the rows of a feed in another way; an empty text leaves one out. */
const rowsAs = (
  mode: Mode,
  write: (feed: Feed) => (text: string, row: Parameters<Framing['row']>[0]) => string,
) =>
  framed(mode, (framing, feed) => {
    const change = write(feed);
    return { row: (row) => change(framing.row(row), row) };
  });

type Found = Awaited<ReturnType<ReturnType<Feed['openReader']>['next']>>;

/** What the reader of a feed finds, or `undefined` when there is nothing more at present, becomes something else. */
const finding = (feed: Feed, change: (found: Found) => Found): Partial<Feed> => ({
  openReader: (...of) => {
    const reader = feed.openReader(...of);
    const next = reader.next.bind(reader);
    reader.next = async () => change(await next());
    return reader;
  },
});

/** Of several changes the last is lost. */
const withoutLast = (found: Found): Found => (found && found.length > 1 ? found.slice(0, -1) : found);

/** Of several changes that a live feed finds at once the last is lost. */
const losingTheLast = (mode: Mode): Replace =>
  opening(mode, (feed) => {
    let isLive = false;
    return finding(feed, (found) => {
      isLive ||= found === undefined;
      return isLive ? withoutLast(found) : found;
    });
  });

/** A document that the feed has given is not given again. */
const onlyOnce = (mode: Mode): Replace =>
  rowsAs(mode, () => {
    const given = new Set<string>();
    return (text, { id }) => {
      if (given.has(id)) return '';
      given.add(id);
      return text;
    };
  });

/** The feed begins so many changes after its `since`, unless that is its beginning or end. */
function movedBy({ database, options }: Feed, by: number): Partial<Feed> {
  const position = positionOf(options.start.since);
  if (!(position > 0)) return {};
  const since = database.sequenceOf(Math.min(Math.max(0, position + by), database.position)) as string;
  return { options: { ...options, start: { ...options.start, since } } };
}

/** A stream that is resumed after an event begins so many changes further on. */
const resumingAt = (by: number): Replace =>
  opening('eventsource', (feed) => (feed.options.start.parameter === 'since' ? {} : movedBy(feed, by)));

/** The `last_seq` at the end of the feed is that of the change after it. */
const endingAhead = (mode: Mode): Replace =>
  framed(mode, (framing, { database }) => ({
    end: (end) => framing.end({ ...end, last_seq: database.sequenceOf(positionOf(end.last_seq) + 1) }),
  }));

/** The timeout begins with the feed, and no change puts it off. */
const withoutRestart = (mode: Mode): Replace =>
  opening(mode, ({ idleTimeout, stopping }) => ({
    stopping:
      idleTimeout.then === 'end'
        ? AbortSignal.any([stopping, AbortSignal.timeout(idleTimeout.ms)])
        : stopping,
  }));

export const modesFaults: readonly Fault[] = [
  {
    id: 'longpoll-woken-by-other-database',
    rule: 'longpoll-waits',
    summary: 'A long poll is answered when another database changes.',
    replace(parts) {
      const written = new EventEmitter().setMaxListeners(0);
      const { bulkDocs } = parts.handlers;
      const handlers: Handlers = {
        ...parts.handlers,
        async bulkDocs(request, context) {
          const answer = await bulkDocs(request, context);
          written.emit('write', request.params.db);
          return answer;
        },
      };
      const woken = opening('longpoll', ({ database, stopping }) => {
        const other = new AbortController();
        written.on('write', (name) => name !== database.name && other.abort());
        return { stopping: AbortSignal.any([stopping, other.signal]) };
      });
      return woken({ ...parts, handlers });
    },
  },
  {
    id: 'longpoll-answered-at-heartbeat',
    rule: 'longpoll-waits',
    summary: 'A long poll ends when its first heartbeat is due.',
    replace: opening('longpoll', ({ idleTimeout }) => ({ idleTimeout: { ...idleTimeout, then: 'end' } })),
  },
  {
    id: 'longpoll-sequence-not-awaited',
    rule: 'longpoll-waits',
    summary: 'A long poll waits with since=now only.',
    replace: asking('longpoll', ({ query }) =>
      query.since === 'now' ? {} : { query: { ...query, feed: 'normal' } },
    ),
  },
  {
    id: 'longpoll-deaf-to-deletions',
    rule: 'longpoll-delivers',
    summary: 'A waiting long poll is answered without the row of a deletion.',
    replace: rowsAs(
      'longpoll',
      ({ database: { position } }) =>
        (text, { seq, deleted }) =>
          deleted && positionOf(seq) > position ? '' : text,
    ),
  },
  {
    id: 'longpoll-live-without-doc',
    rule: 'longpoll-delivers',
    summary: 'A long poll that had to wait is answered without documents.',
    replace: opening('longpoll', ({ database: { position }, renderRow }) => ({
      renderRow: (...of) => {
        const { doc, ...row } = renderRow(...of);
        return of[1].position > position || doc === undefined ? row : { ...row, doc };
      },
    })),
  },
  {
    id: 'longpoll-last-seq-ahead',
    rule: 'longpoll-delivers',
    summary: 'The last_seq of a long poll is that of the change after the last one.',
    replace: endingAhead('longpoll'),
  },
  {
    id: 'longpoll-waits-behind',
    rule: 'longpoll-behind',
    summary: 'A long poll that is behind waits for one more change when it has a heartbeat.',
    replace: asking('longpoll', ({ query }) =>
      query.heartbeat === undefined ? {} : { query: { ...query, since: 'now' } },
    ),
  },
  {
    id: 'longpoll-behind-one-row',
    rule: 'longpoll-behind',
    summary: 'A long poll that is behind gives one row.',
    replace: asking('longpoll', ({ query }) => ({ query: { ...query, limit: 1 } })),
  },
  {
    id: 'longpoll-timeout-early',
    rule: 'longpoll-timeout',
    summary: 'A long poll ends a fifth before its timeout.',
    replace: patient('longpoll', 'end', 0.8),
  },
  {
    id: 'longpoll-timeout-late',
    rule: 'longpoll-timeout',
    summary: 'A long poll ends after twenty times its timeout.',
    replace: patient('longpoll', 'end', 20),
  },
  {
    id: 'longpoll-timeout-last-seq-ahead',
    rule: 'longpoll-timeout',
    summary: 'The last_seq of a long poll that timed out is that of the next change.',
    replace: endingAhead('longpoll'),
  },
  {
    id: 'longpoll-timeout-without-last-seq',
    rule: 'longpoll-timeout',
    summary: 'A long poll that timed out has a last_seq of null.',
    replace: framed('longpoll', (framing, { database: { position } }) => ({
      end: (end) => framing.end(positionOf(end.last_seq) === position ? { ...end, last_seq: null } : end),
    })),
  },
  {
    id: 'continuous-comma',
    rule: 'continuous-lines',
    summary: 'From the second row on, lines begin with a comma.',
    replace: framed('continuous', () => ({ separator: ',' })),
  },
  {
    id: 'continuous-heartbeat-null',
    rule: 'continuous-lines',
    summary: 'A heartbeat is a line with null.',
    replace: framed('continuous', () => ({ heartbeat: 'null\r\n' })),
  },
  {
    id: 'continuous-rows-without-changes',
    rule: 'continuous-lines',
    summary: 'The row of a deletion has no list of changes.',
    replace: rowsAs(
      'continuous',
      () =>
        (text, { deleted, changes, ...row }) =>
          deleted ? `${JSON.stringify({ ...row, deleted, rev: changes[0]!.rev })}\r\n` : text,
    ),
  },
  {
    id: 'continuous-crlf-first-lines',
    rule: 'continuous-crlf',
    summary: 'From the fifth row on, lines end in LF.',
    replace: rowsAs('continuous', () => {
      let count = 0;
      return (text) => ((count += 1) > 4 ? text.replace('\r\n', '\n') : text);
    }),
  },
  {
    id: 'continuous-crlf-past-only',
    rule: 'continuous-crlf',
    summary: 'The rows of changes that come while the feed is open end in LF.',
    replace: rowsAs(
      'continuous',
      ({ database: { position } }) =>
        (text, { seq }) =>
          positionOf(seq) > position ? text.replace('\r\n', '\n') : text,
    ),
  },
  {
    id: 'continuous-begins-now',
    rule: 'continuous-behind',
    summary: 'With a heartbeat, a continuous feed begins with what comes.',
    replace: asking('continuous', ({ query }) =>
      query.heartbeat === undefined ? {} : { query: { ...query, since: 'now' } },
    ),
  },
  {
    id: 'continuous-ends-when-read',
    rule: 'continuous-behind',
    summary: 'With all_docs, a continuous feed ends after the changes that are there already.',
    replace: opening('continuous', ({ mode, options }) => ({
      mode: options.allLeaves ? { ...mode, waits: 'for rows' } : mode,
    })),
  },
  {
    id: 'continuous-past-row-held',
    rule: 'continuous-behind',
    summary: 'A row is sent when the next one is there.',
    replace: rowsAs('continuous', () => {
      let held = '';
      return (text) => {
        const sent = held;
        held = text;
        return sent;
      };
    }),
  },
  {
    id: 'continuous-loses-last-of-several',
    rule: 'continuous-live',
    summary: 'Of several changes that come at once, a continuous feed loses the last.',
    replace: losingTheLast('continuous'),
  },
  {
    id: 'continuous-document-once',
    rule: 'continuous-live',
    summary: 'A continuous feed gives each document once.',
    replace: onlyOnce('continuous'),
  },
  {
    id: 'continuous-deaf-after-heartbeat',
    rule: 'continuous-live',
    summary: 'The first row after a heartbeat is lost.',
    replace: framed('continuous', ({ row, heartbeat }) => {
      let deaf = false;
      return {
        get heartbeat() {
          deaf = true;
          return heartbeat;
        },
        row: (change) => {
          const text = deaf ? '' : row(change);
          deaf = false;
          return text;
        },
      };
    }),
  },
  {
    id: 'continuous-limit-off-by-one',
    rule: 'continuous-limit',
    summary: 'A continuous feed gives one row more than limit.',
    replace: asking('continuous', ({ query }) =>
      query.limit === undefined ? {} : { query: { ...query, limit: query.limit + 1 } },
    ),
  },
  {
    id: 'continuous-limit-past-only',
    rule: 'continuous-limit',
    summary: 'A limit that the changes which are there already do not reach is forgotten.',
    replace: opening('continuous', ({ database, options }) => ({
      options:
        database.countChanges({ after: 0, upTo: database.position }) < options.limit
          ? { ...options, limit: Infinity }
          : options,
    })),
  },
  {
    id: 'continuous-end-without-last-seq',
    rule: 'continuous-limit',
    summary: 'The object at the end of a continuous feed has no last_seq.',
    replace: framed('continuous', () => ({ end: ({ pending }) => `${JSON.stringify({ pending })}\r\n` })),
  },
  {
    id: 'continuous-last-seq-ahead',
    rule: 'continuous-limit',
    summary: 'The last_seq at the end of a continuous feed is that of the change after it.',
    replace: endingAhead('continuous'),
  },
  {
    id: 'continuous-timeout-not-restarted',
    rule: 'continuous-timeout',
    summary: 'The timeout of a continuous feed begins with the feed, and no change puts it off.',
    replace: withoutRestart('continuous'),
  },
  {
    id: 'continuous-timeout-early',
    rule: 'continuous-timeout',
    summary: 'A continuous feed ends a fifth before its timeout.',
    replace: patient('continuous', 'end', 0.8),
  },
  {
    id: 'continuous-timeout-late',
    rule: 'continuous-timeout',
    summary: 'A continuous feed ends after twenty times its timeout.',
    replace: patient('continuous', 'end', 20),
  },
  {
    id: 'heartbeats-only-between-rows',
    rule: 'heartbeat-lines',
    summary: 'A continuous feed has no heartbeat before its first row.',
    replace: beatingAfterFirstRow,
  },
  {
    id: 'headers-with-first-row',
    rule: 'heartbeat-lines',
    summary: 'The headers of a continuous feed come late, with its first row, and no heartbeat before them.',
    replace: (parts) => {
      const { openFeed } = beatingAfterFirstRow(parts);
      return {
        ...parts,
        async openFeed(feed) {
          const body = await openFeed(feed);
          if (modeOf(feed) === 'continuous') await once(body, 'readable');
          return body;
        },
      };
    },
  },
  {
    id: 'heartbeat-not-with-filter',
    rule: 'heartbeat-lines',
    summary: 'A continuous feed with a filter has no heartbeats.',
    replace: framed('continuous', ({ heartbeat }, { filter }) => ({ heartbeat: filter ? '' : heartbeat })),
  },
  {
    id: 'heartbeat-slow',
    rule: 'heartbeat-lines',
    summary: 'A long poll gets a heartbeat every tenth period.',
    replace: patient('longpoll', 'heartbeat', 10),
  },
  {
    id: 'heartbeat-longer-than-timeout',
    rule: 'heartbeat-overrides',
    summary: 'A timeout that is over before the first heartbeat ends a continuous feed.',
    replace: asking('continuous', ({ query }) =>
      query.timeout !== undefined && query.timeout < Number(query.heartbeat)
        ? { query: { ...query, heartbeat: undefined } }
        : {},
    ),
  },
  {
    id: 'heartbeat-forgotten-by-timeout',
    rule: 'heartbeat-overrides',
    summary: 'A timeout that is longer than the period of heartbeats ends a long poll.',
    replace: asking('longpoll', ({ query }) =>
      query.timeout !== undefined && query.timeout > Number(query.heartbeat)
        ? { query: { ...query, heartbeat: undefined } }
        : {},
    ),
  },
  {
    id: 'heartbeat-overridden-in-eventsource',
    rule: 'heartbeat-overrides',
    summary: 'In event source mode the timeout ends a feed with a heartbeat.',
    replace: asking('eventsource', ({ query }) =>
      query.timeout === undefined ? {} : { query: { ...query, heartbeat: undefined } },
    ),
  },
  {
    id: 'heartbeat-true-is-none',
    rule: 'heartbeat-true',
    summary: 'heartbeat=true is as good as no heartbeat in a long poll.',
    replace: asking('longpoll', ({ query }) =>
      query.heartbeat === true ? { query: { ...query, heartbeat: undefined } } : {},
    ),
  },
  {
    id: 'heartbeat-true-by-post-only',
    rule: 'heartbeat-true',
    summary: 'heartbeat=true is as good as no heartbeat in a continuous feed, unless by POST.',
    replace: asking('continuous', ({ method, query }) =>
      method === 'GET' && query.heartbeat === true ? { query: { ...query, heartbeat: undefined } } : {},
    ),
  },
  {
    id: 'heartbeat-true-refused',
    rule: 'heartbeat-true',
    summary: 'heartbeat=true is refused for an event stream.',
    replace: asking('eventsource', ({ query }) => {
      if (query.heartbeat === true) {
        throw httpError(400, 'bad_request', 'heartbeat must be a number');
      }
      return {};
    }),
  },
  {
    id: 'timeout-default-fixed',
    rule: 'timeout-default',
    summary: 'The default timeout of a continuous feed is 60 seconds whatever the configuration says.',
    replace: asking('continuous', ({ query }) =>
      query.timeout === undefined ? { changesTimeout: 60_000 } : {},
    ),
  },
  {
    id: 'timeout-default-halved',
    rule: 'timeout-default',
    summary: 'Without a timeout a long poll ends after half the time of the configuration.',
    replace: asking('longpoll', ({ query, changesTimeout }) =>
      query.timeout === undefined ? { query: { ...query, timeout: changesTimeout / 2 } } : {},
    ),
  },
  {
    id: 'timeout-maximum-fixed',
    rule: 'timeout-maximum',
    summary: 'The timeout of a long poll may be 60 seconds whatever the configuration says.',
    replace: asking('longpoll', ({ query }) =>
      query.timeout === undefined ? {} : { changesTimeout: 60_000 },
    ),
  },
  {
    id: 'timeout-maximum-refused',
    rule: 'timeout-maximum',
    summary: 'A timeout beyond the maximum is refused in continuous mode.',
    replace: asking('continuous', ({ query: { timeout = 0 }, changesTimeout }) => {
      if (timeout > changesTimeout)
        throw httpError(400, 'bad_request', `timeout must not exceed ${changesTimeout}`);
      return {};
    }),
  },
  {
    id: 'eventsource-plain-text',
    rule: 'eventsource-stream',
    summary: 'The answer to a POST has the media type text/plain.',
    replace: (parts) => {
      const { postChanges } = parts.handlers;
      const faulty = async (request: Request, context: Context): Promise<Answer> => {
        const answer = (await postChanges(request as never, context)) as Answer;
        return request.query.feed === 'eventsource' ? ({ ...answer, type: 'text/plain' } as Answer) : answer;
      };
      return {
        ...parts,
        handlers: { ...parts.handlers, postChanges: faulty as unknown as Handlers['postChanges'] },
      };
    },
  },
  {
    id: 'eventsource-lines-without-field',
    rule: 'eventsource-stream',
    summary: 'A row with a document is spread over lines of which only the first is data.',
    replace: rowsAs(
      'eventsource',
      () => (text, row) => (row.doc === undefined ? text : `data: ${JSON.stringify(row, null, 1)}\n\n`),
    ),
  },
  {
    id: 'eventsource-deletions-named',
    rule: 'eventsource-stream',
    summary: 'The event of a deletion has a type of its own.',
    replace: rowsAs(
      'eventsource',
      () =>
        (text, { deleted }) =>
          deleted ? `event: deleted\n${text}` : text,
    ),
  },
  {
    id: 'eventsource-loses-last-of-several',
    rule: 'eventsource-live',
    summary: 'Of several changes that come at once, an event stream loses the last.',
    replace: losingTheLast('eventsource'),
  },
  {
    id: 'eventsource-ends-when-read',
    rule: 'eventsource-live',
    summary: 'With include_docs, an event stream ends after the changes that are there already.',
    replace: opening('eventsource', ({ mode, options }) => ({
      mode: options.includeDocs ? { ...mode, waits: 'for rows' } : mode,
    })),
  },
  {
    id: 'eventsource-document-once',
    rule: 'eventsource-live',
    summary: 'An event stream gives each document once.',
    replace: onlyOnce('eventsource'),
  },
  {
    id: 'eventsource-heartbeat-comment',
    rule: 'eventsource-heartbeat',
    summary: 'A heartbeat is a comment, which clients do not see.',
    replace: framed('eventsource', () => ({ heartbeat: ': heartbeat\n\n' })),
  },
  {
    id: 'eventsource-heartbeat-message',
    rule: 'eventsource-heartbeat',
    summary: 'Beside its event, a heartbeat is a message without data.',
    replace: framed('eventsource', ({ heartbeat }) => ({ heartbeat: `data: \n\n${heartbeat}` })),
  },
  {
    id: 'eventsource-heartbeat-slow',
    rule: 'eventsource-heartbeat',
    summary: 'An event stream gets a heartbeat every tenth period.',
    replace: patient('eventsource', 'heartbeat', 10),
  },
  {
    id: 'last-event-id-after-since',
    rule: 'eventsource-last-event-id',
    summary: 'A since in the same request overrides Last-Event-ID.',
    replace: asking('eventsource', ({ query, headers }) =>
      query.since === 'now' ? { headers: { ...headers, 'last-event-id': undefined } } : {},
    ),
  },
  {
    id: 'last-event-id-inclusive',
    rule: 'eventsource-last-event-id',
    summary: 'A stream that is resumed begins with the last event again.',
    replace: resumingAt(-1),
  },
  {
    id: 'last-event-id-skips',
    rule: 'eventsource-last-event-id',
    summary: 'A stream that is resumed leaves out the next event.',
    replace: resumingAt(1),
  },
  {
    id: 'last-event-id-header-only',
    rule: 'eventsource-last-event-id',
    summary: 'The query parameter last-event-id is ignored.',
    replace: asking('eventsource', ({ query }) => ({ query: { ...query, 'last-event-id': undefined } })),
  },
  {
    id: 'eventsource-limit-off-by-one',
    rule: 'eventsource-limit-timeout',
    summary: 'An event stream gives one row more than limit.',
    replace: asking('eventsource', ({ query }) =>
      query.limit === undefined ? {} : { query: { ...query, limit: query.limit + 1 } },
    ),
  },
  {
    id: 'eventsource-timeout-not-restarted',
    rule: 'eventsource-limit-timeout',
    summary: 'The timeout of an event stream begins with the stream, and no change puts it off.',
    replace: withoutRestart('eventsource'),
  },
  {
    id: 'eventsource-timeout-late',
    rule: 'eventsource-limit-timeout',
    summary: 'An event stream ends after twenty times its timeout.',
    replace: patient('eventsource', 'end', 20),
  },
  {
    id: 'live-resume-skips',
    rule: 'feed-live-converges',
    summary: 'A continuous feed that is resumed leaves out the next change.',
    replace: opening('continuous', (feed) => movedBy(feed, 1)),
  },
  {
    id: 'live-loses-last-of-several',
    rule: 'feed-live-converges',
    summary: 'Of several changes that come at once, a live feed loses the last.',
    replace: (parts) => losingTheLast('continuous')(losingTheLast('eventsource')(parts)),
  },
  {
    id: 'live-document-once',
    rule: 'feed-live-converges',
    summary: 'A live feed gives each document once.',
    replace: (parts) => onlyOnce('continuous')(onlyOnce('eventsource')(parts)),
  },
  {
    id: 'resumed-normal-loses-last',
    rule: 'feed-live-converges',
    summary: 'Of several changes since a sequence, normal mode loses the last.',
    replace: opening('any', (feed) =>
      modeOf(feed) === 'normal' && positionOf(feed.options.start.since) > 0 ? finding(feed, withoutLast) : {},
    ),
  },
  {
    id: 'live-longpoll-last-seq-ahead',
    rule: 'feed-live-converges',
    summary: 'The last_seq of a long poll is that of the change after the last one.',
    replace: endingAhead('longpoll'),
  },
];
