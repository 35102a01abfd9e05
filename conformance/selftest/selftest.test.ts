import test from 'ava';
import { selftest } from './index.js';

const options = { seeds: 1, repeats: 0, profile: 'default', firstSeed: 1, runs: 150, command: '' } as const;

test('with only, a self-test runs no variations by default', async (t) => {
  const totals = new Set<number>();
  const report = await selftest({
    ...options,
    only: ['root-uuid-not-hexadecimal'],
    onProgress: ({ total }) => {
      totals.add(total);
      return Promise.resolve();
    },
  });
  t.deepEqual(
    report.faults.map(({ id, outcome, by }) => [id, outcome, by]),
    [['root-uuid-not-hexadecimal', 'killed', ['root-greeting']]],
  );
  t.deepEqual([report.variations, report.repeats, [...totals]], [[], [], [1]]);
});

test('a pattern that matches no fault is refused', async (t) => {
  await t.throwsAsync(selftest({ ...options, only: ['root-uuid'] }), {
    message: /^--only root-uuid matches no fault/,
  });
});
