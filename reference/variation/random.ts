/** Random choices that are the same in each run of a seed. */
import { createHash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Random {
  /** A number from 0 to `most`, both included. */
  upTo(most: number): number;
  /** True once in `times`. */
  onceIn(times: number): boolean;
  pick<T>(values: readonly T[]): T;
}

/** @param names what the choices are for: other names make other choices. */
export function randomOf(seed: number, ...names: readonly (string | number)[]): Random {
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, ...names]))
    .digest();
  const generator = xoroshiro128plus(digest.readInt32LE());
  const upTo = (most: number): number => uniformInt(generator, 0, most);
  return {
    upTo,
    onceIn: (times) => upTo(times - 1) === 0,
    pick: (values) => values[upTo(values.length - 1)]!,
  };
}
