import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** An empty folder that is removed after the test. */
export async function emptyFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-reports-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
