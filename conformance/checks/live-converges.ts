/** A consumer that applies rows as they arrive ends with the state of the database (SERVICE 4.7). */
import fc from 'fast-check';
import {
  bySelector,
  designScenarios,
  idsScenarios,
  lenientFunctions,
  scenarios,
  selectors,
  views,
  type Scenario,
} from '../arbitraries/filters.js';
import { stagedHistories } from '../arbitraries/histories.js';
import type { Capability } from '../../openapi/generated/rules.js';
import { feedModes, type FeedMode } from '../model/feed.js';
import type { History } from '../model/history.js';
import { playForFilters } from '../play/filters.js';
import { check, forAll, type Check } from '../check.js';
import { consumerPlans, mustConverge } from './shared/consumers.js';
import { liveRuns } from './shared/timing.js';

const inMode = (mode: FeedMode): Check =>
  check({
    rule: 'feed-live-converges',
    variant: mode,
    uses: { query: { feed: mode } },
    waits: 'changes',
    run: forAll(
      fc.record({ stages: stagedHistories(2), plan: consumerPlans(mode) }),
      async (context, { stages, plan }) =>
        mustConverge([await context.createDatabase()], { stages, consumers: [{ plan }] }),
      { runs: liveRuns },
    ),
  });

/** Deletes every n-th document of the history, since deletions are rare in it and easy to lose. */
const deletions = (history: History, n: number): History =>
  history
    .filter((_, index) => index % n === 0)
    .map(({ id }) => ({ id, writes: [{ kind: 'delete', leaf: 0, body: {} }] }));

/** Concurrent consumers of one database in several modes and with several filters. */
const withFilters = (
  variant: string,
  scenario: fc.Arbitrary<Scenario>,
  { needs, filter }: { needs?: readonly Capability[]; filter?: string } = {},
): Check =>
  check({
    rule: 'feed-live-converges',
    variant,
    needs,
    uses: { query: { filter } },
    waits: 'changes',
    run: forAll(
      fc.record({
        scenario,
        deletedEvery: fc.integer({ min: 1, max: 3 }),
        plans: fc.uniqueArray(consumerPlans(...feedModes), {
          selector: ({ mode }) => mode,
          minLength: 1,
          maxLength: feedModes.length,
          size: 'max',
        }),
      }),
      async (context, { scenario: { before, after, filters }, deletedEvery, plans }) => {
        const { database, state } = await playForFilters(context, filters, []);
        await mustConverge([database], {
          before: state,
          stages: [before, after, deletions(before, deletedEvery)],
          consumers: plans.map((plan, index) => ({ plan, filter: filters[index % filters.length]! })),
        });
      },
      { runs: liveRuns },
    ),
  });

export const liveConvergesChecks: readonly Check[] = [
  ...feedModes.map(inMode),
  withFilters('doc-ids', idsScenarios()),
  withFilters('selector', scenarios(bySelector(selectors)), { filter: '_selector' }),
  withFilters('design', designScenarios()),
  withFilters('view', scenarios(views), { needs: ['functions'], filter: '_view' }),
  withFilters('function', scenarios(lenientFunctions), { needs: ['functions'] }),
];
