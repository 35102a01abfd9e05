/** What a generator reads is wrong: the message says where and what, and nothing is written. */
export class InvalidInput extends Error {}

/** The message of an error on one line. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().replace(/\s*\n\s*/g, ' ');
