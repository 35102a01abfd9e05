import test from 'ava';
import { variantsFor } from './property.js';

test('the profile smoke has one variant, which the seed selects, and none of none', (t) => {
  const chosen = (seed: number, all: readonly string[]) =>
    variantsFor({ property: { profile: 'smoke', seed } }, all);
  t.deepEqual(chosen(4, ['a', 'b', 'c']), ['b']);
  t.deepEqual(chosen(-5, ['a', 'b', 'c']), ['c']);
  t.deepEqual(chosen(1, []), []);
});
