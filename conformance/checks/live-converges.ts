/** The promise that consumers live on: whoever applies rows as they come ends with the state of the database (SERVICE 4.7). */
import fc from 'fast-check';
import {
  bySelector,
  designScenarios,
  functions,
  idsScenarios,
  scenarios,
  selectors,
  views,
  type Scenario,
} from '../arbitraries/filters.js';
import { stagedHistories } from '../arbitraries/histories.js';
import type { Capability } from '../../openapi/generated/rules.js';
import type { FeedMode } from '../model/feed.js';
import { playForFilters } from '../play/filters.js';
import { check, forAll, type Check } from '../check.js';
import { consumers, modes, mustConverge } from './shared/consumers.js';

const inMode = (mode: FeedMode): Check =>
  check({
    rule: 'feed-live-converges',
    what: mode,
    waits: true,
    run: forAll(
      fc.record({ stages: stagedHistories(3), consumption: consumers(mode) }),
      async (context, { stages, consumption }) =>
        mustConverge([await context.createDatabase()], { stages, consumers: [{ consumption }] }),
    ),
  });

/** Consumers in several modes at the same database, where one filter differs from the other. */
const through = (what: string, scenario: fc.Arbitrary<Scenario>, needs: readonly Capability[] = []): Check =>
  check({
    rule: 'feed-live-converges',
    what,
    needs,
    waits: true,
    run: forAll(
      fc.record({
        scenario,
        consumptions: fc.uniqueArray(consumers(...modes), {
          selector: ({ mode }) => mode,
          minLength: 1,
          maxLength: modes.length,
          size: 'max',
        }),
      }),
      async (context, { scenario: { before, after, filters }, consumptions }) => {
        const { database, state } = await playForFilters(context, filters, []);
        await mustConverge([database], {
          before: state,
          stages: [before, after],
          consumers: consumptions.map((consumption, index) => ({
            consumption,
            filter: filters[index % filters.length]!,
          })),
        });
      },
      { runs: { default: 10, thorough: 100 } },
    ),
  });

export const liveConvergesChecks: readonly Check[] = [
  ...modes.map(inMode),
  through('doc-ids', idsScenarios),
  through('selector', scenarios(bySelector(selectors))),
  through('design', designScenarios),
  through('view', scenarios(views), ['functions']),
  through('function', scenarios(functions), ['functions']),
];
