import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { ExecutionContext } from 'ava';

/**
 * Fails with one line if programs are missing. Use it in `test.before`, so that the tests of the file do not run.
 *
 * @param tests the tests that need the programs, as the subject of the message
 * @param programs names of programs on the PATH, which are also the names of their apt packages
 */
export async function requirePrograms(
  t: ExecutionContext,
  tests: string,
  programs: readonly string[],
): Promise<void> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing: string[] = [];
  for (const program of programs) {
    const found = await Promise.all(folders.map((folder) => isExecutable(join(folder, program))));
    if (!found.includes(true)) missing.push(program);
  }
  if (missing.length === 0) t.pass();
  else t.fail(`${tests} need ${missing.join(', ')}: apt-get install ${missing.join(' ')}`);
}

export async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
