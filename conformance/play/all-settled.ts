/**
 * Like `Promise.all`, but rejects only after all promises are settled. If a check failed while other requests were
 * still pending, the evidence would show them as unanswered.
 */
export async function allSettledOrThrow<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
