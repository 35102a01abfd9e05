/** The file that says which others make up a store. It is replaced in one step. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import writeFileAtomic from 'write-file-atomic';
import { damaged, DataDirectoryError } from './errors.js';

export const manifestFile = 'store.json';

/** A database as it was when the first of the journals began. */
export interface Snapshot {
  readonly name: string;
  readonly instance: string;
  readonly file: string;
  readonly bytes: number;
  readonly checksum: number;
}

export interface Manifest {
  /** Identifier of the store. */
  readonly uuid: string;
  /** The first journal to repeat on top of the snapshots. */
  readonly journal: number;
  readonly snapshots: readonly Snapshot[];
}

const format = 'docfeed-data/1';

/** @returns undefined when there is none */
export async function readManifest(directory: string): Promise<Manifest | undefined> {
  let text;
  try {
    text = await readFile(join(directory, manifestFile), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  // Two lines: what it says, and the checksum of that.
  const [content = '', checksum, ...rest] = text.split('\n');
  const found = /^\{"format":"(docfeed-data\/\d+)"/.exec(content)?.[1];
  if (found !== undefined && found !== format)
    throw new DataDirectoryError(
      `${join(directory, manifestFile)} is of the format ${found}, which this version of docfeed does not know: use the version that wrote it`,
    );
  if (checksum !== checksumOf(content) || rest.join('\n') !== '')
    throw damaged(join(directory, manifestFile), 0, 'it does not fit its checksum');
  return JSON.parse(content) as Manifest;
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const content = JSON.stringify({ format, ...manifest });
  await writeFileAtomic(join(directory, manifestFile), `${content}\n${checksumOf(content)}\n`);
}

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');
