/** Faults of event streams. */
import type { Fault } from '../../../reference/index.js';
import { replaceHandler, type Replace } from '../shared/components.faults.js';
import { changeFeedQuery, positionOf, replaceFeedHandlers } from '../shared/feeds.faults.js';
import { changeOpenFeed, changeRowText, moveStart } from '../shared/open-feeds.faults.js';
import { openModeFaults } from '../shared/open-modes.faults.js';

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
    id: 'eventsource-ends-when-read',
    rule: 'eventsource-live',
    summary: 'The server ends an event stream with include_docs after the earlier changes.',
    replace: changeOpenFeed('eventsource', ({ mode, options }) => ({
      mode: options.query.include_docs ? { ...mode, waits: 'for rows' } : mode,
    })),
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
    id: 'last-event-id-before-since',
    rule: 'eventsource-last-event-id',
    summary: 'The server ignores the query parameter last-event-id if since=now follows it.',
    replace: changeFeedQuery('eventsource', ({ sent }) => {
      const [first] = [...sent.keys()].filter((name) => name === 'since' || name === 'last-event-id');
      return first === 'last-event-id' && sent.get('since') === 'now' ? { 'last-event-id': undefined } : {};
    }),
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
  ...openModeFaults('eventsource', 'an event stream', {
    live: 'eventsource-live',
    limit: 'eventsource-limit-timeout',
    timeout: 'eventsource-limit-timeout',
  }),
];
