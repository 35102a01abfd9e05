import test from 'ava';
import { rules } from '../../openapi/generated/rules.js';
import { ruleHomes } from '../rules/generated/rule-homes.js';
import { feedJudges, inEveryMode, responseJudges } from './judges.js';
import { periodRules } from './period-judge.js';

/** Judged by what is known of writes: see `TrafficJudge`. */
const byWrites = ['feed-complete', 'feed-since-resume', 'longpoll-behind'];

test('each rule has a judge of traffic or says why it has none', (t) => {
  const judged = [
    ...Object.keys(responseJudges),
    ...Object.keys(feedJudges),
    ...periodRules,
    ...inEveryMode,
    ...byWrites,
  ];
  for (const { id } of rules) t.is(ruleHomes[id].notInTraffic === undefined, judged.includes(id), id);
});
