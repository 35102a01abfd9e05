/** The order of the changes of a database, as far as responses show it. Nothing trusts the values of a seq (SERVICE 2.6). */
import { LRUCache } from 'lru-cache';
import { toJson } from '../http/parse-json.js';
import { atMost } from './at-most.js';
import type { Reached } from './known-changes.js';

interface Position extends Reached {
  readonly place: Place;
  /** The document whose row had it, if one had. */
  readonly id: string | undefined;
}

/** Where a position is in a line: one response, and others each of which starts where the one before has ended. */
export interface Place {
  readonly line: { length: number };
  readonly index: number;
  /** When a response had it there. */
  readonly at: number;
}

const maxSeqs = 20_000;

/** The text that a client sends as `since` (SERVICE 2.6). */
export const sinceText = (seq: unknown): string => (typeof seq === 'string' ? seq : toJson(seq));

export class KnownOrder {
  readonly #positions = new LRUCache<string, Position>(atMost(maxSeqs));
  readonly #isSettled: (at: number) => boolean;

  /** @param isSettled whether what was known at a time still holds as long as the database says that it is the same */
  constructor(isSettled: (at: number) => boolean) {
    this.#isSettled = isSettled;
  }

  /**
   * A position keeps its place if more is known to come before it there than in this response, such as in the answer to
   * `since=now`, which has nothing but the last one.
   *
   * @param seq of a row, or the `last_seq` of a response
   * @param after the place before it in the response
   * @returns its place
   */
  addSeq(
    seq: unknown,
    { id, ...reached }: Reached & Pick<Position, 'id'>,
    after: Place | undefined,
  ): Place | undefined {
    if (seq === null || seq === undefined) return after;
    const text = sinceText(seq);
    const known = this.#positions.get(text);
    // `last_seq` is also that of the last row.
    if (known && id === undefined && known.place === after) return after;
    const line = after && after.index === after.line.length - 1 ? after.line : { length: 0 };
    const next = { line, index: line.length, at: reached.at };
    const isKept = known && known.place.index > next.index && this.#isSettled(known.place.at);
    const place = isKept ? known.place : next;
    if (!isKept) line.length += 1;
    this.#positions.set(text, { ...(known ?? reached), place, id: id ?? known?.id });
    return place;
  }

  placeOf(since: string | undefined): Place | undefined {
    return since === undefined ? undefined : this.#positions.peek(since)?.place;
  }

  /**
   * Whether a response had a row at or before a position, as far as that is known.
   *
   * @returns since when that has been known, if it had
   */
  cameBefore({ id, seq }: { id: string; seq: unknown }, since: unknown): number | undefined {
    const [row, position] = [seq, since].map((one) => this.#positions.peek(sinceText(one)));
    const isBefore =
      row && position && row.place.line === position.place.line && row.place.index <= position.place.index;
    return isBefore && row.id === id ? Math.min(row.place.at, position.place.at) : undefined;
  }

  /** @returns since when it has been known that a response had the row, if one had it */
  cameAt({ id, seq }: { id: string; seq: unknown }): number | undefined {
    const row = this.#positions.peek(sinceText(seq));
    return row?.id === id ? row.place.at : undefined;
  }

  /** What is known of a position since a feed gave it first. */
  reached(since: string): Reached | undefined {
    return this.#positions.get(since);
  }

  forget(): void {
    this.#positions.clear();
  }
}
