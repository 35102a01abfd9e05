/** What a request throws whose response does not come, although others come. */
import { Blocked } from '../engine/outcomes.js';

/** The target does not answer such requests. */
export class Unanswered extends Blocked {}

/** @returns the error instead of throwing it, if the target does not answer. */
export const orUnanswered = <T>(response: Promise<T>): Promise<T | Unanswered> =>
  response.catch((error: unknown) => {
    if (error instanceof Unanswered) return error;
    throw error;
  });
