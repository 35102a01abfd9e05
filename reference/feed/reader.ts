import { httpError } from '../http/errors.js';
import type { Candidate, Filter } from '../filters/filter.js';
import type { Batch, Database, Positions } from '../store/database.js';
import type { Json } from '../store/json.js';
import type { DocumentRow, Revision } from '../store/tables.js';
import type { Change, FeedOptions, Start } from './rows.js';

/** Each feed holds at most one batch of unsent changes in memory. */
const batch: Batch = { rows: 500, characters: 256 * 1024 };

/**
 * Reads the changes of a database in batches and filters them. Writes may happen between two batches.
 *
 * It reads in rounds. A round ends at the position that was the latest when the round began, so it ends regardless of
 * concurrent writes.
 */
export interface Reader {
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
  next(): Promise<Change[] | undefined>;
}

/** @throws 400 if `options.start` is no sequence of the database */
export type OpenReader = (database: Database, options: FeedOptions, filter?: Filter) => Reader;

export const openReader: OpenReader = (database, options, filter) =>
  new ChangeReader(database, options, filter);

/**
 * Returns each document once per round, in the order of the latest changes. With `descending`, each round starts with
 * the most recent change. A waiting feed thus sends existing changes in descending order, and new changes as they occur.
 */
class ChangeReader implements Reader {
  readonly #database: Database;
  readonly #options: FeedOptions;
  readonly #filter: Filter | undefined;
  /** Number of rows until the limit. */
  #left: number;
  /** Unread positions of this round. */
  #rest: Positions;
  /** Last position of this round. */
  #end: number;
  #last: number | undefined;

  constructor(database: Database, options: FeedOptions, filter?: Filter) {
    this.#database = database;
    this.#options = options;
    this.#filter = filter;
    this.#left = options.limit;
    this.#end = database.position;
    this.#rest = { after: positionOf(database, options.start), upTo: this.#end };
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
    const since = { after: this.#end, upTo: this.#database.position };
    return this.#database.countChanges(this.#rest) + this.#database.countChanges(since);
  }

  renew(): void {
    this.#end = this.#database.position;
    this.#rest = { ...this.#rest, upTo: this.#end };
  }

  async next(): Promise<Change[] | undefined> {
    const { descending } = this.#options;
    const found = this.#left > 0 && this.#rest.after < this.#rest.upTo ? this.#read() : [];
    const scanned = found.at(-1);
    if (!scanned) {
      if (!this.exhausted) this.#rest = { after: this.#end, upTo: this.#end };
      return undefined;
    }
    const changes = (await this.#accepted(found)).slice(0, this.#left);
    this.#left -= changes.length;
    this.#last = changes.at(-1)?.position ?? this.#last;
    const { position } = this.exhausted ? changes.at(-1)! : scanned;
    this.#rest = descending ? { ...this.#rest, upTo: position - 1 } : { ...this.#rest, after: position };
    return changes;
  }

  #read(): DocumentRow[] {
    const { descending, includeDocs, attachments } = this.#options;
    // With a filter, rejected changes do not count towards the limit.
    const rows = this.#filter ? batch.rows : Math.min(batch.rows, this.#left);
    const bodies = includeDocs || this.#filter?.needsBodies === true;
    return this.#database.changes(this.#rest, descending, bodies, { ...batch, rows, attachments });
  }

  async #accepted(found: DocumentRow[]): Promise<Change[]> {
    const filter = this.#filter;
    if (!filter) return found.map((row) => this.#change(row, this.#leavesOf(row)));
    const candidates = found.map((row) => this.#candidate(row, filter.needsBodies));
    const results = await filter.accept(candidates);
    return found.flatMap((row, index) => {
      const listed = this.#leavesOf(row).filter((_, leaf) => results[index]![leaf]);
      if (listed.length === 0) return [];
      return this.#change({ ...row, body: this.#options.includeDocs ? row.body : undefined }, listed);
    });
  }

  #change(row: DocumentRow, listed: readonly string[]): Change {
    return { ...row, seq: this.#database.sequenceOf(row.position), listed };
  }

  #leavesOf({ leaves: { winner, conflicts, deletedConflicts } }: DocumentRow): string[] {
    return this.#options.allLeaves ? [winner, ...conflicts, ...deletedConflicts] : [winner];
  }

  #candidate(row: DocumentRow, bodies: boolean): Candidate {
    const { winner, deleted, deletedConflicts } = row.leaves;
    const revisions = this.#leavesOf(row).map((revision): Revision => {
      if (revision === winner)
        return { revision, deleted, body: row.body ?? '', attachments: row.attachments };
      if (bodies) return this.#database.revision(row, revision)!;
      return { revision, deleted: deletedConflicts.includes(revision), body: '' };
    });
    return { head: row, revisions };
  }
}

function positionOf(database: Database, { since, parameter }: Start): number {
  const position = since === 'now' ? database.position : database.positionOf(since);
  if (position === undefined)
    throw httpError(400, 'bad_request', `Malformed sequence supplied in '${parameter}' parameter.`);
  return position;
}
