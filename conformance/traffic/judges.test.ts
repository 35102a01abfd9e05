import test from 'ava';
import type { RuleId } from '../../openapi/generated/rules.js';
import { ruleHomes } from '../rules/generated/rule-homes.js';
import { completenessRules } from './missing-rows.js';
import { periodRules } from './period-judge.js';

const homes = Object.values(ruleHomes);

/** The rules that say this of how they are judged. */
const judged = (how: unknown): RuleId[] =>
  homes.filter(({ inTraffic }) => inTraffic?.how === how).map(({ id }) => id);

test('rules that need more than one response are judged as their homes say', (t) => {
  t.deepEqual(judged('by periods').sort(), [...periodRules].sort());
  t.deepEqual(judged('by writes').sort(), [...completenessRules].sort());
});

test('no home has an empty judge', (t) => {
  for (const { id, inTraffic } of homes) {
    if (inTraffic)
      t.true(
        'response' in inTraffic || 'feed' in inTraffic || 'feedEnd' in inTraffic || 'how' in inTraffic,
        id,
      );
  }
});
