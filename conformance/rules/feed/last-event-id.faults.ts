/** Faults in how a feed without events uses the id of an event. */
import { changeFeedQuery, ignoreLastEventId } from '../shared/feeds.faults.js';
import { faultsOf } from '../shared/components.faults.js';

export const feedLastEventIdFaults = faultsOf({
  'feed-last-event-id': {
    'last-event-id-in-streams-only': {
      summary: 'The server ignores the Last-Event-ID header in continuous mode.',
      onlyIn: ['modes'],
      // CouchDB uses the header in event streams only.
      knownIn: ['couchdb-3.3', 'couchdb-3.5'],
      replace: ignoreLastEventId(({ query }) => query.feed === 'continuous'),
    },
    'last-event-id-after-now': {
      summary: 'The server ignores the Last-Event-ID header in normal mode if the request has since=now.',
      // CouchDB uses the later one of last-event-id and since.
      knownIn: ['couchdb-3.3', 'couchdb-3.5'],
      replace: ignoreLastEventId(({ query }) => query.feed === 'normal' && query.since === 'now'),
    },
    'last-event-id-later-wins': {
      summary: 'The server uses the later one of last-event-id and since in the query of a long poll.',
      onlyIn: ['modes'],
      // CouchDB uses the later one of last-event-id and since.
      knownIn: ['couchdb-3.3', 'couchdb-3.5'],
      replace: changeFeedQuery('longpoll', { 'last-event-id': undefined }, ({ sent }) => {
        const names = [...sent.keys()];
        return names.findLast((name) => name === 'since' || name === 'last-event-id') === 'since';
      }),
    },
  },
});
