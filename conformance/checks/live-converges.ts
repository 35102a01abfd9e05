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
        plans: fc.uniqueArray(consumerPlans(...feedModes), {
          selector: ({ mode }) => mode,
          minLength: 1,
          maxLength: feedModes.length,
          size: 'max',
        }),
      }),
      async (context, { scenario: { before, after, filters }, plans }) => {
        const { database, state } = await playForFilters(context, filters, []);
        await mustConverge([database], {
          before: state,
          stages: [before, after],
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
