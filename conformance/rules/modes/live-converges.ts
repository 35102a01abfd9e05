/** A consumer that applies rows as they arrive ends with the state of the database (SERVICE 4.7). */
import fc from 'fast-check';
import {
  bySelector,
  type CheckDefinition,
  defineRule,
  designScenarios,
  type FeedMode,
  feedModes,
  forAll,
  type History,
  idsScenarios,
  lenientFunctions,
  lenientSelectors,
  lenientViews,
  liveHistories,
  playForFilters,
  type Scenario,
  scenarios,
  supportedFilters,
  withReplicated,
} from '../../kit.js';
import type { Capability } from '../../../openapi/generated/rules.js';
import { consumerPlans, mustConverge } from '../shared/live-consumers.js';
import { liveCases, modesOf } from '../shared/timing.js';
import { unseen } from '../shared/unseen.js';

const inMode = (mode: FeedMode): CheckDefinition => ({
  uses: { query: { feed: mode } },
  waits: 'changes',
  run: forAll(
    fc.record({ plan: consumerPlans(mode), history: liveHistories }),
    async (context, { history: { before, during }, plan }) =>
      mustConverge([await context.createDatabase()], { stages: [before, during], consumers: [{ plan }] }),
    { cases: liveCases },
  ),
});

/**
 * Writes each document of the history once more, with its last content, so that a filter often accepts it again. Deletes
 * every n-th document, since deletions are rare in histories and easy to lose.
 */
function rewritten(history: History, n: number): History {
  const bodies = new Map(history.map(({ id, writes }) => [id, writes.at(-1)!.body]));
  return [...bodies].map(([id, body], index) => ({
    id,
    writes: [{ kind: index % n === 0 ? 'delete' : 'put', leaf: 0, body }],
  }));
}

/** Concurrent consumers of one database in several modes and with several filters. */
const withFilters = (
  scenario: fc.Arbitrary<Scenario>,
  {
    needs,
    filter,
    cases = liveCases,
  }: { needs?: readonly Capability[]; filter?: string; cases?: typeof liveCases } = {},
): CheckDefinition => ({
  needs,
  uses: { query: { filter } },
  waits: 'changes',
  run: forAll(
    (context) =>
      fc.record({
        deletedEvery: fc.integer({ min: 1, max: 2 }),
        plans: fc
          .tuple(
            // Each case follows a stream, since most of what a server can lose, it loses there.
            consumerPlans(...modesOf(context, ['continuous', 'eventsource'])),
            fc.array(consumerPlans(...modesOf(context, feedModes)), { maxLength: 2, size: 'max' }),
          )
          .map(([stream, others]) => [stream, ...others]),
        scenario: withReplicated(scenario),
      }),
    async (context, { scenario: { before, after, ...scenario }, deletedEvery, plans }) => {
      const filters = supportedFilters(context, scenario.filters);
      const { database, state } = await playForFilters(context, filters, []);
      await mustConverge([database], {
        before: state,
        stages: [before, after, rewritten([...before, ...after], deletedEvery)],
        consumers: plans.map((plan, index) => ({ plan, filter: filters[index % filters.length]! })),
      });
    },
    { cases },
  ),
});

export const feedLiveConverges = defineRule('feed-live-converges', {
  rung: 'filters',
  otherRungs: {
    'feed-live-converges/normal': 'modes',
    'feed-live-converges/longpoll': 'modes',
    'feed-live-converges/continuous': 'modes',
    'feed-live-converges/eventsource': 'modes',
  },
  notInTraffic: unseen.otherWriters,
  checks: {
    'feed-live-converges/normal': inMode('normal'),

    'feed-live-converges/longpoll': inMode('longpoll'),

    'feed-live-converges/continuous': inMode('continuous'),

    'feed-live-converges/eventsource': inMode('eventsource'),

    // A list may lose one of its ids only, which shows in few cases. A baseline explains a failure in a quarter of them.
    'feed-live-converges/doc-ids': withFilters(idsScenarios(), { cases: { ...liveCases, default: 10 } }),

    'feed-live-converges/selector': withFilters(scenarios(bySelector(lenientSelectors)), {
      filter: '_selector',
    }),

    'feed-live-converges/design': withFilters(designScenarios()),

    'feed-live-converges/view': withFilters(scenarios(lenientViews), {
      needs: ['functions'],
      filter: '_view',
    }),

    'feed-live-converges/function': withFilters(scenarios(lenientFunctions), { needs: ['functions'] }),
  },
});
