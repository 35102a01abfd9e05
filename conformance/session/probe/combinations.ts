/** Finds parameters of the feed that a target takes one by one, but not together, which SERVICE 4.5 allows. */
import type { Exchange } from '../../http/client.js';

/** Reads the feed with these parameters, which have the names of probed parts. */
type Read = (parameters: readonly string[]) => Promise<Exchange | undefined>;

export interface RefusedCombination {
  readonly parameters: readonly string[];
  readonly shownBy: Exchange;
}

/**
 * Sends all parameters in one request. If the target refuses it, sends it again and again without one of them, as long as
 * the target refuses it in the same way.
 *
 * @returns the fewest parameters that it refuses, with its response, if they are several
 */
export async function refusedCombination(
  parameters: readonly string[],
  read: Read,
): Promise<RefusedCombination | undefined> {
  let shownBy = await read(parameters);
  if (!shownBy || shownBy.status < 400) return undefined;
  let left = parameters;
  for (const parameter of parameters) {
    const others = left.filter((one) => one !== parameter);
    const answer = await read(others);
    if (answer?.status !== shownBy.status) continue;
    left = others;
    shownBy = answer;
  }
  return left.length > 1 ? { parameters: left, shownBy } : undefined;
}
