/**
 * As `Promise.all`, but throws only when nothing is under way any more: an answer that is still to come when another
 * turns out to be wrong would look in the evidence as if it never came.
 */
export async function allSettledOrThrow<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
