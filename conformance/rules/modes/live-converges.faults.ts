/** Faults that make a client miss changes while it follows a feed. */
import { combine, faultsOf, perServer, type Replace } from '../shared/components.faults.js';
import { positionOf, type Query } from '../shared/feeds.faults.js';
import {
  changeAccepted,
  changeFilterRequest,
  shortenDocumentIds,
  type Candidate,
  type OpenFilter,
} from '../shared/filters.faults.js';
import {
  changeOpenFeed,
  changeReads,
  loseLastOfSeveral,
  moveStart,
  sendEachDocumentOnce,
  withoutLastOfSeveral,
} from '../shared/open-feeds.faults.js';

const isStream = ({ feed }: Query): boolean => feed === 'continuous' || feed === 'eventsource';

const isResumedStream = (query: Query): boolean =>
  isStream(query) && (positionOf(query.since) > 0 || query['last-event-id'] !== undefined);

/** Rejects documents for which `isLost` is true in resumed streams with filters of the given name. */
const loseWhenResumed = (
  name: RegExp,
  isLost: (candidate: Candidate, filter: OpenFilter) => boolean,
): Replace =>
  changeAccepted((accepted, candidate, filter) =>
    name.test(filter.name) && isResumedStream(filter.query) && isLost(candidate, filter)
      ? accepted.map(() => false)
      : accepted,
  );

const isDeletion = ({ head }: Candidate): boolean => head.leaves.deleted;

export const liveConvergesFaults = faultsOf({
  'feed-live-converges': {
    'live-resume-skips': {
      summary: 'The server skips the next change when a client resumes a continuous feed.',
      replace: changeOpenFeed('continuous', (feed) => moveStart(feed, 1)),
    },
    'live-longpoll-skips': {
      summary: 'The server skips the next change when a client resumes with a long poll.',
      replace: changeOpenFeed('longpoll', (feed) => moveStart(feed, 1)),
    },
    'live-loses-last-of-several': {
      summary:
        'The server loses the last of several changes that occur at once in a continuous feed or event stream.',
      replace: combine(loseLastOfSeveral('continuous'), loseLastOfSeveral('eventsource')),
    },
    'live-document-once': {
      summary: 'The server sends each document only once in a continuous feed or event stream.',
      replace: combine(sendEachDocumentOnce('continuous'), sendEachDocumentOnce('eventsource')),
    },
    'resumed-normal-loses-last': {
      summary: 'The server loses the last of several changes after since in normal mode.',
      replace: changeOpenFeed('normal', (feed) =>
        positionOf(feed.options.start.since) > 0 ? changeReads(feed, withoutLastOfSeveral) : {},
      ),
    },
    'resumed-ids-shortened': {
      summary: 'The server ignores the last document ID of filter=_doc_ids when a client resumes a stream.',
      replace: shortenDocumentIds(-1, isResumedStream),
    },
    'resumed-design-without-deletions': {
      summary: 'The server omits deletions when a client resumes a stream with filter=_design.',
      replace: loseWhenResumed(/^_design$/, isDeletion),
    },
    'resumed-view-without-deletions': {
      summary: 'The server omits deletions when a client resumes a stream with filter=_view.',
      replace: loseWhenResumed(/^_view$/, isDeletion),
    },
    'live-selector-once': {
      summary: 'The server sends each document only once in a stream with filter=_selector.',
      replace: perServer(() => {
        const sentBy = new WeakMap<OpenFilter, Set<string>>();
        return changeAccepted((accepted, { head: { id } }, filter) => {
          if (filter.name !== '_selector' || !isStream(filter.query)) return accepted;
          const sent = sentBy.get(filter) ?? new Set();
          sentBy.set(filter, sent);
          if (sent.has(id)) return accepted.map(() => false);
          if (accepted.includes(true)) sent.add(id);
          return accepted;
        });
      }),
    },
    'resumed-function-without-edits': {
      summary: 'The server sends only new documents when a client resumes a stream with a filter function.',
      replace: loseWhenResumed(/\//, ({ head }) => !head.leaves.winner.startsWith('1-')),
    },
    'resumed-ids-forgotten': {
      summary: 'The server ignores filter=_doc_ids when a client resumes an event stream.',
      replace: changeFilterRequest(({ query }) =>
        query.feed === 'eventsource' && query.filter === '_doc_ids' && isResumedStream(query)
          ? { query: { filter: undefined } }
          : {},
      ),
    },
  },
});
