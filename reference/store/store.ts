import { httpError } from '../http/errors.js';
import { Database, databaseMissing, newInstance, storeComponents, type StoreComponents } from './database.js';
import type { DataFolder, DataFolderOptions } from './disk/data-folder.js';
import { describeError } from './disk/errors.js';
import type { DatabaseHost } from './disk/recovery.js';
import type { SalvageOptions } from './disk/salvage.js';
import type { Recorder, SqliteEngine } from './sqlite/sqlite.js';
import { loadEngine } from './tables.js';

const databaseName = /^[a-z][a-z0-9_$()+/-]*$/;
const systemDatabases = new Set(['_users', '_replicator', '_global_changes', '_metadata']);

/** The databases of a server: in memory, and optionally in a data folder. */
export class Store {
  readonly #engine: SqliteEngine;
  readonly #components: StoreComponents;
  readonly #databases = new Map<string, Database>();
  readonly #isRecorded: boolean;
  #folder: DataFolder | undefined;

  private constructor(engine: SqliteEngine, components: StoreComponents, isRecorded: boolean) {
    this.#engine = engine;
    this.#components = components;
    this.#isRecorded = isRecorded;
  }

  /**
   * @param data if absent, the store is in memory only
   * @throws DataFolderError if the folder cannot be used
   */
  static async open(components: StoreComponents = storeComponents, data?: DataFolderOptions): Promise<Store> {
    const store = new Store(await loadEngine(), components, data !== undefined);
    if (data) {
      const { DataFolder } = await import('./disk/data-folder.js');
      store.#folder = await DataFolder.open(data, store.#host());
    }
    return store;
  }

  /**
   * Copies what is whole in a damaged data folder to a new one. See `salvage`.
   *
   * @returns what is copied and what is not, one line each
   */
  static async salvage(
    options: Omit<SalvageOptions, 'host'>,
  ): Promise<{ copied: string[]; problems: string[] }> {
    const store = new Store(await loadEngine(), storeComponents, false);
    const { salvage } = await import('./disk/salvage.js');
    const problems = await salvage({ ...options, host: store.#host() });
    const copied = store.names().map((name) => {
      const { documentCount, deletedCount } = store.database(name);
      return `${name}: ${documentCount} documents, ${deletedCount} deleted`;
    });
    await store.close();
    return { copied, problems };
  }

  async close(): Promise<void> {
    await this.#folder?.close();
    for (const database of this.#databases.values()) database.close();
    this.#databases.clear();
  }

  /** UUID of the data folder; undefined for a store in memory. */
  get uuid(): string | undefined {
    return this.#folder?.uuid;
  }

  /** Secret of the data folder; undefined for a store in memory. */
  get secret(): string | undefined {
    return this.#folder?.secret;
  }

  /**
   * Resolves when all changes so far are on disk. For a store in memory, it resolves immediately.
   *
   * @throws 503 after a write to disk has failed, because memory and disk differ from then on
   */
  async flushed(): Promise<void> {
    try {
      await this.#folder?.flushed();
    } catch (error) {
      throw httpError(
        503,
        'storage_failed',
        `Cannot write the data (${describeError(error)}). Restart the server.`,
      );
    }
  }

  /** Resolves with the error when a write to disk fails. */
  get failed(): Promise<Error> {
    return this.#folder?.failed ?? new Promise(() => {});
  }

  /** Returns the sorted names of all databases. */
  names(): string[] {
    return [...this.#databases.keys()].sort();
  }

  has(name: string): boolean {
    return this.#databases.has(name);
  }

  /** @throws 404 if there is no such database */
  database(name: string): Database {
    const database = this.#databases.get(name);
    if (!database) throw databaseMissing();
    return database;
  }

  /** @throws 400 for an invalid name, 412 if the database exists */
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
    const database = this.#open(name, newInstance());
    this.#folder?.create(database);
    return database;
  }

  /** @throws 404 if there is no such database */
  delete(name: string): void {
    const database = this.database(name);
    this.#folder?.delete(database);
    this.#drop(database);
  }

  #open(name: string, instance: string, snapshot?: Uint8Array): Database {
    const record: Recorder = (executions) => this.#folder!.change(instance, executions);
    const database = new Database(this.#engine, name, this.#components, {
      instance,
      snapshot,
      record: this.#isRecorded ? record : undefined,
    });
    this.#databases.set(name, database);
    return database;
  }

  #drop(database: Database): void {
    this.#databases.delete(database.name);
    database.close();
  }

  #host(): DatabaseHost {
    return {
      open: (name, instance, snapshot) => this.#open(name, instance, snapshot),
      drop: (name) => this.#drop(this.database(name)),
    };
  }
}
