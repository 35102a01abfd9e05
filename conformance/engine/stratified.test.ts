import test from 'ava';
import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { Strata } from './stratified.js';

/** What an arbitrary generates for each case. */
function valuesOf<T>(arbitrary: fc.Arbitrary<T>, cases: number, seed = 1): T[] {
  const strata = new Strata(seed, cases);
  const source = new fc.Random(xoroshiro128plus(seed));
  return Array.from(
    { length: cases },
    (_, index) => arbitrary.generate(strata.randomFor(index, source), undefined).value,
  );
}

test('each choice of a case takes every alternative about equally often', (t) => {
  const letters = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), (seed, cases) => {
      const values = valuesOf(fc.tuple(letters, letters, fc.boolean()), cases, seed);
      for (const choice of [0, 1, 2] as const) {
        const alternatives = choice === 2 ? [true, false] : ['a', 'b', 'c', 'd', 'e'];
        for (const alternative of alternatives) {
          const count = values.filter((value) => value[choice] === alternative).length;
          const share = cases / alternatives.length;
          if (count < Math.floor(share) - 1 || count > Math.ceil(share) + 1) return false;
        }
      }
      return true;
    }),
  );
  t.pass();
});

test('choices do not depend on each other: with the seeds, all pairs occur', (t) => {
  const pairs = fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 2 }));
  const seen = new Set(
    Array.from({ length: 20 }, (_, seed) => valuesOf(pairs, 3, seed))
      .flat()
      .map(String),
  );
  t.is(seen.size, 9);
});

test('a case does not depend on how many cases ran before, and later ones begin again with other values', (t) => {
  const numbers = fc.nat({ max: 999 });
  const strata = new Strata(1, 4);
  const source = () => new fc.Random(xoroshiro128plus(7));
  const at = (index: number) => numbers.generate(strata.randomFor(index, source()), undefined).value;
  const third = at(2);
  t.is(at(2), third);
  t.is(Math.floor(at(6) / 250), Math.floor(third / 250));
});
