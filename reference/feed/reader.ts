import { httpError } from '../http/errors.js';
import type { Candidate, Filter } from '../filters/filter.js';
import type { Batch, Database, Positions } from '../store/database.js';
import type { Json } from '../store/json.js';
import type { DocumentRow, Revision } from '../store/tables.js';
import type { Change, FeedOptions, Start } from './rows.js';

/** So much is in memory at once: a feed holds no more than a batch that the client has not read. */
const batch: Batch = { rows: 500, characters: 256 * 1024 };

/**
 * Reads the changes of a database in batches, and lets a filter judge them. Writes may come between two batches.
 *
 * It reads in rounds, each up to what was the present when the round began, so that a round ends however fast others
 * write.
 */
export interface Reader {
  /** Whether it has given as many rows as it may. */
  readonly exhausted: boolean;
  /** Whether nothing has been written since the round began. */
  readonly upToDate: boolean;
  /** Sequence of the last row; without any, one after which there is all that has not been read. */
  readonly last: Json;
  /** Number of changes that have not been read, whether the filter would accept them or not. */
  readonly pending: number;
  /** To be called when a round has ended: begins the next. */
  renew(): void;
  /**
   * The next batch of this round, less what the filter rejects; undefined at its end.
   * Rejects as `Filter.accept` does, and with 404 when the database has been deleted.
   */
  next(): Promise<Change[] | undefined>;
}

/** Throws 400 when `options.start` is no sequence of the database. */
export type OpenReader = (database: Database, options: FeedOptions, filter?: Filter) => Reader;

export const openReader: OpenReader = (database, options, filter) =>
  new ChangeReader(database, options, filter);

/**
 * Gives each document once a round, in the order of the latest changes. With `descending` each round begins with its
 * most recent change: a feed that waits gives the past in that order, and what comes later as it comes.
 */
class ChangeReader implements Reader {
  readonly #database: Database;
  readonly #options: FeedOptions;
  readonly #filter: Filter | undefined;
  /** Rows that may still be given. */
  #left: number;
  /** What this round has not read yet. */
  #rest: Positions;
  /** The end of this round. */
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
    // Of what a filter rejects nothing counts.
    const rows = this.#filter ? batch.rows : Math.min(batch.rows, this.#left);
    const bodies = includeDocs || this.#filter?.needsBodies === true;
    return this.#database.changes(this.#rest, descending, bodies, { ...batch, rows, attachments });
  }

  async #accepted(found: DocumentRow[]): Promise<Change[]> {
    const filter = this.#filter;
    if (!filter) return found.map((row) => this.#change(row, this.#leavesOf(row)));
    const candidates = found.map((row) => this.#candidate(row, filter.needsBodies));
    const verdicts = await filter.accept(candidates);
    return found.flatMap((row, index) => {
      const listed = this.#leavesOf(row).filter((_, leaf) => verdicts[index]![leaf]);
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
