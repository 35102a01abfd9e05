/** Faults of event streams. */
import { faultsOf, type Replace, replaceHandler, type RuleFault } from '../shared/components.faults.js';
import { changeFeedQuery, ignoreLastEventId } from '../shared/feeds.faults.js';
import { changeEachRowText, changeFraming, changeOpenFeed, moveStart } from '../shared/open-feeds.faults.js';
import { openModeFaults } from '../shared/open-modes.faults.js';
import { unseen } from '../shared/unseen.js';

/** Starts a stream some changes later, or earlier if `by` is negative, if the request names the last event. */
const moveResumedStart = (by: number): Replace =>
  changeOpenFeed('eventsource', (feed) =>
    feed.options.start.parameter === 'since' ? {} : moveStart(feed, by),
  );

const withoutId = (text: string): string => text.replace(/^id: .*\n/m, '');

export const eventsourceFaults: readonly RuleFault[] = [
  ...faultsOf({
    'eventsource-stream': {
      'eventsource-plain-text': {
        summary: 'The server sends an event stream as text/plain in response to POST.',
        replace: replaceHandler('postChanges', async (original, request, context) => {
          const response = await original(request, context);
          return request.query.feed === 'eventsource' ? { ...response, type: 'text/plain' } : response;
        }),
      },
      'eventsource-lines-without-field': {
        summary:
          'The server splits a row with a document into several lines and starts only the first with data.',
        replace: changeEachRowText('eventsource', (text, row) =>
          row.doc === undefined ? text : `data: ${JSON.stringify(row, null, 1)}\n\n`,
        ),
      },
      'eventsource-ends-as-an-object': {
        summary: 'The server ends an event stream with the end of the JSON object of normal mode.',
        replace: changeFraming('eventsource', () => ({
          end: ({ last_seq, pending }) =>
            `\n],\n"last_seq":${JSON.stringify(last_seq)},"pending":${pending}}\n`,
        })),
      },
      'eventsource-bracket-after-timeout': {
        summary: 'The server ends an event stream without events with a bracket when its timeout has passed.',
        replace: changeFraming('eventsource', ({ row }) => {
          let hasEvents = false;
          return {
            row: (...change) => {
              hasEvents = true;
              return row(...change);
            },
            end: () => (hasEvents ? '' : ']'),
          };
        }),
      },
      'eventsource-deletions-named': {
        summary: 'The server sends an event type with the row of a deletion.',
        replace: changeEachRowText('eventsource', (text, { deleted }) =>
          deleted ? `event: deleted\n${text}` : text,
        ),
      },
    },
    'eventsource-live': {
      'eventsource-ends-when-read': {
        summary: 'The server ends an event stream with include_docs after the earlier changes.',
        replace: changeOpenFeed('eventsource', ({ mode, options }) => ({
          mode: options.query.include_docs ? { ...mode, waits: 'for rows' } : mode,
        })),
      },
    },
    'eventsource-last-event-id': {
      'last-event-id-after-since': {
        summary: 'The server ignores the Last-Event-ID header if the request has since=now.',
        notInTraffic: unseen.position,
        replace: ignoreLastEventId(({ query }) => query.feed === 'eventsource' && query.since === 'now'),
      },
      'eventsource-without-ids': {
        summary: 'The server sends events without ids.',
        replace: changeEachRowText('eventsource', withoutId),
      },
      'eventsource-deletions-without-ids': {
        summary: 'The server omits the id from the events of deletions.',
        notInTraffic: unseen.rare,
        replace: changeEachRowText('eventsource', (text, { deleted }) => (deleted ? withoutId(text) : text)),
      },
      'last-event-id-inclusive': {
        summary: 'The server repeats the last event when a client resumes a stream.',
        notInTraffic: unseen.position,
        replace: moveResumedStart(-1),
      },
      'last-event-id-skips': {
        summary: 'The server skips the next event when a client resumes a stream.',
        notInTraffic: unseen.position,
        replace: moveResumedStart(1),
      },
      'last-event-id-header-only': {
        summary: 'The server ignores the query parameter last-event-id.',
        notInTraffic: unseen.position,
        replace: changeFeedQuery('eventsource', { 'last-event-id': undefined }),
      },
      'last-event-id-before-since': {
        summary: 'The server ignores the query parameter last-event-id if since=now follows it.',
        notInTraffic: unseen.position,
        // CouchDB uses the later one of last-event-id and since.
        knownIn: ['couchdb-3.3', 'couchdb-3.5'],
        replace: changeFeedQuery('eventsource', { 'last-event-id': undefined }, ({ sent }) => {
          const first = [...sent.keys()].find((name) => name === 'since' || name === 'last-event-id');
          return first === 'last-event-id' && sent.get('since') === 'now';
        }),
      },
      'eventsource-live-without-ids': {
        summary: 'The server omits the id from the events of changes that are made while the stream is open.',
        replace: changeEachRowText('eventsource', (text, _, isLive) => (isLive ? withoutId(text) : text)),
      },
      'last-event-id-without-filter': {
        summary: 'The server ignores the Last-Event-ID header of a request with a filter.',
        notInTraffic: unseen.rare,
        replace: ignoreLastEventId(({ query }) => query.filter !== undefined),
      },
    },
  }),
  ...openModeFaults('eventsource', 'an event stream', {
    live: 'eventsource-live',
    limit: 'eventsource-limit-timeout',
    timeout: 'eventsource-limit-timeout',
  }),
];
