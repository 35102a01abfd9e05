import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Calls `task` with a new folder, which is deleted afterwards. */
export async function withFolder<T>(task: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-'));
  try {
    return await task(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
