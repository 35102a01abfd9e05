import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { DataFolderError } from './errors.js';
import { fileMode } from './files.js';

export const lockFile = 'lock';

/**
 * Locks a folder until the returned handle is closed. The kernel holds the lock and releases it when the process
 * ends for any reason. The existence of the lock file has no meaning. Its content is the ID of the last process that
 * held the lock.
 */
export async function lockFolder(folder: string): Promise<FileHandle> {
  const handle = await open(join(folder, lockFile), 'a+', fileMode);
  if (tryLock(handle.fd)) {
    // Only for a message, so a full disk does not matter here.
    await handle
      .truncate()
      .then(() => handle.write(`${process.pid}\n`))
      .catch(() => {});
    return handle;
  }
  const holder = /^\d+$/m.exec(await handle.readFile('utf8').catch(() => ''))?.[0];
  await handle.close();
  throw new DataFolderError(
    `${folder} is in use by another server${holder === undefined ? '' : ` (process ${holder})`}`,
    'stop that server or use another folder',
  );
}
