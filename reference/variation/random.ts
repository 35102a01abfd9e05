/** Reproducible random choices. */
import { createHash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Random {
  /** Returns an integer from 0 to `max`, inclusive. */
  upTo(max: number): number;
  pick<T>(values: readonly T[]): T;
}

/** @param names purpose of the choices; different names lead to different choices */
export function randomOf(seed: number, ...names: readonly (string | number)[]): Random {
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, ...names]))
    .digest();
  const generator = xoroshiro128plus(digest.readInt32LE());
  const upTo = (max: number): number => uniformInt(generator, 0, max);
  return {
    upTo,
    pick: (values) => values[upTo(values.length - 1)]!,
  };
}
