/**
 * Latin hypercube sampling: the cases of a property choose evenly. Independent random numbers leave out a given one of
 * five choices in one of fifteen runs of twelve cases; here, each is chosen at least twice.
 */
import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** The choices from this one on are independent: the later one comes, the more its meaning depends on earlier ones. */
const evenChoices = 200;

/**
 * Divides the range of each choice into as many equal strata as there are cases, and gives each case another one. The nth
 * choices of all cases are even, so they should mean the same: in a record, small choices come before large data.
 */
export class Strata {
  readonly #cases: number;
  readonly #random: fc.Random;
  /** For each choice, the strata of the cases. */
  readonly #permutations: number[][] = [];

  constructor(seed: number, cases: number) {
    this.#cases = cases;
    this.#random = new fc.Random(xoroshiro128plus(seed));
  }

  /**
   * Random numbers for a case.
   *
   * @param index the number of the case, from 0. Cases beyond the number of cases have the strata of the first ones again.
   */
  randomFor(index: number, source: fc.Random): fc.Random {
    return new StratifiedRandom(source.nextInt(), (choice, position) =>
      choice < evenChoices
        ? (this.#strataOf(choice)[index % this.#cases]! + position) / this.#cases
        : position,
    );
  }

  #strataOf(choice: number): readonly number[] {
    while (this.#permutations.length <= choice) this.#permutations.push(this.#permutation());
    return this.#permutations[choice]!;
  }

  #permutation(): number[] {
    const numbers = Array.from({ length: this.#cases }, (_, index) => index);
    return numbers.map((_, index) => {
      const other = this.#random.nextInt(index, numbers.length - 1);
      const chosen = numbers[other]!;
      numbers[other] = numbers[index]!;
      return chosen;
    });
  }
}

class StratifiedRandom extends fc.Random {
  readonly #place: (choice: number, position: number) => number;
  #choices = 0;

  /** @param place moves a random number from 0 to 1, for the nth choice, into the stratum of the case. */
  constructor(seed: number, place: (choice: number, position: number) => number) {
    super(xoroshiro128plus(seed));
    this.#place = place;
  }

  override nextInt(min = -0x80000000, max = 0x7fffffff): number {
    const size = max - min + 1;
    // Sizes beyond the precision of the position are not choices, but data.
    if (size > 0x10000) return super.nextInt(min, max);
    const position = super.nextInt(0, 0x7fffffff) / 0x80000000;
    return min + Math.floor(size * this.#place(this.#choices++, position));
  }
}
