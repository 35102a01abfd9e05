/** Lists that only shrinking makes shorter. */
import fc from 'fast-check';

/** Always the whole list. Shrinks to each of its elements alone. */
export const wholeList = <T>(elements: readonly T[]): fc.Arbitrary<readonly T[]> => new WholeList(elements);

class WholeList<T> extends fc.Arbitrary<readonly T[]> {
  readonly #elements: readonly T[];

  constructor(elements: readonly T[]) {
    super();
    this.#elements = elements;
  }

  override generate(): fc.Value<readonly T[]> {
    return new fc.Value(this.#elements, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is readonly T[] {
    return Array.isArray(value);
  }

  override shrink(value: readonly T[]): fc.Stream<fc.Value<readonly T[]>> {
    if (value.length === 1) return fc.Stream.nil();
    return fc.stream(value.values()).map((element) => new fc.Value([element], undefined));
  }
}
