/** File operations whose results are on disk when the promise resolves. */
import { chmod, mkdir, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Only the owner may use the data, which has hashes of passwords, whatever the umask is. */
export const directoryMode = 0o700;
export const fileMode = 0o600;

/**
 * Creates a directory for its owner only, and its parents, unless the path exists. Node's own `recursive` option never
 * returns where the system reports ENOENT although the parent exists, such as under `/proc`.
 */
export async function makeDirectory(path: string, mode = directoryMode): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeDirectory(dirname(path), 0o777);
    await mkdir(path, mode);
  }
  await syncDirectory(dirname(path));
}

/**
 * Takes the rights of others from a directory and its files, which an earlier version or another program may have
 * created. Windows has no such rights.
 *
 * @returns whether others could use the directory
 */
export async function makePrivate(directory: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const files = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { name } of files) await limitRights(join(directory, name), fileMode);
  return limitRights(directory, directoryMode);
}

async function limitRights(path: string, allowed: number): Promise<boolean> {
  const rights = (await stat(path)).mode & 0o777;
  if ((rights & ~allowed) === 0) return false;
  await chmod(path, rights & allowed);
  return true;
}

/** Flushes the file names of a directory to disk. Windows neither supports nor needs this. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
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
