/**
 * Latin hypercube sampling: the cases of a property choose evenly. Independent random numbers leave out a given one of
 * five choices in one of nine runs of ten cases; here, each is chosen twice.
 */
import fc from 'fast-check';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** A case has more choices only in large data, where the nth choice means something else in each case. */
const evenChoices = 200;

/** A choice among more alternatives than these makes data. */
const mostAlternatives = 0x10000;

/** With more cases than these, chance is even enough. */
const mostStrata = 200;

/** @returns random numbers that differ for each part of what a seed generates */
export function randomOf(seed: number, part: number): fc.Random {
  return new fc.Random(xoroshiro128plus(seed ^ Math.imul(part, 0x9e3779b1)));
}

/** Moves a number from 0 to 1 into the stratum that a case has for its nth choice among so many alternatives. */
type Place = (position: number, alternatives: number, nth: number) => number;

/**
 * Divides the range of each choice into as many equal strata as there are cases, and gives each case another one. The nth
 * choices among the same number of alternatives are even over all cases, so they should mean the same: in a record, small
 * choices come before large data.
 */
export class Strata {
  readonly #seed: number;
  readonly #cases: number;
  /** By the number of alternatives: the strata of all cases for each choice. */
  readonly #permutations = new Map<number, { readonly random: fc.Random; readonly ofChoices: number[][] }>();

  constructor(seed: number, cases: number) {
    this.#seed = seed;
    this.#cases = Math.min(cases, mostStrata);
  }

  /**
   * Random numbers for a case.
   *
   * @param index the number of the case, from 0. Cases beyond the number of cases have the strata of the first ones again.
   */
  randomFor(index: number, source: fc.Random): fc.Random {
    const place: Place = (position, alternatives, nth) =>
      nth < evenChoices
        ? (this.#strataOf(alternatives, nth)[index % this.#cases]! + position) / this.#cases
        : position;
    return new StratifiedRandom(xoroshiro128plus(source.nextInt()), { index, place });
  }

  /** Lets fast-check generate each case with the random numbers for it. */
  plugin<T>(): fc.Plugin<T> {
    return () => ({
      decorateGenerate:
        (generate) =>
        (random, index = 0) =>
          generate(this.randomFor(index, random), index),
    });
  }

  /** Does not depend on the cases before, so that a replay makes the same choices. */
  #strataOf(alternatives: number, nth: number): readonly number[] {
    const { random, ofChoices } = this.#permutations.get(alternatives) ?? {
      random: randomOf(this.#seed, alternatives),
      ofChoices: [],
    };
    this.#permutations.set(alternatives, { random, ofChoices });
    while (ofChoices.length <= nth) ofChoices.push(permutation(this.#cases, random));
    return ofChoices[nth]!;
  }
}

function permutation(length: number, random: fc.Random): number[] {
  const numbers = Array.from({ length }, (_, index) => index);
  for (let last = length - 1; last > 0; last -= 1) {
    const other = random.nextInt(0, last);
    [numbers[last], numbers[other]] = [numbers[other]!, numbers[last]!];
  }
  return numbers;
}

/** The number of the case, from 0, that is generated with these random numbers. Others than those of `Strata` have 0. */
export const caseOf = (random: fc.Random): number =>
  random instanceof StratifiedRandom ? random.ofCase.index : 0;

class StratifiedRandom extends fc.Random {
  readonly ofCase: { readonly index: number; readonly place: Place };
  /** By the number of alternatives, how many choices were made. */
  readonly #made: Map<number, number>;

  constructor(
    generator: RandomGenerator,
    ofCase: StratifiedRandom['ofCase'],
    made: ReadonlyMap<number, number> = new Map(),
  ) {
    super(generator);
    this.ofCase = ofCase;
    this.#made = new Map(made);
  }

  /** While it shrinks, fast-check generates again what depends on a value, with a clone from before. */
  override clone(): fc.Random {
    return new StratifiedRandom(xoroshiro128plusFromState(this.getState()!), this.ofCase, this.#made);
  }

  override nextInt(min = -0x80000000, max = 0x7fffffff): number {
    const alternatives = max - min + 1;
    if (alternatives > mostAlternatives) return super.nextInt(min, max);
    const nth = this.#made.get(alternatives) ?? 0;
    this.#made.set(alternatives, nth + 1);
    const position = super.nextInt(0, 0x7fffffff) / 0x80000000;
    return min + Math.floor(alternatives * this.ofCase.place(position, alternatives, nth));
  }
}
