/**
 * A store on disk. `store.json` lists a snapshot of each database and the first journal with later writes.
 *
 * sql.js can only export a complete database. Therefore writes go to a journal. When the journal has become large, the
 * changed databases are exported and a new journal begins. `store.json` is replaced last, so it always refers to a
 * complete state: the old snapshots with all journals, or the new snapshots with the new journal.
 */
import { randomBytes } from 'node:crypto';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Execution } from '../sqlite/sqlite.js';
import { DataFolderError, describeError, unusable } from './errors.js';
import { fileMode, makeFolder, makePrivate, syncFolder } from './files.js';
import { emptyJournal, Journal, journalFile, saveIncompleteWrite, type Write } from './journal.js';
import { lockFolder, lockFile } from './lock.js';
import { manifestFile, readManifest, writeManifest, type Manifest, type Snapshot } from './manifest.js';
import { writeSnapshot } from './snapshots.js';
import { restoreDatabases, type DatabaseHost, type Entry, type Persistent } from './recovery.js';

export interface DataFolderOptions {
  readonly path: string;
  /**
   * Size in bytes at which snapshots replace the journal. Default: 16 MiB, or half of the size of the snapshots if that
   * is larger, so that the cost of writing them stays proportional to the changes.
   */
  readonly journalBytes?: number | undefined;
  /** Receives warnings. */
  readonly log: (line: string) => void;
}

const minJournalBytes = 16 * 1024 * 1024;

/** Files of this server. They are deleted if `store.json` does not list them. A kill can leave temporary files of it. */
const ownFile = /^(journal-\d+|database-[\w-]+-\d+|store\.json\.\d+)$/;

export class DataFolder {
  /** UUID of the store, hexadecimal. */
  readonly uuid: string;
  /** Signs session cookies, so that sessions outlive the server. Hexadecimal. */
  readonly secret: string;
  /** Resolves with the error when a write fails. Memory and disk differ from then on. */
  readonly failed: Promise<Error>;
  readonly #fail: (error: Error) => void;
  readonly #options: DataFolderOptions;
  readonly #lock: FileHandle;
  /** By instance. */
  #entries = new Map<string, Entry>();
  #journal: Journal | undefined;
  /** Number of the current journal. */
  #number = 0;
  /** Size of earlier journals that snapshots have not replaced yet. */
  #bytesBefore = 0;
  /** Total size of the journals at which snapshots replace them. */
  #limit = 0;
  #compacting: Promise<void> | undefined;

  private constructor(
    options: DataFolderOptions,
    lock: FileHandle,
    { uuid = randomId(), secret = randomId() }: Partial<Pick<Manifest, 'uuid' | 'secret'>> = {},
  ) {
    this.uuid = uuid;
    this.secret = secret;
    this.#options = options;
    this.#lock = lock;
    let fail: (error: Error) => void;
    this.failed = new Promise((resolve) => (fail = resolve));
    this.#fail = fail!;
  }

  /**
   * Opens all databases of a folder, which is created if necessary. An incomplete write at the end of the last
   * journal was never acknowledged; it is saved to a separate file and logged.
   *
   * @throws DataFolderError if the folder cannot be used or is damaged in any other way
   */
  static async open(options: DataFolderOptions, host: DatabaseHost): Promise<DataFolder> {
    const { path, log } = options;
    let lock: FileHandle | undefined;
    try {
      await makeFolder(path);
      lock = await lockFolder(path);
      const manifest = await readManifest(path, refuse);
      const folder = new DataFolder(options, lock, manifest);
      if (manifest) {
        const onIncompleteWrite = async (file: string, offset: number) =>
          log(await saveIncompleteWrite(file, offset, path));
        const restored = await restoreDatabases(manifest, {
          path,
          host,
          onDamage: refuse,
          onIncompleteWrite,
        });
        folder.#entries = restored.entries;
        folder.#number = restored.number;
      } else await requireEmptyFolder(path);
      await keepPrivate(path, log);
      await folder.#startJournal();
      return folder;
    } catch (error) {
      await lock?.close();
      throw unusable(path, error);
    }
  }

  /** Call this after creating a database and before changing it. */
  create(database: Persistent): void {
    const { name, instance } = database;
    this.#entries.set(instance, { database, version: 0 });
    this.#append({ kind: 'create', instance, name });
  }

  /** Call this after changing a database. */
  change(instance: string, executions: readonly Execution[]): void {
    this.#entries.get(instance)!.version++;
    this.#append({ kind: 'change', instance, executions });
  }

  delete({ instance }: Persistent): void {
    this.#entries.delete(instance);
    this.#append({ kind: 'delete', instance });
  }

  /** Resolves when all changes so far are on disk. Rejects forever after a write has failed. */
  flushed(): Promise<void> {
    return this.#journal!.flushed();
  }

  /** Replaces the journal with snapshots: they load faster, and truncation of a file is always detected. */
  async close(): Promise<void> {
    await this.#compacting;
    const isFlushed = await this.flushed().then(
      () => true,
      () => false,
    );
    if (isFlushed && this.#bytes > 0) await this.#compact();
    await this.#journal!.close();
    await this.#lock.close();
  }

  get #bytes(): number {
    return this.#bytesBefore + this.#journal!.bytes;
  }

  #append(write: Write): void {
    this.#journal!.append(write);
    if (this.#compacting || this.#bytes < this.#limit) return;
    this.#compacting = this.#compact().finally(() => (this.#compacting = undefined));
  }

  /** Replaces the journals with snapshots. A failure loses no data; the next attempt is at twice the size. */
  async #compact(): Promise<void> {
    try {
      await this.#startJournal();
    } catch (error) {
      this.#limit = 2 * this.#bytes;
      this.#options.log(`cannot compact the journal in ${this.#options.path} yet: ${describeError(error)}`);
    }
  }

  /** Starts a new journal and writes snapshots of all changed databases. */
  async #startJournal(): Promise<void> {
    const { path, journalBytes } = this.#options;
    const number = this.#number + 1;
    const empty = emptyJournal({ uuid: this.uuid, number });
    const handle = await open(join(path, journalFile(number)), 'w', fileMode);
    try {
      await handle.writeFile(empty);
      await handle.sync();
      await syncFolder(path);
    } catch (error) {
      await handle.close();
      throw error;
    }

    // The new journal starts here. There is no write before the next `await`, so the snapshots have the same state.
    const before = this.#journal;
    const sealed = before?.seal() ?? Promise.resolve();
    this.#journal = new Journal(handle, empty.length, sealed, this.#fail);
    this.#number = number;
    this.#bytesBefore += before?.bytes ?? 0;
    const replaced = this.#bytesBefore;
    const states = [...this.#entries.values()].map((entry) => {
      const { database, version, snapshot, written } = entry;
      return { entry, version, content: written === version ? snapshot! : database.snapshot() };
    });

    const snapshots: Snapshot[] = [];
    try {
      for (const { entry, content } of states) {
        const isNew = content instanceof Uint8Array;
        snapshots.push(isNew ? await writeSnapshot(path, entry.database, number, content) : content);
      }
    } catch (error) {
      // The disk may be full.
      await removeMatching(path, (name) => name.startsWith('database-') && name.endsWith(`-${number}`));
      throw error;
    }
    await sealed;
    await syncFolder(path);
    await writeManifest(path, { uuid: this.uuid, secret: this.secret, journal: number, snapshots });
    await syncFolder(path);

    for (const [index, { entry, version }] of states.entries())
      Object.assign(entry, { snapshot: snapshots[index], written: version });
    this.#bytesBefore -= replaced;
    const total = snapshots.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#limit = journalBytes ?? Math.max(minJournalBytes, total / 2);
    const used = new Set([journalFile(number), ...snapshots.map(({ file }) => file)]);
    await removeMatching(path, (name) => ownFile.test(name) && !used.has(name));
  }
}

const randomId = (): string => randomBytes(16).toString('hex');

async function keepPrivate(path: string, log: (line: string) => void): Promise<void> {
  try {
    if (await makePrivate(path))
      log(`other users could use ${path}; its rights are now those of its owner only`);
  } catch (error) {
    log(`other users can use ${path}, and its rights cannot be changed: ${describeError(error)}`);
  }
}

function refuse(error: DataFolderError): never {
  throw error;
}

/** A folder without `store.json` must be new. It may only have the files of an interrupted first start. */
async function requireEmptyFolder(path: string): Promise<void> {
  const { length } = emptyJournal({ uuid: '0'.repeat(32), number: 1 });
  for (const name of await readdir(path)) {
    if (name === lockFile || /^store\.json\.\d+$/.test(name)) continue;
    if (name === journalFile(1) && (await stat(join(path, name))).size <= length) continue;
    throw new DataFolderError(
      `${path} has ${name} but no ${manifestFile}`,
      'restore that file or use a new or empty folder',
    );
  }
}

/** Ignores failures: the next snapshots try again. */
async function removeMatching(path: string, matches: (name: string) => boolean): Promise<void> {
  const names = (await readdir(path)).filter(matches);
  await Promise.allSettled(names.map((name) => rm(join(path, name))));
}
