import { httpError } from '../errors.js';
import { Database, databaseMissing, storeParts, type StoreParts } from './database.js';
import { loadEngine, type SqliteEngine } from './sqlite.js';

const databaseName = /^[a-z][a-z0-9_$()+/-]*$/;
const systemDatabases = new Set(['_users', '_replicator']);

/** The databases of a server, in memory. */
export class Store {
  readonly #engine: SqliteEngine;
  readonly #parts: StoreParts;
  readonly #databases = new Map<string, Database>();

  private constructor(engine: SqliteEngine, parts: StoreParts) {
    this.#engine = engine;
    this.#parts = parts;
  }

  static async open(parts: StoreParts = storeParts): Promise<Store> {
    return new Store(await loadEngine(), parts);
  }

  close(): void {
    for (const database of this.#databases.values()) database.close();
    this.#databases.clear();
  }

  /** The names of all databases in their order. */
  names(): string[] {
    return [...this.#databases.keys()].sort();
  }

  /** @throws 404 when there is none of this name */
  database(name: string): Database {
    const database = this.#databases.get(name);
    if (!database) throw databaseMissing();
    return database;
  }

  /** @throws 400 for a name that no database can have, 412 when there is one */
  create(name: string): Database {
    if (!databaseName.test(name) && !systemDatabases.has(name))
      throw httpError(
        400,
        'illegal_database_name',
        `Name: '${name}'. Only lowercase characters (a-z), digits (0-9), and any of the characters _, $, (, ), +, -, ` +
          'and / are allowed. Must begin with a letter.',
      );
    if (this.#databases.has(name))
      throw httpError(412, 'file_exists', 'The database could not be created, the file already exists.');
    const database = new Database(this.#engine, name, this.#parts);
    this.#databases.set(name, database);
    return database;
  }

  /** @throws 404 when there is none of this name */
  delete(name: string): void {
    const database = this.database(name);
    this.#databases.delete(name);
    database.close();
  }
}
