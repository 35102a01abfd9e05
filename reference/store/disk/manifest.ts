/** The file that lists the other files of a store. It is replaced atomically. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import writeFileAtomic from 'write-file-atomic';
import { damaged, DataDirectoryError } from './errors.js';

export const manifestFile = 'store.json';

/** State of a database at the beginning of the first journal. */
export interface Snapshot {
  readonly name: string;
  readonly instance: string;
  readonly file: string;
  readonly bytes: number;
  readonly checksum: number;
}

export interface Manifest {
  /** UUID of the store. */
  readonly uuid: string;
  /** Number of the first journal to replay after loading the snapshots. */
  readonly journal: number;
  readonly snapshots: readonly Snapshot[];
}

const format = 'docfeed-data/1';

/** @returns undefined if there is no manifest */
export async function readManifest(directory: string): Promise<Manifest | undefined> {
  let text;
  try {
    text = await readFile(join(directory, manifestFile), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  // The first line is the content, the second its checksum.
  const [content = '', checksum, ...rest] = text.split('\n');
  const found = /^\{"format":"(docfeed-data\/\d+)"/.exec(content)?.[1];
  if (found !== undefined && found !== format)
    throw new DataDirectoryError(
      `${join(directory, manifestFile)} has the format ${found}, which this version of docfeed does not support; use the version that wrote it`,
    );
  if (checksum !== checksumOf(content) || rest.join('\n') !== '')
    throw damaged(join(directory, manifestFile), 0, 'its checksum does not match');
  return JSON.parse(content) as Manifest;
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const content = JSON.stringify({ format, ...manifest });
  await writeFileAtomic(join(directory, manifestFile), `${content}\n${checksumOf(content)}\n`);
}

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');
