import { Violation } from '../engine/outcomes.js';

/**
 * Like `Promise.all`, but rejects only after all promises are settled. If a check failed while other requests were
 * still pending, the evidence would show them as unanswered. Of several reasons, a violation counts more than one that
 * leaves something undecided.
 */
export async function allSettledOrThrow<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  const reasons = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const violation = reasons.find((reason) => reason instanceof Violation);
  if (violation) throw violation;
  return Promise.all(work);
}
