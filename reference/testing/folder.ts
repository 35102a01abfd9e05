import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** Creates a folder and deletes it at the end of the test. */
export async function temporaryFolder(t: Pick<ExecutionContext, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
