/**
 * Draws inputs from a pool that all checks of a run have in common. Writing a history takes longer than reading its feed,
 * so checks that only read use histories from the pool, and the run plays each of them once: see `play/shared.ts`.
 */
import type { Pool, PropertySettings } from '../engine/check.js';
import { caseOf, randomOf, Strata } from '../engine/stratified.js';
import fc from 'fast-check';

type Drawing = Pick<PropertySettings, 'pool' | 'seed'>;

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
    const { strata, values } = generatedFrom(drawing.pool);
    this.#strata = strata;
    this.#values = (values.get(arbitrary) as fc.Value<T>[] | undefined) ?? [];
    values.set(arbitrary, this.#values);
  }

  /** Generates with the random numbers of the pool, not with those of the check. */
  override generate(random: fc.Random): fc.Value<T> {
    const { pool, seed } = this.#drawing;
    const index = ((seed >>> 0) + caseOf(random) + this.#ahead) % pool.size;
    return (this.#values[index] ??= this.#generateAt(index));
  }

  #generateAt(index: number): fc.Value<T> {
    const random = randomOf(this.#drawing.pool.seed, index);
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

interface Generated {
  readonly strata: Strata;
  /** By the arbitrary: the values that all checks of the run have generated so far. */
  readonly values: Map<unknown, unknown[]>;
}

const generated = new WeakMap<Pool, Generated>();

function generatedFrom(pool: Pool): Generated {
  const known = generated.get(pool) ?? { strata: new Strata(pool.seed, pool.size), values: new Map() };
  generated.set(pool, known);
  return known;
}
