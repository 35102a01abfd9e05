/** Faults of event streams. */
import type { Fault } from '../../../reference/index.js';
import { replaceHandler, type Replace } from '../shared/components.faults.js';
import {
  changeFeedQuery,
  doubleTimeoutWithFilter,
  ignoreNow,
  positionOf,
  replaceFeedHandlers,
} from '../shared/feeds.faults.js';
import {
  changeOpenFeed,
  changeRowText,
  loseAfter,
  loseLastOfSeveral,
  moveStart,
  neverEndAfterLimitWithFilter,
  neverRestartTimeout,
  scaleWait,
  sendEachDocumentOnce,
} from '../shared/open-feeds.faults.js';

/** Starts a stream some changes later, or earlier if `by` is negative, if the request names the last event. */
const moveResumedStart = (by: number): Replace =>
  changeOpenFeed('eventsource', (feed) =>
    feed.options.start.parameter === 'since' ? {} : moveStart(feed, by),
  );

const withoutId = (text: string): string => text.replace(/^id: .*\n/m, '');

export const eventsourceFaults: readonly Fault[] = [
  {
    id: 'eventsource-plain-text',
    rule: 'eventsource-stream',
    summary: 'The server sends an event stream as text/plain in response to POST.',
    replace: replaceHandler('postChanges', async (original, request, context) => {
      const response = await original(request, context);
      return request.query.feed === 'eventsource' ? { ...response, type: 'text/plain' } : response;
    }),
  },
  {
    id: 'eventsource-lines-without-field',
    rule: 'eventsource-stream',
    summary:
      'The server splits a row with a document into several lines and starts only the first with data.',
    replace: changeRowText(
      'eventsource',
      () => (text, row) => (row.doc === undefined ? text : `data: ${JSON.stringify(row, null, 1)}\n\n`),
    ),
  },
  {
    id: 'eventsource-deletions-named',
    rule: 'eventsource-stream',
    summary: 'The server sends an event type with the row of a deletion.',
    replace: changeRowText(
      'eventsource',
      () =>
        (text, { deleted }) =>
          deleted ? `event: deleted\n${text}` : text,
    ),
  },
  {
    id: 'eventsource-loses-last-of-several',
    rule: 'eventsource-live',
    summary: 'The server loses the last of several changes that occur at once in an event stream.',
    replace: loseLastOfSeveral('eventsource'),
  },
  {
    id: 'eventsource-100-at-once',
    rule: 'eventsource-live',
    summary: 'The server loses all but 100 of the changes that occur at once in an event stream.',
    replace: loseAfter('eventsource', 100),
  },
  {
    id: 'eventsource-ends-when-read',
    rule: 'eventsource-live',
    summary: 'The server ends an event stream with include_docs after the earlier changes.',
    replace: changeOpenFeed('eventsource', ({ mode, options }) => ({
      mode: options.includeDocs ? { ...mode, waits: 'for rows' } : mode,
    })),
  },
  {
    id: 'eventsource-document-once',
    rule: 'eventsource-live',
    summary: 'The server sends each document only once in an event stream.',
    replace: sendEachDocumentOnce('eventsource'),
  },
  {
    id: 'last-event-id-after-since',
    rule: 'eventsource-last-event-id',
    summary: 'The server ignores the Last-Event-ID header if the request has since=now.',
    replace: replaceFeedHandlers((original, request) => {
      const { query, headers, context } = request;
      const isIgnored = query.feed === 'eventsource' && query.since === 'now';
      const changed = isIgnored ? { ...headers, 'last-event-id': undefined } : headers;
      return original({ ...request, headers: changed }, context);
    }),
  },
  {
    id: 'eventsource-without-ids',
    rule: 'eventsource-last-event-id',
    summary: 'The server sends events without ids.',
    replace: changeRowText('eventsource', () => withoutId),
  },
  {
    id: 'eventsource-deletions-without-ids',
    rule: 'eventsource-last-event-id',
    summary: 'The server omits the id from the events of deletions.',
    replace: changeRowText(
      'eventsource',
      () =>
        (text, { deleted }) =>
          deleted ? withoutId(text) : text,
    ),
  },
  {
    id: 'last-event-id-inclusive',
    rule: 'eventsource-last-event-id',
    summary: 'The server repeats the last event when a client resumes a stream.',
    replace: moveResumedStart(-1),
  },
  {
    id: 'last-event-id-skips',
    rule: 'eventsource-last-event-id',
    summary: 'The server skips the next event when a client resumes a stream.',
    replace: moveResumedStart(1),
  },
  {
    id: 'last-event-id-header-only',
    rule: 'eventsource-last-event-id',
    summary: 'The server ignores the query parameter last-event-id.',
    replace: changeFeedQuery('eventsource', () => ({ 'last-event-id': undefined })),
  },
  {
    id: 'eventsource-limit-off-by-one',
    rule: 'eventsource-limit-timeout',
    summary: 'The server sends one row more than limit in an event stream.',
    replace: changeFeedQuery('eventsource', ({ query: { limit } }) =>
      limit === undefined ? {} : { limit: limit + 1 },
    ),
  },
  {
    id: 'eventsource-limit-one-less',
    rule: 'eventsource-limit-timeout',
    summary: 'The server sends one row less than a limit of two or more in an event stream.',
    replace: changeFeedQuery('eventsource', ({ query: { limit = 0 } }) =>
      limit > 1 ? { limit: limit - 1 } : {},
    ),
  },
  {
    id: 'eventsource-filtered-limit-endless',
    rule: 'eventsource-limit-timeout',
    summary: 'The server does not end an event stream with a filter after a limit of two or more.',
    replace: neverEndAfterLimitWithFilter('eventsource'),
  },
  {
    id: 'eventsource-timeout-not-restarted',
    rule: 'eventsource-limit-timeout',
    summary: 'The server does not restart the timeout of an event stream after a row.',
    replace: neverRestartTimeout('eventsource'),
  },
  {
    id: 'eventsource-timeout-late',
    rule: 'eventsource-limit-timeout',
    summary: 'The server ends an event stream after twice its timeout.',
    replace: scaleWait('eventsource', 'end', 2),
  },
  {
    id: 'eventsource-now-from-start',
    rule: 'eventsource-live',
    summary: 'The server ignores since=now in an event stream with include_docs.',
    replace: ignoreNow('eventsource', ({ include_docs }) => include_docs === true),
  },
  {
    id: 'eventsource-filtered-timeout-late',
    rule: 'eventsource-limit-timeout',
    summary: 'The server ends an event stream with a filter after twice its timeout.',
    replace: doubleTimeoutWithFilter('eventsource'),
  },
  {
    id: 'eventsource-live-without-ids',
    rule: 'eventsource-last-event-id',
    summary: 'The server omits the id from the events of changes that are made while the stream is open.',
    replace: changeRowText(
      'eventsource',
      ({ database: { position } }) =>
        (text, { seq }) =>
          positionOf(seq) > position ? withoutId(text) : text,
    ),
  },
  {
    id: 'last-event-id-without-filter',
    rule: 'eventsource-last-event-id',
    summary: 'The server ignores the Last-Event-ID header of a request with a filter.',
    replace: replaceFeedHandlers((original, request) => {
      const { query, headers, context } = request;
      const changed = query.filter === undefined ? headers : { ...headers, 'last-event-id': undefined };
      return original({ ...request, headers: changed }, context);
    }),
  },
];
