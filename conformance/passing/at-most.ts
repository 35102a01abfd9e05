/** Bounds what is remembered. */

/** The least recently used are forgotten. It takes memory for what it has, not for what it may have: there are many. */
export const atMost = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 });
