/** Faults that make a client that follows a feed miss changes. */
import { type Fault } from '../../reference/index.js';
import { askingFilter, type Candidate, type Filtered, filtering } from './shared/filters.js';
import { positionOf, type Query } from './shared/feeds.js';
import { type Replace } from './shared/components.js';
import {
  endingAhead,
  finding,
  losingTheLast,
  modeOf,
  movedBy,
  onlyOnce,
  opening,
  withoutLast,
} from './shared/open-feeds.js';

/** The parameters of a request to the feed, of which a filter that is in order needs a few only. */
const queryOf = ({ request }: Pick<Filtered, 'request'>): Query => request.query as Query;

const isStream = ({ feed }: Query): boolean => feed === 'continuous' || feed === 'eventsource';

/** Whether it is a feed that stays open, and that goes on where another has ended. */
const isResumed = (query: Query): boolean =>
  isStream(query) && (positionOf(query.since) > 0 || query['last-event-id'] !== undefined);

/** Lets none of these documents through when feeds with filters of the given name are resumed. */
const losingWhenResumed = (name: RegExp, isLost: (candidate: Candidate) => boolean): Replace =>
  filtering((verdicts, candidate, filtered) =>
    name.test(filtered.name) && isResumed(queryOf(filtered)) && isLost(candidate)
      ? verdicts.map(() => false)
      : [...verdicts],
  );

export const liveConvergesFaults: readonly Fault[] = [
  {
    id: 'resumed-ids-shortened',
    rule: 'feed-live-converges',
    summary: 'A feed that stays open and is resumed ignores the last id of the list that _doc_ids has.',
    replace: askingFilter((request) => {
      if (!isResumed(request.query as Query)) return {};
      const { query, body } = request;
      return {
        request: {
          query: { ...query, doc_ids: query.doc_ids?.slice(0, -1) },
          body: body?.doc_ids ? { ...body, doc_ids: body.doc_ids.slice(0, -1) } : body,
        },
      };
    }),
  },
  {
    id: 'resumed-design-without-deletions',
    rule: 'feed-live-converges',
    summary: 'A feed that stays open and is resumed with _design leaves out deletions.',
    replace: losingWhenResumed(/^_design$/, ({ head }) => head.leaves.deleted),
  },
  {
    id: 'resumed-view-without-conflicts',
    rule: 'feed-live-converges',
    summary: 'A feed that stays open and is resumed with _view leaves out documents in conflict.',
    replace: losingWhenResumed(/^_view$/, ({ head }) => head.leaves.conflicts.length > 0),
  },
  {
    id: 'live-selector-once',
    rule: 'feed-live-converges',
    summary: 'A feed that stays open with _selector lets each document through once.',
    replace: (parts) => {
      const passed = new WeakMap<Filtered, Set<string>>();
      const once = filtering((verdicts, { head: { id } }, filtered) => {
        if (filtered.name !== '_selector' || !isStream(queryOf(filtered))) return [...verdicts];
        const before = passed.get(filtered) ?? new Set();
        passed.set(filtered, before);
        if (before.has(id)) return verdicts.map(() => false);
        if (verdicts.includes(true)) before.add(id);
        return [...verdicts];
      });
      return once(parts);
    },
  },
  {
    id: 'resumed-function-without-next',
    rule: 'feed-live-converges',
    summary: 'A feed that stays open and is resumed with a filter function leaves out the next change.',
    replace: filtering((verdicts, { head: { position } }, filtered) => {
      const query = queryOf(filtered);
      const isNext = isResumed(query) && position === positionOf(query.since) + 1;
      return isNext && filtered.name.includes('/') ? verdicts.map(() => false) : [...verdicts];
    }),
  },
  {
    id: 'resumed-ids-forgotten',
    rule: 'feed-live-converges',
    summary: 'An event stream that is resumed forgets _doc_ids.',
    replace: askingFilter(({ query, body }) => {
      const { feed, filter } = query as Query;
      const isForgotten = feed === 'eventsource' && filter === '_doc_ids' && isResumed(query as Query);
      return isForgotten ? { request: { query: { ...query, filter: undefined }, body } } : {};
    }),
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
