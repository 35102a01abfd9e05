import initSqlJs, {
  type Database as SqlJsDatabase,
  type SqlJsStatic,
  type Statement as SqlJsStatement,
} from 'sql.js';

/** A text loses a byte order mark at its beginning when it is read: what may begin with one is to be bytes. */
export type Value = string | number | null | Uint8Array;

/** A statement that has changed a database. To execute it again on a copy of what was before gives the same. */
export type Execution = readonly [sql: string, parameters: readonly Value[]];

/** Takes what a transaction has executed, when it is committed. */
export type Recorder = (executions: readonly Execution[]) => void;

/** A prepared statement. Not re-entrant: read the rows of one run before the next. */
export class Statement {
  readonly #statement: SqlJsStatement;
  readonly #executed: ((parameters: readonly Value[]) => void) | undefined;

  /** @param executed called when it has been executed */
  constructor(statement: SqlJsStatement, executed?: (parameters: readonly Value[]) => void) {
    this.#statement = statement;
    this.#executed = executed;
  }

  run(...parameters: Value[]): void {
    this.#statement.run(parameters);
    this.#executed?.(parameters);
  }

  /** The first row. */
  get<Row extends Value[]>(...parameters: Value[]): Row | undefined {
    for (const row of this.rows<Row>(...parameters)) return row;
    return undefined;
  }

  /** Rows as they are read. Who stops early reads no further; nobody writes in between. */
  *rows<Row extends Value[]>(...parameters: Value[]): Generator<Row, void, void> {
    this.#statement.bind(parameters);
    try {
      // SQLite makes all changes before it gives the first row.
      let isRow = this.#statement.step();
      this.#executed?.(parameters);
      for (; isRow; isRow = this.#statement.step()) yield this.#statement.get() as Row;
    } finally {
      this.#statement.reset();
    }
  }
}

/** What is in a database before anybody has written. */
export interface Schema {
  readonly tables: string;
  readonly rows: string;
}

export interface SqliteOptions {
  /** A file of SQLite that has the schema; default: a database without any other rows than those of the schema. */
  readonly snapshot?: Uint8Array | undefined;
  /** Takes all that changes the database. */
  readonly record?: Recorder | undefined;
}

/** Of the databases that are kept for others there are so many at most, with so many pages each. */
const spares = 32;
const sparePages = 64;

/**
 * Opens databases of one schema. To make the tables and to prepare the statements takes longer than most of what is done
 * to a small database, so one that is closed is kept, without its rows, for the next to be opened.
 */
export class SqliteEngine {
  readonly #sqlJs: SqlJsStatic;
  readonly #schema: Schema;
  readonly #spare: Sqlite[] = [];

  private constructor(sqlJs: SqlJsStatic, schema: Schema) {
    this.#sqlJs = sqlJs;
    this.#schema = schema;
  }

  static async load(schema: Schema): Promise<SqliteEngine> {
    return new SqliteEngine(await initSqlJs(), schema);
  }

  open(options: SqliteOptions = {}): Sqlite {
    const isPlain = !options.snapshot && !options.record;
    return (isPlain && this.#spare.pop()) || new Sqlite(this.#sqlJs, this.#schema, options);
  }

  /** Ends a database: nobody may use anything of it any more. */
  close(database: Sqlite): void {
    const serves = !database.isRecorded && this.#spare.length < spares && database.pages <= sparePages;
    if (!serves) return database.close();
    database.clear(this.#schema);
    this.#spare.push(database);
  }
}

/** One SQLite database in memory. */
export class Sqlite {
  readonly #database: SqlJsDatabase;
  readonly #record: Recorder | undefined;
  readonly #statements = new Map<string, Statement>();
  /** What the open transaction has executed. */
  #transaction: Execution[] | undefined;

  constructor(sqlJs: SqlJsStatic, { tables, rows }: Schema, { snapshot, record }: SqliteOptions) {
    this.#database = new sqlJs.Database(snapshot);
    this.#record = record;
    this.#configure();
    if (!snapshot) this.#database.exec(tables + rows);
  }

  get isRecorded(): boolean {
    return this.#record !== undefined;
  }

  get pages(): number {
    return this.statement('SELECT page_count FROM pragma_page_count').get<[number]>()![0];
  }

  #configure(): void {
    // A rollback journal in memory is enough: the database itself is nowhere else.
    this.#database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY');
  }

  /** Prepared once and kept. */
  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      // Whatever does not only read is recorded, so that no write can be forgotten.
      const isRecorded = this.#record && !sql.startsWith('SELECT');
      const executed = isRecorded
        ? (parameters: readonly Value[]) => this.#executed([sql, parameters])
        : undefined;
      statement = new Statement(this.#database.prepare(sql), executed);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Does all of `work` or, when it throws, nothing of it. */
  transaction<T>(work: () => T): T {
    const executions: Execution[] = [];
    const result = this.#collect(executions, work);
    if (executions.length > 0) this.#record?.(executions);
    return result;
  }

  /** Executes what was recorded; that is not recorded again. */
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

  /** Outside of a transaction each statement is one of its own. */
  #executed(execution: Execution): void {
    if (this.#transaction) this.#transaction.push(execution);
    else this.#record!([execution]);
  }

  /** The whole database as a file of SQLite. */
  snapshot(): Uint8Array {
    // The binding closes the database for that and opens it anew.
    this.#statements.clear();
    const snapshot = this.#database.export();
    this.#configure();
    return snapshot;
  }

  /** Leaves the rows of the schema. */
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
