import test from 'ava';
import { checks } from './checks.js';
import { FeedVersion } from '../session/probe/service-version.js';
import { ruleOf } from '../session/scope/target-check.js';
import { builtAfter, rungOf, rungs } from './rungs.js';

test('each check is on a rung, and each rung has checks', (t) => {
  const used = new Map(checks.map(({ id }) => [id, rungOf(id)]));
  t.deepEqual(
    [...used].filter(([, rung]) => rung === undefined),
    [],
  );
  t.is(new Set(used.values()).size, rungs.length);
});

test('no check needs what a later rung builds', (t) => {
  for (const check of checks) {
    const { notYet, lack } = builtAfter(rungOf(check.id)!);
    const needs = [...ruleOf(check).needs, ...check.needs];
    t.deepEqual(
      needs.filter((capability) => lack.includes(capability)),
      [],
      check.id,
    );
    t.is(new FeedVersion(undefined, notYet).problem(check.uses), undefined, check.id);
  }
});

for (const [id, name] of [
  ['feed-complete', 'feed'],
  ['feed-complete/many', 'write'],
  ['feed-pending/longpoll', 'modes'],
  ['feed-paging/longpoll-filtered-by-id', 'filters'],
  ['continuous-limit/filtered', 'filters'],
  ['eventsource-heartbeat/first', 'heartbeat'],
] as const) {
  test(`${id} is on the rung ${name}`, (t) => {
    t.is(rungs[rungOf(id)!]!.name, name);
  });
}
