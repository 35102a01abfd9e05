/** A consumer that applies rows as they arrive ends with the state of the database (SERVICE 4.7). */
import fc from 'fast-check';
import {
  bySelector,
  designScenarios,
  idsScenarios,
  lenientFunctions,
  lenientSelectors,
  scenarios,
  views,
  type Scenario,
} from '../../arbitraries/filters.js';
import { stagedHistories } from '../../arbitraries/histories.js';
import type { Capability } from '../../../openapi/generated/rules.js';
import { feedModes, type FeedMode } from '../../model/feed.js';
import type { History } from '../../model/history.js';
import { playForFilters } from '../../play/filters.js';
import { check, type Check } from '../../target/check.js';
import { forAll } from '../../engine/property.js';
import { consumerPlans, mustConverge } from '../shared/consumers.js';
import { liveCases } from '../shared/timing.js';

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
        plans: fc
          .tuple(
            // Each case follows a stream, since most of what a server can lose, it loses there.
            consumerPlans('continuous', 'eventsource'),
            fc.array(consumerPlans(...feedModes), { maxLength: 2, size: 'max' }),
          )
          .map(([stream, others]) => [stream, ...others]),
      }),
      async (context, { scenario: { before, after, filters }, deletedEvery, plans }) => {
        const { database, state } = await playForFilters(context, filters, []);
        await mustConverge([database], {
          before: state,
          stages: [before, after, rewritten([...before, ...after], deletedEvery)],
          consumers: plans.map((plan, index) => ({ plan, filter: filters[index % filters.length]! })),
        });
      },
      { cases: liveCases },
    ),
  });

export const liveConvergesChecks: readonly Check[] = [
  ...feedModes.map(inMode),
  withFilters('doc-ids', idsScenarios()),
  withFilters('selector', scenarios(bySelector(lenientSelectors)), { filter: '_selector' }),
  withFilters('design', designScenarios()),
  withFilters('view', scenarios(views), { needs: ['functions'], filter: '_view' }),
  withFilters('function', scenarios(lenientFunctions), { needs: ['functions'] }),
];
