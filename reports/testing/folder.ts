import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** Creates an empty folder and removes it after the test. */
export async function emptyFolder(t: Pick<ExecutionContext, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
