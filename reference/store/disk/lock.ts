import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { DataDirectoryError } from './errors.js';

export const lockFile = 'lock';

/**
 * Keeps other servers away from a directory until the handle is closed. The lock is the kernel's: it ends with the
 * process, however that ends. The file stays; it means nothing by itself.
 */
export async function lockDirectory(directory: string): Promise<FileHandle> {
  const handle = await open(join(directory, lockFile), 'a');
  if (tryLock(handle.fd)) return handle;
  await handle.close();
  throw new DataDirectoryError(
    `${directory} is in use by another server: stop that one, or name another directory`,
  );
}
