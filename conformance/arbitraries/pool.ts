/**
 * Draws inputs from a pool that all checks of a run have in common. Writing a history takes longer than reading its feed,
 * so checks that only read use histories from the pool, and the run plays each of them once: see `play/shared.ts`.
 */
import type { Pool, PropertySettings } from '../engine/check.js';
import { Strata } from '../engine/stratified.js';
import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

type Drawing = Pick<PropertySettings, 'pool' | 'seed' | 'turn'>;

/**
 * Values of `arbitrary`, generated from the seed of the pool and shrunk as usual; a shrunk value is not in the pool. The
 * cases of a check draw one after the other, from a place that depends on the check, so that none draws a value again
 * before it has drawn all.
 *
 * @param ahead how far ahead of the others to draw. A case that needs two values draws the second one from elsewhere.
 */
export function pooled<T>(
  { property }: { readonly property: Drawing },
  arbitrary: fc.Arbitrary<T>,
  ahead = 0,
): fc.Arbitrary<T> {
  return new Pooled(property, arbitrary, ahead);
}

class Pooled<T> extends fc.Arbitrary<T> {
  readonly #drawing: Drawing;
  readonly #arbitrary: fc.Arbitrary<T>;
  readonly #ahead: number;
  readonly #values: fc.Value<T>[];
  readonly #strata: Strata;

  constructor(drawing: Drawing, arbitrary: fc.Arbitrary<T>, ahead: number) {
    super();
    this.#drawing = drawing;
    this.#arbitrary = arbitrary;
    this.#ahead = ahead;
    this.#values = valuesOf(drawing.pool, arbitrary);
    this.#strata = new Strata(drawing.pool.seed, drawing.pool.size);
  }

  /** Generates with the random numbers of the pool, not with those of the check. */
  override generate(): fc.Value<T> {
    const { pool, seed, turn } = this.#drawing;
    const index = ((seed >>> 0) + turn.case + this.#ahead) % pool.size;
    return (this.#values[index] ??= this.#generateAt(index));
  }

  #generateAt(index: number): fc.Value<T> {
    const { seed } = this.#drawing.pool;
    const random = new fc.Random(xoroshiro128plus(seed ^ Math.imul(index, 0x9e3779b1)));
    // Like fast-check, prefers small and special values less and less.
    const bias = 2 + Math.floor(Math.log10(index + 1));
    return this.#arbitrary.generate(this.#strata.randomFor(index, random), bias);
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
