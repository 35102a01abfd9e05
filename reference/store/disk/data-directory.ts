/**
 * A store on disk: `store.json` names a snapshot of each database and the journal of the writes since.
 *
 * SQLite is in memory and can be written out only as a whole. So a write goes to a journal, and from time to time the
 * databases that have changed are written out and a new journal begins. `store.json` is replaced last: at any moment
 * what it names is complete, the old snapshots with all journals since or the new ones with the new journal.
 */
import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Execution } from '../sqlite/sqlite.js';
import { makeDirectory, readAt, syncDirectory } from './files.js';
import { emptyJournal, Journal, replayJournal, type Write } from './journal.js';
import { lockDirectory, lockFile } from './lock.js';
import { manifestFile, readManifest, writeManifest, type Manifest, type Snapshot } from './manifest.js';
import { damaged, DataDirectoryError, describeError } from './errors.js';

/** A database as this directory needs it. */
export interface Persistent {
  readonly name: string;
  readonly instance: string;
  /** All of it, as a file of SQLite. */
  snapshot(): Uint8Array;
  /** Executes what was executed once. */
  repeat(executions: readonly Execution[]): void;
}

/** Where databases come to life. */
export interface Host {
  /** @param snapshot undefined for a database that is new */
  open(name: string, instance: string, snapshot?: Uint8Array): Persistent;
  drop(name: string): void;
}

export interface DataDirectoryOptions {
  readonly path: string;
  /**
   * When the journal is larger, in bytes, snapshots replace it. Default: 16 MiB, or half of what the snapshots take
   * when that is more, so that writing them stays cheap in proportion.
   */
  readonly journalBytes?: number | undefined;
  /** Takes what somebody should know of. */
  readonly log: (line: string) => void;
}

interface Entry {
  readonly database: Persistent;
  /** Counts the changes. */
  version: number;
  /** The latest that is on disk. */
  snapshot?: Snapshot;
  /** The version that it is of. */
  written?: number;
}

const leastJournalBytes = 16 * 1024 * 1024;

/** Files that are removed when `store.json` does not name them; of the last kind is what a kill leaves beside it. */
const ownFile = /^(journal-\d+|database-[\w-]+-\d+|store\.json\.\d+)$/;

export class DataDirectory {
  /** Identifier of the store, hexadecimal. */
  readonly uuid: string;
  /** Resolves when something could not be written: what is in memory is ahead of the disk then. */
  readonly failed: Promise<Error>;
  readonly #fail: (error: Error) => void;
  readonly #options: DataDirectoryOptions;
  readonly #lock: FileHandle;
  /** By instance. */
  readonly #entries = new Map<string, Entry>();
  #journal: Journal | undefined;
  /** Of the journal. */
  #number = 0;
  /** Bytes of the journals before it that no snapshots have replaced. */
  #bytesBefore = 0;
  /** Bytes of all journals together at which snapshots replace them. */
  #limit = 0;
  #compacting: Promise<void> | undefined;

  private constructor(options: DataDirectoryOptions, lock: FileHandle, uuid: string) {
    this.uuid = uuid;
    this.#options = options;
    this.#lock = lock;
    let fail: (error: Error) => void;
    this.failed = new Promise((resolve) => (fail = resolve));
    this.#fail = fail!;
  }

  /**
   * Brings back all databases of a directory, which is made when there is none. What a kill leaves at the end of a
   * journal, part of a write that was never acknowledged, is put aside and logged.
   *
   * Throws `DataDirectoryError` when the directory cannot be used, and for any other damage.
   */
  static async open(options: DataDirectoryOptions, host: Host): Promise<DataDirectory> {
    const { path } = options;
    let lock: FileHandle | undefined;
    try {
      await makeDirectory(path);
      lock = await lockDirectory(path);
      const manifest = await readManifest(path);
      const directory = new DataDirectory(options, lock, manifest?.uuid ?? randomBytes(16).toString('hex'));
      if (manifest) await directory.#restore(manifest, host);
      else await requireEmptyDirectory(path);
      await directory.#renew();
      return directory;
    } catch (error) {
      await lock?.close();
      if (error instanceof DataDirectoryError || (error as NodeJS.ErrnoException).code === undefined)
        throw error;
      throw new DataDirectoryError(`cannot keep data in ${path}: ${describeError(error)}`, { cause: error });
    }
  }

  /** To be called when a database was made, before it changes. */
  create(database: Persistent): void {
    const { name, instance } = database;
    this.#entries.set(instance, { database, version: 0 });
    this.#append({ kind: 'create', instance, name });
  }

  /** To be called when a database has changed. */
  change(instance: string, executions: readonly Execution[]): void {
    this.#entries.get(instance)!.version++;
    this.#append({ kind: 'change', instance, executions });
  }

  delete({ instance }: Persistent): void {
    this.#entries.delete(instance);
    this.#append({ kind: 'delete', instance });
  }

  /** Resolves when all that has happened is on disk. When that fails it rejects, from then on for good. */
  flushed(): Promise<void> {
    return this.#journal!.flushed();
  }

  /** Leaves snapshots and an empty journal: of these any damage is noticed, and they load fast. */
  async close(): Promise<void> {
    await this.#compacting;
    const isWhole = await this.flushed().then(
      () => true,
      () => false,
    );
    if (isWhole && this.#bytes > 0) await this.#compact();
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

  /** When that fails nothing is lost but place on the disk: it is tried again when the journals have doubled. */
  async #compact(): Promise<void> {
    try {
      await this.#renew();
    } catch (error) {
      this.#limit = 2 * this.#bytes;
      this.#options.log(`cannot replace the journal in ${this.#options.path} yet: ${describeError(error)}`);
    }
  }

  /** Begins a journal, on top of snapshots of all databases. */
  async #renew(): Promise<void> {
    const { path, journalBytes } = this.#options;
    const number = this.#number + 1;
    const empty = emptyJournal({ uuid: this.uuid, number });
    const handle = await open(join(path, journalFile(number)), 'w');
    try {
      await handle.writeFile(empty);
      await handle.sync();
      await syncDirectory(path);
    } catch (error) {
      await handle.close();
      throw error;
    }

    // The moment that divides the journals: up to the next `await` nobody writes, so the snapshots are of it too.
    const before = this.#journal;
    const sealed = before?.seal() ?? Promise.resolve();
    this.#journal = new Journal(handle, empty.length, sealed, this.#fail);
    this.#number = number;
    this.#bytesBefore += before?.bytes ?? 0;
    const replaced = this.#bytesBefore;
    const parts = [...this.#entries.values()].map((entry) => {
      const { database, version, snapshot, written } = entry;
      return { entry, version, content: written === version ? snapshot! : database.snapshot() };
    });

    const snapshots: Snapshot[] = [];
    try {
      for (const { entry, content } of parts) {
        const isNew = content instanceof Uint8Array;
        snapshots.push(isNew ? await writeSnapshot(path, entry.database, number, content) : content);
      }
    } catch (error) {
      // It may be place on the disk that was missing.
      await removeMatching(path, (name) => name.startsWith('database-') && name.endsWith(`-${number}`));
      throw error;
    }
    await sealed;
    await syncDirectory(path);
    await writeManifest(path, { uuid: this.uuid, journal: number, snapshots });
    await syncDirectory(path);

    for (const [index, { entry, version }] of parts.entries())
      Object.assign(entry, { snapshot: snapshots[index], written: version });
    this.#bytesBefore -= replaced;
    const total = snapshots.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#limit = journalBytes ?? Math.max(leastJournalBytes, total / 2);
    const used = new Set([journalFile(number), ...snapshots.map(({ file }) => file)]);
    await removeMatching(path, (name) => ownFile.test(name) && !used.has(name));
  }

  async #restore({ journal, snapshots }: Manifest, host: Host): Promise<void> {
    const { path, log } = this.#options;
    for (const snapshot of snapshots) {
      const content = await readSnapshot(path, snapshot);
      const database = host.open(snapshot.name, snapshot.instance, content);
      this.#entries.set(snapshot.instance, { database, version: 0, snapshot, written: 0 });
    }
    for (let number = journal; ; number++) {
      const file = join(path, journalFile(number));
      if (!(await exists(file)))
        throw new DataDirectoryError(`${file} is missing: put it back, or a copy of all of ${path}`);
      const end = await replayJournal(file, { uuid: this.uuid, number }, (write) =>
        this.#repeat(write, host),
      );
      this.#number = number;
      if (end.kind === 'sealed') continue;
      if (end.kind === 'incomplete') log(await saveIncompleteWrite(file, end.offset));
      break;
    }
    await this.#requireNoLaterJournal();
  }

  #repeat(write: Write, host: Host): void {
    const { instance } = write;
    if (write.kind === 'create') {
      this.#entries.set(instance, { database: host.open(write.name, instance), version: 0 });
      return;
    }
    const entry = this.#entries.get(instance);
    if (!entry) throw new Error(`there is no database ${instance}`);
    if (write.kind === 'change') {
      entry.database.repeat(write.executions);
      entry.version++;
    } else {
      this.#entries.delete(instance);
      host.drop(entry.database.name);
    }
  }

  /** A journal that is not sealed is the last: of the next there may be the beginning, but no write. */
  async #requireNoLaterJournal(): Promise<void> {
    const { path } = this.#options;
    const number = this.#number + 1;
    const { length } = emptyJournal({ uuid: this.uuid, number });
    for (const name of await readdir(path)) {
      const found = Number(/^journal-(\d+)$/.exec(name)?.[1] ?? 0);
      if (found < number || (found === number && (await stat(join(path, name))).size <= length)) continue;
      const last = join(path, journalFile(this.#number));
      throw damaged(last, (await stat(last)).size, `it does not say that ${name} follows`);
    }
  }
}

const journalFile = (number: number): string => `journal-${number}`;

async function writeSnapshot(
  path: string,
  { name, instance }: Persistent,
  number: number,
  content: Uint8Array,
): Promise<Snapshot> {
  const file = `database-${instance}-${number}`;
  await writeFile(join(path, file), content, { flush: true });
  return { name, instance, file, bytes: content.length, checksum: crc32(content) };
}

async function readSnapshot(path: string, { file, bytes, checksum }: Snapshot): Promise<Buffer> {
  const full = join(path, file);
  if (!(await exists(full)))
    throw new DataDirectoryError(`${full} is missing: put it back, or a copy of all of ${path}`);
  const content = await readFile(full);
  if (content.length !== bytes)
    throw damaged(full, Math.min(content.length, bytes), `it should have ${bytes} bytes`);
  if (crc32(content) !== checksum) throw damaged(full, 0, 'it does not fit its checksum');
  return content;
}

/** Keeps a copy of what is not applied. @returns what there is to say of it */
async function saveIncompleteWrite(file: string, offset: number): Promise<string> {
  const handle = await open(file, 'r');
  const { size } = await handle.stat();
  const rest = await readAt(handle, offset, size - offset);
  await handle.close();
  const aside = `${file}.incomplete-${offset}`;
  await writeFile(aside, rest, { flush: true });
  return (
    `${file} ends at byte ${offset} in a write that was not completed, as a kill leaves it; it had not been ` +
    `acknowledged, unless somebody has cut the file. Its ${rest.length} bytes are kept in ${aside}`
  );
}

/** Without `store.json` a directory is new: it may hold what a kill leaves of making it, but no data. */
async function requireEmptyDirectory(path: string): Promise<void> {
  const { length } = emptyJournal({ uuid: '0'.repeat(32), number: 1 });
  for (const name of await readdir(path)) {
    if (name === lockFile || /^store\.json\.\d+$/.test(name)) continue;
    if (name === journalFile(1) && (await stat(join(path, name))).size <= length) continue;
    throw new DataDirectoryError(
      `${path} holds ${name} but no ${manifestFile}: put that back, or name a directory that is new or empty`,
    );
  }
}

/** What cannot be removed now will be with the next snapshots. */
async function removeMatching(path: string, matches: (name: string) => boolean): Promise<void> {
  const names = (await readdir(path)).filter(matches);
  await Promise.allSettled(names.map((name) => rm(join(path, name))));
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
