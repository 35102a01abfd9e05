/** Copies what is whole in a damaged data folder. */
import { mkdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DataFolderError, unusable } from './errors.js';
import { folderMode, fileMode, syncFolder } from './files.js';
import { emptyJournal, journalFile, saveIncompleteWrite } from './journal.js';
import { lockFolder } from './lock.js';
import { manifestFile, readManifest, writeManifest, type Manifest } from './manifest.js';
import { restoreDatabases, type DatabaseHost, type RestoreOptions } from './recovery.js';
import { writeSnapshot } from './snapshots.js';

type OnDamage = RestoreOptions['onDamage'];

export interface SalvageOptions {
  /** The damaged folder. Nothing in it is changed. */
  readonly from: string;
  /** The new folder. It must not exist. */
  readonly to: string;
  readonly host: DatabaseHost;
  /** Receives notes that are no damage. */
  readonly log: (line: string) => void;
}

/**
 * Copies the databases of a folder to a new one: all whole snapshots, with all writes up to the first damaged one.
 * Later writes depend on it, so they are not copied.
 *
 * @returns what is not copied, one line each
 * @throws DataFolderError if nothing can be copied
 */
export async function salvage(options: SalvageOptions): Promise<string[]> {
  const { from } = options;
  let lock: FileHandle | undefined;
  try {
    const problems: string[] = [];
    const onDamage: OnDamage = ({ problem }, database) =>
      void problems.push(database === undefined ? problem : `${database}: ${problem}`);
    const manifest = await readManifest(from, onDamage);
    if (!manifest)
      throw new DataFolderError(
        `${join(from, manifestFile)} is missing and names the databases, so none can be copied`,
        'restore that file',
      );
    lock = await lockIfWritable(from);
    await copy(manifest, options, onDamage);
    return problems;
  } catch (error) {
    throw unusable(from, error);
  } finally {
    await lock?.close();
  }
}

async function copy(
  manifest: Manifest,
  { from, to, host, log }: SalvageOptions,
  onDamage: OnDamage,
): Promise<void> {
  try {
    await mkdir(to, folderMode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST' ? new DataFolderError(`${to} exists`, 'name a new folder') : unusable(to, error);
  }
  try {
    const { entries } = await restoreDatabases(manifest, {
      path: from,
      host,
      onDamage,
      onIncompleteWrite: async (file, offset) => log(await saveIncompleteWrite(file, offset, to)),
    });
    const snapshots = [];
    for (const { database } of entries.values())
      snapshots.push(await writeSnapshot(to, database, 1, database.snapshot()));
    const { uuid } = manifest;
    await writeFile(join(to, journalFile(1)), emptyJournal({ uuid, number: 1 }), {
      flush: true,
      mode: fileMode,
    });
    await writeManifest(to, { uuid, journal: 1, snapshots });
    await syncFolder(to);
    await syncFolder(dirname(resolve(to)));
  } catch (error) {
    await rm(to, { recursive: true });
    throw unusable(to, error);
  }
}

/** A server must not write while its files are read. On a read-only file system, no server can. */
async function lockIfWritable(path: string): Promise<FileHandle | undefined> {
  try {
    return await lockFolder(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return undefined;
    throw error;
  }
}
