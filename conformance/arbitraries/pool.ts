/**
 * Draws inputs from a pool that all checks of a run have in common. Writing a history takes longer than reading its feed,
 * so checks that only read use histories from the pool, and the run plays each of them once: see `play/shared.ts`.
 */
import type { Pool } from '../engine/check.js';
import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Values of `arbitrary`, generated from the seed of the pool and shrunk as usual; a shrunk value is not in the pool. */
export function pooled<T>(
  { property: { pool } }: { readonly property: { readonly pool: Pool } },
  arbitrary: fc.Arbitrary<T>,
): fc.Arbitrary<T> {
  return new Pooled(pool, arbitrary);
}

class Pooled<T> extends fc.Arbitrary<T> {
  readonly #pool: Pool;
  readonly #arbitrary: fc.Arbitrary<T>;
  readonly #values: fc.Value<T>[];

  constructor(pool: Pool, arbitrary: fc.Arbitrary<T>) {
    super();
    this.#pool = pool;
    this.#arbitrary = arbitrary;
    this.#values = valuesOf(pool, arbitrary);
  }

  /** Chooses with the random numbers of the check, and generates with those of the pool. */
  override generate(random: fc.Random): fc.Value<T> {
    const index = random.nextInt(0, this.#pool.size - 1);
    return (this.#values[index] ??= this.#generateAt(index));
  }

  #generateAt(index: number): fc.Value<T> {
    const random = new fc.Random(xoroshiro128plus(this.#pool.seed ^ Math.imul(index, 0x9e3779b1)));
    // Like fast-check, prefers small and special values less and less.
    const bias = 2 + Math.floor(Math.log10(index + 1));
    return this.#arbitrary.generate(random, bias);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#arbitrary.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#arbitrary.shrink(value, context);
  }
}

const generated = new WeakMap<Pool, Map<unknown, unknown[]>>();

/** The values that all checks of the run have generated so far. */
function valuesOf<T>(pool: Pool, arbitrary: fc.Arbitrary<T>): fc.Value<T>[] {
  const byArbitrary = generated.get(pool) ?? new Map<unknown, unknown[]>();
  generated.set(pool, byArbitrary);
  const values = byArbitrary.get(arbitrary) ?? [];
  byArbitrary.set(arbitrary, values);
  return values as fc.Value<T>[];
}
