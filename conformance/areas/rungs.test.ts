import test from 'ava';
import { checks } from './checks.js';
import { rungOf, rungs } from './rungs.js';

test('each check is on a rung, and each rung has checks', (t) => {
  const used = new Map(checks.map(({ id }) => [id, rungOf(id)]));
  t.deepEqual(
    [...used].filter(([, rung]) => rung === undefined),
    [],
  );
  t.is(new Set(used.values()).size, rungs.length);
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
