/** Repeats a request, since what it shows may be true a moment later only. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from '../../kit.js';

const pauseMs = 100;

/** @returns the first response that is wanted, or the last one before `withinMs` have passed */
export async function eventually(
  request: () => Promise<Exchange>,
  isWanted: (response: Exchange) => boolean,
  withinMs: number,
): Promise<Exchange> {
  const end = performance.now() + withinMs;
  for (;;) {
    const response = await request();
    if (isWanted(response) || performance.now() > end) return response;
    await wait(pauseMs);
  }
}
