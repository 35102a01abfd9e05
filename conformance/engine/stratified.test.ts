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

test('a case alone, as in a replay, has the values that it had after others', (t) => {
  const lists = fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 6 })), { maxLength: 8 });
  const at = (strata: Strata, index: number) => {
    const source = new fc.Random(xoroshiro128plus(index));
    return lists.generate(strata.randomFor(index, source), undefined).value;
  };
  const strata = new Strata(1, 4);
  const all = [0, 1, 2, 3].map((index) => at(strata, index));
  t.deepEqual(at(new Strata(1, 4), 3), all[3]);
});

test('cases beyond the number of cases begin with the first strata again', (t) => {
  const strata = new Strata(1, 4);
  const quarter = (index: number): number => {
    const source = new fc.Random(xoroshiro128plus(index));
    return Math.floor(fc.nat({ max: 999 }).generate(strata.randomFor(index, source), undefined).value / 250);
  };
  t.is(quarter(6), quarter(2));
  t.is(new Set([0, 1, 2, 3].map(quarter)).size, 4);
});

test('what depends on a value keeps its strata while the value shrinks', (t) => {
  // As many as cases, so that the stratum says which number it is.
  const number = fc.nat({ max: 19 });
  const lists = fc.boolean().chain((isLong) => fc.tuple(fc.constant(isLong), number, number));
  for (let index = 0; index < 20; index += 1) {
    const source = new fc.Random(xoroshiro128plus(index));
    const generated = lists.generate(new Strata(1, 20).randomFor(index, source), undefined);
    const [isLong, ...own] = generated.value;
    if (!isLong) continue;
    const [shorter] = lists.shrink(generated.value, generated.context).map(({ value }) => value);
    t.deepEqual(shorter, [false, ...own]);
  }
});
