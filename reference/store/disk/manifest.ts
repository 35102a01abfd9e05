/** The file that lists the other files of a store. It is replaced atomically. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Joi from 'joi';
import writeFileAtomic from 'write-file-atomic';
import { damaged, DataFolderError } from './errors.js';
import { fileMode } from './files.js';

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
  /** Secret of the server. Folders of older versions, and those that were salvaged, have none. */
  readonly secret?: string;
  /** Number of the first journal to replay after loading the snapshots. */
  readonly journal: number;
  readonly snapshots: readonly Snapshot[];
}

const format = 'docfeed-data/2';

/**
 * @param onDamage throw the error to stop; otherwise, the manifest is used if it can be parsed
 * @returns undefined if there is no manifest
 */
export async function readManifest(
  folder: string,
  onDamage: (error: DataFolderError) => void,
): Promise<Manifest | undefined> {
  const file = join(folder, manifestFile);
  let text;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  // The first line is the content, the second its checksum.
  const [content = '', checksum, ...rest] = text.split('\n');
  const found = /^\{"format":"(docfeed-data\/\d+)"/.exec(content)?.[1];
  if (found !== undefined && found !== format)
    throw new DataFolderError(
      `${file} has the format ${found}, which this version of docfeed does not support`,
      'use the version that wrote it',
    );
  if (checksum === checksumOf(content) && rest.join('\n') === '') return JSON.parse(content) as Manifest;
  onDamage(damaged(file, 0, 'its checksum does not match'));
  try {
    return Joi.attempt(JSON.parse(content), manifestSchema) as Manifest;
  } catch {
    throw new DataFolderError(
      `${file} is damaged and names the databases, so none can be copied`,
      'restore that file',
    );
  }
}

const manifestSchema = Joi.object({
  uuid: Joi.string().required(),
  secret: Joi.string(),
  journal: Joi.number().required(),
  snapshots: Joi.array()
    .items(
      Joi.object({
        name: Joi.string().required(),
        instance: Joi.string().required(),
        file: Joi.string().required(),
        bytes: Joi.number().required(),
        checksum: Joi.number().required(),
      }),
    )
    .required(),
}).unknown();

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const content = JSON.stringify({ format, ...manifest });
  await writeFileAtomic(join(folder, manifestFile), `${content}\n${checksumOf(content)}\n`, {
    mode: fileMode,
  });
}

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');
