/** Faults in how a feed without events uses the id of an event. */
import { changeFeedQuery, replaceFeedHandlers, type FeedRequest } from '../shared/feeds.faults.js';
import { faultsOf, type Replace } from '../shared/components.faults.js';

/** Ignores the header of some requests. */
const ignoreHeader = (isIgnored: (request: FeedRequest) => boolean): Replace =>
  replaceFeedHandlers((original, request) => {
    const headers = isIgnored(request) ? { ...request.headers, 'last-event-id': undefined } : request.headers;
    return original({ ...request, headers }, request.context);
  });

export const feedLastEventIdFaults = faultsOf({
  'feed-last-event-id': {
    'last-event-id-in-streams-only': {
      summary: 'The server ignores the Last-Event-ID header in continuous mode.',
      replace: ignoreHeader(({ query }) => query.feed === 'continuous'),
    },
    'last-event-id-after-now': {
      summary: 'The server ignores the Last-Event-ID header in normal mode if the request has since=now.',
      replace: ignoreHeader(({ query }) => query.feed === 'normal' && query.since === 'now'),
    },
    'last-event-id-later-wins': {
      summary: 'The server uses the later one of last-event-id and since in the query of a long poll.',
      replace: changeFeedQuery('longpoll', ({ sent }) => {
        const names = [...sent.keys()].filter((name) => name === 'since' || name === 'last-event-id');
        return names.at(-1) === 'since' ? { 'last-event-id': undefined } : {};
      }),
    },
  },
});
