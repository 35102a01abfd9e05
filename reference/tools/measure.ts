/** How the tools measure and repeat work. All times are in milliseconds. */
import { median } from 'simple-statistics';

export const mebibyte = 1024 * 1024;

/** @returns the integers from `from` to below `to` */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Does the work `times` times, one after the other. @returns the mean time */
export async function meanTime(times: number, work: (number: number) => Promise<unknown>): Promise<number> {
  const total = await timed(async () => {
    for (let number = 0; number < times; number++) await work(number);
  });
  return total / times;
}

/** @returns the median of what `times` measurements return, one after the other */
export async function medianOf(times: number, measure: (number: number) => Promise<number>): Promise<number> {
  const results: number[] = [];
  for (let number = 0; number < times; number++) results.push(await measure(number));
  return median(results);
}
