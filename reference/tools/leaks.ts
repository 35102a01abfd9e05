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
 * @param before after a warm-up
 * @param requests number of requests since then
 * @returns what has grown too much, one sentence for each
 */
export function findLeaks(before: ResourceUsage, after: ResourceUsage, requests: number): string[] {
  const grown = (kind: keyof ResourceUsage, limit: number): string[] => {
    const growth = after[kind] - before[kind];
    if (growth <= limit) return [];
    const [size, allowed] = kind === 'handles' ? [growth, limit] : [growth, limit].map(inMebibytes);
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
