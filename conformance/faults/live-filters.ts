/** Faults of filters that only those meet who follow a feed for long, or who come again. */
import type { Fault } from '../../reference/index.js';
import { positionOf, type Query, type Replace } from './feeding.js';
import { askingFilter, filtering, type Candidate, type Filtered } from './filtering.js';

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

export const liveFiltersFaults: readonly Fault[] = [
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
];
