/** Faults in how the feed uses the `Accept` header. */
import { httpError } from '../../../reference/index.js';
import { faultsOf, type Replace } from '../shared/components.faults.js';
import { changeFeedQuery, changeRows, type FeedRequest, type Mode } from '../shared/feeds.faults.js';

const acceptOf = ({ context }: FeedRequest): string => context.requestHead.headers.accept ?? '';

/** Responds with 406 to some requests for a mode. */
const reject = (mode: Mode | 'any', isRejected: (accept: string, request: FeedRequest) => boolean): Replace =>
  changeFeedQuery(mode, (request) => {
    if (!isRejected(acceptOf(request), request)) return {};
    throw httpError(406, 'not_acceptable', 'The media type is not available.');
  });

export const feedAcceptFaults = faultsOf({
  'feed-accept': {
    'accept-json-without-deleted': {
      summary: 'The server omits deleted documents if the client accepts only JSON.',
      replace: changeRows((rows, request) =>
        acceptOf(request) === 'application/json' ? rows.filter(({ deleted }) => !deleted) : rows,
      ),
    },
    'accept-json-refused': {
      summary: 'The server rejects POST of the feed if the client accepts only JSON.',
      replace: reject('any', (accept, { method }) => method === 'POST' && accept === 'application/json'),
    },
    'accept-any-refused': {
      summary:
        'The server rejects a request for normal mode if the client prefers text/plain to other types.',
      replace: reject('normal', (accept) => accept.startsWith('text/plain,')),
    },
    'accept-list-refused': {
      summary: 'The server rejects a continuous feed if the client lists several media types.',
      onlyIn: ['modes'],
      replace: reject('continuous', (accept) => accept.includes(',')),
    },
    'accept-longpoll-quality': {
      summary: 'The server rejects a long poll if the client gives application/json a quality.',
      onlyIn: ['modes'],
      replace: reject('longpoll', (accept) => accept.includes('application/json;q=')),
    },
    'accept-eventsource-refused': {
      summary: 'The server rejects an event stream if the client prefers JSON to it.',
      onlyIn: ['modes'],
      replace: reject('eventsource', (accept) => accept.startsWith('application/json,')),
    },
    'accept-chooses-eventsource': {
      summary: 'The server sends an event stream if the client accepts one and feed is missing.',
      onlyIn: ['modes'],
      replace: changeFeedQuery('normal', (request) =>
        !request.sent.has('feed') && acceptOf(request) === 'text/event-stream'
          ? { feed: 'eventsource', timeout: 100 }
          : {},
      ),
    },
    'accept-chooses-lines': {
      summary: 'The server sends a long poll as lines if the client accepts only text.',
      onlyIn: ['modes'],
      replace: changeFeedQuery('longpoll', (request) =>
        acceptOf(request) === 'text/plain' ? { feed: 'continuous', timeout: 100 } : {},
      ),
    },
  },
});
