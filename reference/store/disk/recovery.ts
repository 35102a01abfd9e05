/** Restores the databases of a data folder from its snapshots and journals. Changes nothing on disk. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Execution } from '../sqlite/sqlite.js';
import { damaged, DataFolderError, missing } from './errors.js';
import { exists } from './files.js';
import { emptyJournal, journalFile, replayJournal, type Write } from './journal.js';
import type { Manifest, Snapshot } from './manifest.js';
import { readSnapshot } from './snapshots.js';

/** What the data folder uses of a database. */
export interface Persistent {
  readonly name: string;
  readonly instance: string;
  /** Exports the database as a SQLite file. */
  snapshot(): Uint8Array;
  /** Executes recorded changes. */
  repeat(executions: readonly Execution[]): void;
}

/** Opens and drops databases during a restore. */
export interface DatabaseHost {
  /** @param snapshot undefined for a new database */
  open(name: string, instance: string, snapshot?: Uint8Array): Persistent;
  drop(name: string): void;
}

/** A database with its state on disk. */
export interface Entry {
  readonly database: Persistent;
  /** Number of changes since the start. */
  version: number;
  /** Latest snapshot on disk. */
  snapshot?: Snapshot;
  /** `version` of that snapshot. */
  written?: number;
}

export interface RestoreOptions {
  readonly path: string;
  readonly host: DatabaseHost;
  /**
   * Receives each damage, and the name of the database if it only concerns one. Throw the error to stop; otherwise,
   * everything that depends on the damaged part is left out.
   */
  readonly onDamage: (error: DataFolderError, database?: string) => void;
  /** Receives the journal with an incomplete last write, and the offset of that write. */
  readonly onIncompleteWrite: (file: string, offset: number) => Promise<void>;
}

interface Restored {
  /** By instance. */
  readonly entries: Map<string, Entry>;
  /** Number of the last journal. */
  readonly number: number;
}

export async function restoreDatabases(
  { uuid, journal, snapshots }: Manifest,
  { path, host, onDamage, onIncompleteWrite }: RestoreOptions,
): Promise<Restored> {
  const entries = new Map<string, Entry>();
  /** Instances of damaged databases. Their changes cannot be applied. */
  const lost = new Set<string>();
  for (const snapshot of snapshots) {
    const { name, instance } = snapshot;
    try {
      const database = host.open(name, instance, await readSnapshot(path, snapshot));
      entries.set(instance, { database, version: 0, snapshot, written: 0 });
    } catch (error) {
      onDamage(damageOf(error), name);
      lost.add(instance);
    }
  }
  const apply = (write: Write) => {
    if (!lost.has(write.instance)) replayWrite(write, entries, host);
  };
  for (let number = journal; ; number++) {
    const file = join(path, journalFile(number));
    try {
      if (!(await exists(file))) throw missing(file, path);
      const end = await replayJournal(file, { uuid, number }, apply);
      if (end.kind === 'sealed') continue;
      if (end.kind === 'incomplete') await onIncompleteWrite(file, end.offset);
    } catch (error) {
      onDamage(damageOf(error));
    }
    await findLaterJournal(path, { uuid, number }, onDamage);
    return { entries, number };
  }
}

/** @throws errors that are not about the content of the folder */
function damageOf(error: unknown): DataFolderError {
  if (error instanceof DataFolderError) return error;
  throw error;
}

function replayWrite(write: Write, entries: Map<string, Entry>, host: DatabaseHost): void {
  const { instance } = write;
  if (write.kind === 'create') {
    entries.set(instance, { database: host.open(write.name, instance), version: 0 });
    return;
  }
  const entry = entries.get(instance);
  if (!entry) throw new Error(`there is no database ${instance}`);
  if (write.kind === 'change') {
    entry.database.repeat(write.executions);
    entry.version++;
  } else {
    entries.delete(instance);
    host.drop(entry.database.name);
  }
}

/** The next file after an unsealed journal may exist, but must not contain writes. */
async function findLaterJournal(
  path: string,
  { uuid, number }: { uuid: string; number: number },
  onDamage: (error: DataFolderError) => void,
): Promise<void> {
  const next = number + 1;
  const { length } = emptyJournal({ uuid, number: next });
  for (const name of await readdir(path)) {
    const found = Number(/^journal-(\d+)$/.exec(name)?.[1] ?? 0);
    if (found < next || (found === next && (await stat(join(path, name))).size <= length)) continue;
    const last = join(path, journalFile(number));
    const size = (await exists(last)) ? (await stat(last)).size : 0;
    onDamage(damaged(last, size, `it has no marker that ${name} follows`));
  }
}
