/** A run of the program that is killed when its journal has come to some length. */
import { watch } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execaNode, type ResultPromise } from 'execa';
import { admin } from '../../testing/reference.js';
import { journalsIn } from '../journal.js';

/** The program, with the state of its user in `state`. */
export function docfeed(state: string, args: readonly string[]): ResultPromise<{ reject: false }> {
  return execaNode('bin/docfeed.ts', args, {
    nodeOptions: ['--import=tsx'],
    reject: false,
    env: { NO_COLOR: '1', XDG_STATE_HOME: state, DOCFEED_ADMIN: `${admin.name}:${admin.password}` },
  });
}

export const journalsOf = (state: string): Promise<string[]> => journalsIn(join(state, 'docfeed'));

/**
 * Kills a run with `--configure`, without a chance to clean up, once its journal has `lines` lines.
 *
 * @returns false when the run has ended before.
 */
export async function killedRun(url: string, state: string, lines: number): Promise<boolean> {
  const folder = join(state, 'docfeed');
  await mkdir(folder, { recursive: true });
  const run = docfeed(state, [
    ...['check', url, '--configure', '--runs', '4', '--report-dir', join(state, 'report')],
    ...['--only', 'users-*', '--only', 'login-*', '--only', 'feed-latest'],
  ]);
  const watcher = watch(folder, () => {
    void journalLines(state).then((count) => {
      if (count >= lines) run.kill('SIGKILL');
    });
  });
  const { signal } = await run;
  watcher.close();
  return signal === 'SIGKILL';
}

async function journalLines(state: string): Promise<number> {
  const [file] = await journalsOf(state);
  if (file === undefined) return 0;
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}
