import { deflateRawSync, inflateRawSync } from 'node:zlib';
import initSqlJs, {
  type Database as SqlJsDatabase,
  type SqlJsStatic,
  type Statement as SqlJsStatement,
} from 'sql.js';
import { httpError } from '../../http/errors.js';

/** sql.js drops a leading byte order mark from text. Store text that may have one as bytes. */
export type Value = string | number | null | Uint8Array;

/** A statement that changed a database. Executing it on a copy of the previous state gives the same result. */
export type Execution = readonly [sql: string, parameters: readonly Value[]];

/** Receives the statements of each committed transaction. */
export type Recorder = (executions: readonly Execution[]) => void;

/**
 * Calls sql.js, which also throws texts and objects that are no errors.
 *
 * @throws 507 if there is no memory for more data, or its file system has too many open files: each database is one
 */
function call<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const { name, message } = thrown as { name?: string; message?: string };
    if (name === 'ErrnoError' || message === 'out of memory')
      throw httpError(507, 'insufficient_storage', 'The server has no room for more data or databases.');
    throw thrown instanceof Error ? thrown : new Error(`sql.js: ${String(thrown)}`);
  }
}

/** A prepared statement. Not reentrant: read all rows before you execute it again. */
export class Statement {
  readonly #statement: SqlJsStatement;
  readonly #executed: ((parameters: readonly Value[]) => void) | undefined;

  /**
   * @internal The published declarations must not refer to sql.js, which has no types of its own.
   * @param executed called after each execution
   */
  constructor(statement: SqlJsStatement, executed?: (parameters: readonly Value[]) => void) {
    this.#statement = statement;
    this.#executed = executed;
  }

  run(...parameters: Value[]): void {
    call(() => this.#statement.run(parameters));
    this.#executed?.(parameters);
  }

  /** Returns the first row. */
  get<Row extends Value[]>(...parameters: Value[]): Row | undefined {
    try {
      // SQLite completes all changes before it returns the first row.
      const row = call(() => {
        this.#statement.bind(parameters);
        return this.#statement.step() ? (this.#statement.get() as Row) : undefined;
      });
      this.#executed?.(parameters);
      return row;
    } finally {
      this.#statement.reset();
    }
  }

  /** Yields rows while they are read. Do not write before the last one. */
  *rows<Row extends Value[]>(...parameters: Value[]): Generator<Row, void, void> {
    const step = () => call(() => this.#statement.step());
    call(() => this.#statement.bind(parameters));
    try {
      let isRow = step();
      this.#executed?.(parameters);
      for (; isRow; isRow = step()) yield this.#statement.get() as Row;
    } finally {
      this.#statement.reset();
    }
  }
}

/** SQL that creates an empty database. */
export interface Schema {
  /** Creates the tables that are not there. */
  readonly tables: string;
  readonly rows: string;
}

export interface SqliteOptions {
  /** SQLite file with the initial content. Default: only the rows of the schema. */
  readonly snapshot?: Uint8Array | undefined;
  /** Receives all changes. */
  readonly record?: Recorder | undefined;
}

/** Maximum number of closed databases that are kept for reuse. */
const maxSpares = 32;

/** Maximum number of small databases that are open in SQLite. Each of them takes about 200 KiB. */
const maxOpen = 1000;

/** A larger database stays open, because copying it would take long. */
const maxSmallPages = 64;

/**
 * Opens databases with one schema. Creating tables and preparing statements takes longer than most uses of a small
 * database, so closed databases are emptied and reused. If there are many, those that were not used for the longest time
 * are packed until their next use.
 */
export class SqliteEngine {
  readonly #sqlJs: SqlJsStatic;
  readonly #schema: Schema;
  /** SQLite file with only the rows of the schema. Copying it is several times faster than creating the tables. */
  readonly #empty: Uint8Array;
  readonly #spares: Sqlite[] = [];
  /** Databases that can be packed. The last one was used last. */
  readonly #open = new Set<Sqlite>();
  #last: Sqlite | undefined;

  private constructor(sqlJs: SqlJsStatic, schema: Schema) {
    this.#sqlJs = sqlJs;
    this.#schema = schema;
    const database = this.connect();
    database.exec(schema.tables + schema.rows);
    this.#empty = database.export();
    database.close();
  }

  static async load(schema: Schema): Promise<SqliteEngine> {
    return new SqliteEngine(await initSqlJs(), schema);
  }

  open({ snapshot, record }: SqliteOptions = {}): Sqlite {
    const isPlain = !snapshot && !record;
    const database = (isPlain && this.#spares.pop()) || new Sqlite(this, snapshot ?? this.#empty, record);
    if (snapshot) database.complete(this.#schema);
    this.used(database);
    return database;
  }

  /** Closes a database. It must not be used afterwards. */
  close(database: Sqlite): void {
    const isReusable =
      !database.isRecorded && !database.isPacked && this.#spares.length < maxSpares && database.isSmall;
    if (isReusable) {
      database.clear(this.#schema);
      this.#spares.push(database);
    } else database.close();
    this.#open.delete(database);
    this.#last = undefined;
  }

  /** @internal See {@link Statement}. */
  connect(content?: Uint8Array): SqlJsDatabase {
    return call(() => new this.#sqlJs.Database(content));
  }

  /** Called before each use of a database. */
  used(database: Sqlite): void {
    if (database === this.#last) return;
    this.#last = database;
    this.#open.delete(database);
    this.#open.add(database);
    for (const oldest of this.#open) {
      if (this.#open.size <= maxOpen) break;
      this.#open.delete(oldest);
      oldest.packIfSmall();
    }
  }
}

/** One SQLite database in memory. */
export class Sqlite {
  readonly #engine: SqliteEngine;
  readonly #record: Recorder | undefined;
  readonly #statements = new Map<string, Statement>();
  #database: SqlJsDatabase | undefined;
  /** Compressed SQLite file of a packed database. */
  #packed: Uint8Array | undefined;
  /** Statements of the open transaction. */
  #transaction: Execution[] | undefined;

  constructor(engine: SqliteEngine, snapshot: Uint8Array, record: Recorder | undefined) {
    this.#engine = engine;
    this.#record = record;
    this.#database = engine.connect(snapshot);
    this.#configure(this.#database);
  }

  get isRecorded(): boolean {
    return this.#record !== undefined;
  }

  get isPacked(): boolean {
    return this.#packed !== undefined;
  }

  get isSmall(): boolean {
    const query = 'SELECT page_count FROM pragma_page_count';
    return this.#prepared(query).get<[number]>()![0] <= maxSmallPages;
  }

  packIfSmall(): void {
    if (!this.#database || !this.isSmall) return;
    this.#statements.clear();
    const content = this.#database.export();
    // A copy, because zlib returns a part of a buffer of 16 KiB.
    this.#packed = new Uint8Array(deflateRawSync(content, { level: 1 }));
    this.close();
  }

  /** Opens the database again if it is packed. */
  #opened(): SqlJsDatabase {
    if (this.#packed) {
      this.#database = this.#engine.connect(inflateRawSync(this.#packed));
      this.#configure(this.#database);
      this.#packed = undefined;
    }
    if (!this.#database) throw new Error('the database is closed');
    return this.#database;
  }

  #configure(database: SqlJsDatabase): void {
    // The database only exists in memory, so its rollback journal can be in memory too. Nothing else has access to it:
    // an exclusive lock is never released, which saves most of the time of a small statement.
    database.exec(
      `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
        PRAGMA temp_store = MEMORY`,
    );
  }

  /** Returns a prepared statement from a cache. */
  statement(sql: string): Statement {
    this.#engine.used(this);
    return this.#prepared(sql);
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      // Recording everything except these makes sure that no write is missed.
      const isRecorded = this.#record && !/^(SELECT|BEGIN|COMMIT|ROLLBACK)/.test(sql);
      const executed = isRecorded
        ? (parameters: readonly Value[]) => this.#executed([sql, parameters])
        : undefined;
      statement = new Statement(
        call(() => this.#opened().prepare(sql)),
        executed,
      );
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs `work` in a transaction, which is rolled back if `work` throws. */
  transaction(work: () => void): void {
    const executions: Execution[] = [];
    this.#collect(executions, work);
    if (executions.length > 0) this.#record?.(executions);
  }

  /** Executes recorded statements without recording them again. */
  repeat(executions: readonly Execution[]): void {
    this.#collect([], () => {
      for (const [sql, parameters] of executions) this.statement(sql).run(...parameters);
    });
  }

  #collect(executions: Execution[], work: () => void): void {
    this.statement('BEGIN').run();
    this.#transaction = executions;
    try {
      work();
      this.statement('COMMIT').run();
    } catch (error) {
      this.statement('ROLLBACK').run();
      throw error;
    } finally {
      this.#transaction = undefined;
    }
  }

  /** Outside of a transaction, each statement is recorded separately. */
  #executed(execution: Execution): void {
    if (this.#transaction) this.#transaction.push(execution);
    else this.#record!([execution]);
  }

  /** Exports the database as a SQLite file. */
  snapshot(): Uint8Array {
    if (this.#packed) return inflateRawSync(this.#packed);
    const database = this.#opened();
    // sql.js closes and reopens the database to export it, which invalidates the statements.
    this.#statements.clear();
    const snapshot = call(() => database.export());
    this.#configure(database);
    return snapshot;
  }

  /** Creates the tables that a file of an older version lacks. */
  complete({ tables }: Schema): void {
    call(() => this.#opened().exec(tables));
  }

  /** Deletes everything except the rows of the schema. */
  clear({ rows }: Schema): void {
    const tables = this.statement("SELECT name FROM sqlite_schema WHERE type = 'table'").rows<[string]>();
    const names = [...tables].map(([name]) => name);
    this.transaction(() => {
      for (const name of names) this.statement(`DELETE FROM ${name}`).run();
      this.#opened().run(rows);
    });
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }
}
