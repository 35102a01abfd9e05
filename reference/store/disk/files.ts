/** File operations whose results are on disk when the promise resolves. */
import { chmod, mkdir, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Only the owner may use the data, which has hashes of passwords, whatever the umask is. */
export const folderMode = 0o700;
export const fileMode = 0o600;

/**
 * Creates a folder for its owner only, and its parents, unless the path exists. Node's own `recursive` option never
 * returns where the system reports ENOENT although the parent exists, such as under `/proc`.
 */
export async function makeFolder(path: string, mode = folderMode): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), 0o777);
    await mkdir(path, mode);
  }
  await syncFolder(dirname(path));
}

/**
 * Takes the rights of others from a folder and its files, which an earlier version or another program may have
 * created. Windows has no such rights.
 *
 * @returns whether others could use the folder
 */
export async function makePrivate(folder: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { name } of files) await limitRights(join(folder, name), fileMode);
  return limitRights(folder, folderMode);
}

async function limitRights(path: string, allowed: number): Promise<boolean> {
  const rights = (await stat(path)).mode & 0o777;
  if ((rights & ~allowed) === 0) return false;
  await chmod(path, rights & allowed);
  return true;
}

/** Flushes the file names of a folder to disk. Windows neither supports nor needs this. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes all of `bytes`. A single system call may write less, for example if the disk is nearly full. */
export async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

/** @returns `length` bytes, or fewer at the end of the file */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
