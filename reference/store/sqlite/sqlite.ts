import initSqlJs, {
  type Database as SqlJsDatabase,
  type SqlJsStatic,
  type Statement as SqlJsStatement,
} from 'sql.js';

/** sql.js drops a leading byte order mark from text. Store text that may have one as bytes. */
export type Value = string | number | null | Uint8Array;

/** A statement that changed a database. Executing it on a copy of the previous state gives the same result. */
export type Execution = readonly [sql: string, parameters: readonly Value[]];

/** Receives the statements of each committed transaction. */
export type Recorder = (executions: readonly Execution[]) => void;

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
    this.#statement.run(parameters);
    this.#executed?.(parameters);
  }

  /** Returns the first row. */
  get<Row extends Value[]>(...parameters: Value[]): Row | undefined {
    this.#statement.bind(parameters);
    try {
      // SQLite completes all changes before it returns the first row.
      const isRow = this.#statement.step();
      this.#executed?.(parameters);
      return isRow ? (this.#statement.get() as Row) : undefined;
    } finally {
      this.#statement.reset();
    }
  }

  /** Yields rows while they are read. Do not write before the last one. */
  *rows<Row extends Value[]>(...parameters: Value[]): Generator<Row, void, void> {
    this.#statement.bind(parameters);
    try {
      let isRow = this.#statement.step();
      this.#executed?.(parameters);
      for (; isRow; isRow = this.#statement.step()) yield this.#statement.get() as Row;
    } finally {
      this.#statement.reset();
    }
  }
}

/** SQL that creates an empty database. */
export interface Schema {
  readonly tables: string;
  readonly rows: string;
}

export interface SqliteOptions {
  /** SQLite file with the initial content. Default: only the rows of the schema. */
  readonly snapshot?: Uint8Array | undefined;
  /** Receives all changes. */
  readonly record?: Recorder | undefined;
}

/** Maximum number of closed databases that are kept for reuse, and their maximum size. */
const maxSpares = 32;
const maxSparePages = 64;

/**
 * Opens databases with one schema. Creating tables and preparing statements takes longer than most uses of a small
 * database, so closed databases are emptied and reused.
 */
export class SqliteEngine {
  readonly #sqlJs: SqlJsStatic;
  readonly #schema: Schema;
  /** SQLite file with only the rows of the schema. Copying it is several times faster than creating the tables. */
  readonly #empty: Uint8Array;
  readonly #spares: Sqlite[] = [];

  private constructor(sqlJs: SqlJsStatic, schema: Schema) {
    this.#sqlJs = sqlJs;
    this.#schema = schema;
    const database = new sqlJs.Database();
    database.exec(schema.tables + schema.rows);
    this.#empty = database.export();
    database.close();
  }

  static async load(schema: Schema): Promise<SqliteEngine> {
    return new SqliteEngine(await initSqlJs(), schema);
  }

  open(options: SqliteOptions = {}): Sqlite {
    const { snapshot, record } = options;
    const isPlain = !snapshot && !record;
    return (isPlain && this.#spares.pop()) || new Sqlite(this.#sqlJs, snapshot ?? this.#empty, record);
  }

  /** Closes a database. It must not be used afterwards. */
  close(database: Sqlite): void {
    const isReusable =
      !database.isRecorded && this.#spares.length < maxSpares && database.pages <= maxSparePages;
    if (!isReusable) return database.close();
    database.clear(this.#schema);
    this.#spares.push(database);
  }
}

/** One SQLite database in memory. */
export class Sqlite {
  readonly #database: SqlJsDatabase;
  readonly #record: Recorder | undefined;
  readonly #statements = new Map<string, Statement>();
  /** Statements of the open transaction. */
  #transaction: Execution[] | undefined;

  /** @internal See {@link Statement}. */
  constructor(sqlJs: SqlJsStatic, snapshot: Uint8Array, record: Recorder | undefined) {
    this.#database = new sqlJs.Database(snapshot);
    this.#record = record;
    this.#configure();
  }

  get isRecorded(): boolean {
    return this.#record !== undefined;
  }

  get pages(): number {
    return this.statement('SELECT page_count FROM pragma_page_count').get<[number]>()![0];
  }

  #configure(): void {
    // The database only exists in memory, so its rollback journal can be in memory too. Nothing else has access to it:
    // an exclusive lock is never released, which saves most of the time of a small statement.
    this.#database.exec(
      `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
        PRAGMA temp_store = MEMORY`,
    );
  }

  /** Returns a prepared statement from a cache. */
  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      // Recording everything except SELECT makes sure that no write is missed.
      const isRecorded = this.#record && !sql.startsWith('SELECT');
      const executed = isRecorded
        ? (parameters: readonly Value[]) => this.#executed([sql, parameters])
        : undefined;
      statement = new Statement(this.#database.prepare(sql), executed);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs `work` in a transaction, which is rolled back if `work` throws. */
  transaction<T>(work: () => T): T {
    const executions: Execution[] = [];
    const result = this.#collect(executions, work);
    if (executions.length > 0) this.#record?.(executions);
    return result;
  }

  /** Executes recorded statements without recording them again. */
  repeat(executions: readonly Execution[]): void {
    this.#collect([], () => {
      for (const [sql, parameters] of executions) this.statement(sql).run(...parameters);
    });
  }

  #collect<T>(executions: Execution[], work: () => T): T {
    this.#database.run('BEGIN');
    this.#transaction = executions;
    try {
      const result = work();
      this.#database.run('COMMIT');
      return result;
    } catch (error) {
      this.#database.run('ROLLBACK');
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
    // sql.js closes and reopens the database to export it, which invalidates the statements.
    this.#statements.clear();
    const snapshot = this.#database.export();
    this.#configure();
    return snapshot;
  }

  /** Deletes everything except the rows of the schema. */
  clear({ rows }: Schema): void {
    const tables = this.statement("SELECT name FROM sqlite_schema WHERE type = 'table'").rows<[string]>();
    const names = [...tables].map(([name]) => name);
    this.transaction(() => {
      for (const name of names) this.statement(`DELETE FROM ${name}`).run();
      this.#database.run(rows);
    });
  }

  close(): void {
    this.#database.close();
  }
}
