import type { Json } from './json.js';

/** Converts positions (1, 2, 3 ... for the changes of a database) to sequences for clients, and back. */
export interface SequenceCodec {
  /** @param instance see `Database.instance` */
  encode(instance: string, position: number): Json;
  /** @returns undefined if `text` is not a sequence */
  decode(instance: string, text: string): number | undefined;
}

/**
 * `<n>-<opaque>` (SERVICE 2.6). The opaque part is the ID of the database instance. A sequence of another database, or of
 * a deleted database with the same name, is therefore position 0, as in CouchDB: the client misses nothing.
 */
export const sequences: SequenceCodec = {
  encode: (instance, position) => `${position}-${instance}`,
  decode(instance, text) {
    // 0 is the default of `since`, and valid for each database.
    if (text === '0') return 0;
    const [, position, of] = /^(0|[1-9][0-9]{0,14})-([\w-]{16})$/.exec(text) ?? [];
    if (of === undefined) return undefined;
    return of === instance ? Number(position) : 0;
  },
};

/** The position itself, as before version 2.0.0 of the service (SERVICE 9). */
export const numericSequences: SequenceCodec = {
  encode: (_instance, position) => position,
  decode: (_instance, text) => (/^(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : undefined),
};
