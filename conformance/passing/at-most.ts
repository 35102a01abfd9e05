/**
 * Options of an `LRUCache` of so many entries: the least recently used are forgotten. It takes memory for what it has, not for
 * what it may have, since there are many.
 */
export const atMost = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 });
