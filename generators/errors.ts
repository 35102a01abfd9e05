/** What a generator reads is wrong: the message says where and what, and nothing is written. */
export class InvalidInput extends Error {}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
