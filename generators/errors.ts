/** The input of a generator is invalid. The message names the file; the generator writes nothing. */
export class InvalidInput extends Error {}

/** The message of an error, on one line. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().replace(/\s*\n\s*/g, ' ');
