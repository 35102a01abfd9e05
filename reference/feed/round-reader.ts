import { httpError } from '../http/errors.js';
import type { Database, Positions } from '../store/database.js';
import type { Json } from '../store/json.js';
import type { FeedOptions, Start } from './rows.js';

/**
 * Reads the changes of a database in batches and filters them. Writes may happen between two batches.
 *
 * It reads in rounds. A round ends at the position that was the latest when the round began, so it ends regardless of
 * concurrent writes.
 */
export interface Reader<Row> {
  /** Whether the limit is reached. */
  readonly exhausted: boolean;
  /** Whether nothing was written since the round began. */
  readonly upToDate: boolean;
  /** Sequence of the last row. Without rows, a sequence from which a client can resume. */
  readonly last: Json;
  /** Number of changes that have not been read. The filter does not affect it. */
  readonly pending: number;
  /** Begins the next round. Call it at the end of a round. */
  renew(): void;
  /**
   * Reads and filters the next batch of the round. Resolves to undefined at the end of the round.
   * Rejects as `Filter.accept` does, and with 404 if the database is deleted.
   */
  next(): Promise<Row[] | undefined>;
}

/** The first rows of a range that pass the filter, which may be none. */
export interface Page<Row> {
  readonly rows: Row[];
  /** The unread part of the range. */
  readonly rest: Positions;
}

/** Reads batches of rows for a reader. */
export interface Source<Row> {
  /**
   * @param limit number of rows that the reader needs; there may be more
   * @returns undefined if the range has no changes
   */
  read(range: Positions, limit: number): Promise<Page<Row> | undefined>;
}

/**
 * Returns each document once per round, in the order of the latest changes. With `descending`, each round starts with
 * the most recent change. A waiting feed thus sends existing changes in descending order, and new changes as they occur.
 */
export class RoundReader<Row extends { readonly position: number }> implements Reader<Row> {
  readonly #database: Database;
  readonly #descending: boolean;
  readonly #source: Source<Row>;
  /** Number of rows until the limit. */
  #left: number;
  /** Unread positions of this round. */
  #rest: Positions;
  /** Last position of this round. */
  #end: number;
  #last: number | undefined;

  /** @throws 400 if the start is not a sequence of the database */
  constructor(database: Database, { start, limit, query: { descending } }: FeedOptions, source: Source<Row>) {
    this.#database = database;
    this.#descending = descending;
    this.#source = source;
    this.#left = limit;
    this.#end = database.position;
    this.#rest = { after: positionOf(database, start), upTo: this.#end };
  }

  get exhausted(): boolean {
    return this.#left === 0;
  }

  get upToDate(): boolean {
    return this.#database.position === this.#end;
  }

  get last(): Json {
    return this.#database.sequenceOf(this.#last ?? this.#rest.after);
  }

  get pending(): number {
    const { after, upTo } = this.#rest;
    const read = { after: upTo, upTo: this.#end };
    const since = { after, upTo: this.#database.position };
    return this.#database.countChanges(since) - this.#database.countChanges(read);
  }

  renew(): void {
    this.#end = this.#database.position;
    this.#rest = { ...this.#rest, upTo: this.#end };
  }

  async next(): Promise<Row[] | undefined> {
    const isOver = this.exhausted || this.#rest.after >= this.#rest.upTo;
    const read = isOver ? undefined : await this.#source.read(this.#rest, this.#left);
    if (!read) {
      if (!this.exhausted) this.#rest = { after: this.#end, upTo: this.#end };
      return undefined;
    }
    const rows = read.rows.length > this.#left ? read.rows.slice(0, this.#left) : read.rows;
    this.#left -= rows.length;
    this.#last = rows.at(-1)?.position ?? this.#last;
    this.#rest = this.exhausted ? restOf(this.#rest, this.#last!, this.#descending) : read.rest;
    return rows;
  }
}

/** Returns what is left of a range after a change was read. */
export function restOf({ after, upTo }: Positions, position: number, descending: boolean): Positions {
  return descending ? { after, upTo: position - 1 } : { after: position, upTo };
}

function positionOf(database: Database, { since, parameter }: Start): number {
  const position = since === 'now' ? database.position : database.positionOf(since);
  if (position === undefined)
    throw httpError(400, 'bad_request', `Malformed sequence supplied in '${parameter}' parameter.`);
  return position;
}
