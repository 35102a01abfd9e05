/** Finds leaks: what a server still uses after its clients have deleted everything that they wrote. */
import { mebibyte } from './measure.js';
import type { ResourceUsage } from './server-process.js';

/** What may grow without a leak: code that is compiled late, and caches. */
const keptTolerance = 1.5 * mebibyte;
/** What a request may leave behind, in bytes: less than any object that the server makes of it. */
const keptPerRequest = 50;
/** Node.js returns freed memory late. This limit finds what is not in the memory of JavaScript. */
const residentTolerance = 32 * mebibyte;
/** Connections may close late. */
const handlesTolerance = 20;

/**
 * Measures a second time if something has grown: Node.js may return memory later than a measurement waits, but what has
 * leaked is still there.
 *
 * @param before after a warm-up
 * @param requests number of requests since then
 * @returns what has grown too much, one sentence for each
 */
export async function findLeaks(
  before: ResourceUsage,
  measure: () => Promise<ResourceUsage>,
  requests: number,
): Promise<string[]> {
  const grown = growth(before, await measure(), requests);
  return grown.length === 0 ? grown : growth(before, await measure(), requests);
}

function growth(before: ResourceUsage, after: ResourceUsage, requests: number): string[] {
  const grown = (kind: keyof ResourceUsage, limit: number): string[] => {
    const more = after[kind] - before[kind];
    if (more <= limit) return [];
    const [size, allowed] = kind === 'handles' ? [more, limit] : [more, limit].map(inMebibytes);
    return [`${kind}: grew by ${size} in ${requests} requests; the limit is ${allowed}`];
  };
  // The most telling first: what keeps a handle also keeps memory.
  return [
    ...grown('handles', handlesTolerance),
    ...grown('kept', keptTolerance + keptPerRequest * requests),
    ...grown('resident', residentTolerance),
  ];
}

/** @returns for example `kept 22.1 MiB, resident 155.7 MiB, handles 41` */
export const describeUsage = ({ kept, resident, handles }: ResourceUsage): string =>
  `kept ${inMebibytes(kept)}, resident ${inMebibytes(resident)}, handles ${handles}`;

const inMebibytes = (bytes: number): string => `${(bytes / mebibyte).toFixed(1)} MiB`;
