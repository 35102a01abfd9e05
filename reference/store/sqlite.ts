import initSqlJs, {
  type Database as SqlJsDatabase,
  type SqlJsStatic,
  type Statement as SqlJsStatement,
} from 'sql.js';

export type SqliteEngine = SqlJsStatic;

export const loadEngine = (): Promise<SqliteEngine> => initSqlJs();

/** A text loses a byte order mark at its beginning when it is read: what may begin with one is to be bytes. */
export type Value = string | number | null | Uint8Array;

/** A prepared statement. Not re-entrant: read the rows of one run before the next. */
export class Statement {
  readonly #statement: SqlJsStatement;

  constructor(statement: SqlJsStatement) {
    this.#statement = statement;
  }

  run(...parameters: Value[]): void {
    this.#statement.run(parameters);
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
      while (this.#statement.step()) yield this.#statement.get() as Row;
    } finally {
      this.#statement.reset();
    }
  }
}

/** One SQLite database in memory. */
export class Sqlite {
  readonly #database: SqlJsDatabase;
  readonly #statements = new Map<string, Statement>();

  constructor(engine: SqliteEngine, schema: string) {
    this.#database = new engine.Database();
    // A rollback journal in memory is enough: the database itself is nowhere else.
    this.#database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY');
    this.#database.exec(schema);
  }

  /** Prepared once and kept. */
  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = new Statement(this.#database.prepare(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Does all of `work` or, when it throws, nothing of it. */
  transaction<T>(work: () => T): T {
    this.statement('BEGIN').run();
    try {
      const result = work();
      this.statement('COMMIT').run();
      return result;
    } catch (error) {
      this.statement('ROLLBACK').run();
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}
