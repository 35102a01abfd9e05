import { Violation } from '../engine/outcomes.js';

/**
 * Like `Promise.all`, but rejects only after all promises are settled. If a check failed while other requests were
 * still pending, the evidence would show them as unanswered. Of several reasons, a violation counts more than one that
 * leaves something undecided.
 */
export async function allSettledOrThrow<T>(work: readonly Promise<T>[]): Promise<T[]> {
  for (const each of await Promise.allSettled(work)) {
    if (each.status === 'rejected' && each.reason instanceof Violation) throw each.reason;
  }
  return Promise.all(work);
}
