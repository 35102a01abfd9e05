import type { Json } from './json.js';

/** How the positions of a feed look to clients. Positions count the changes of one database: 1, 2, 3 ... */
export interface SequenceCodec {
  /** @param instance names the incarnation of the database */
  encode(instance: string, position: number): Json;
  /** @returns undefined when `text` is no sequence of that incarnation */
  decode(instance: string, text: string): number | undefined;
}

/**
 * `<n>-<opaque>` (SERVICE 2.6). The opaque part names the incarnation of the database, so that a sequence of
 * another database, or of one of the same name that was deleted since, is not taken for a place in this one.
 */
export const sequences: SequenceCodec = {
  encode: (instance, position) => `${position}-${instance}`,
  decode(instance, text) {
    // 0 is the default of `since`: the beginning of any database.
    if (text === '0') return 0;
    const match = /^(0|[1-9][0-9]{0,14})-(.+)$/.exec(text);
    return match && match[2] === instance ? Number(match[1]) : undefined;
  },
};
