/** Snapshots: SQLite files with the state of one database. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { damaged, missing } from './errors.js';
import { exists, fileMode } from './files.js';
import type { Snapshot } from './manifest.js';

/** @param number number of the journal that has the later writes */
export async function writeSnapshot(
  path: string,
  { name, instance }: { name: string; instance: string },
  number: number,
  content: Uint8Array,
): Promise<Snapshot> {
  const file = `database-${instance}-${number}`;
  await writeFile(join(path, file), content, { flush: true, mode: fileMode });
  return { name, instance, file, bytes: content.length, checksum: crc32(content) };
}

/** @throws DataFolderError if the file is not as it was written */
export async function readSnapshot(path: string, { file, bytes, checksum }: Snapshot): Promise<Buffer> {
  const full = join(path, file);
  if (!(await exists(full))) throw missing(full, path);
  const content = await readFile(full);
  if (content.length !== bytes)
    throw damaged(full, Math.min(content.length, bytes), `its size must be ${bytes} bytes`);
  if (crc32(content) !== checksum) throw damaged(full, 0, 'its checksum does not match');
  return content;
}
