/** Starts the program, and kills runs. */
import { join } from 'node:path';
import { execaNode, type ResultPromise } from 'execa';
import { admin } from '../../testing/reference.js';
import type { JournalTask } from '../cleanup/cleanup-task.js';
import type { JournalHeader } from '../cleanup/journal-lines.js';
import { journalHeader, journalsIn, RunJournal } from '../cleanup/journal.js';
import { program } from '../../../reports/testing/program.js';

/** Starts the program with `state` as its state folder. */
export function docfeed(state: string, args: readonly string[]): ResultPromise<{ reject: false }> {
  return execaNode(program, args, {
    reject: false,
    env: { NO_COLOR: '1', XDG_STATE_HOME: state, DOCFEED_ADMIN: `${admin.name}:${admin.password}` },
  });
}

export const journalsOf = (state: string): Promise<string[]> => journalsIn(join(state, 'docfeed'));

/** Leaves the journal of a run that was killed before it had done these tasks. @returns its file */
export function leaveJournal(
  folder: string,
  url: string,
  header: Partial<JournalHeader> = {},
  tasks: readonly JournalTask[] = [{ kind: 'database', name: 'docfeed-x' }],
): string {
  const journal = new RunJournal(folder, { ...journalHeader('0123abcd', [new URL(url)]), ...header });
  for (const task of tasks) journal.add(task);
  journal.close();
  return journal.file;
}

/**
 * Starts a run and kills it with SIGKILL.
 *
 * @param when triggers the kill.
 * @param args arguments of `docfeed check` in addition to the URL.
 * @returns false if the run ended before.
 */
export async function killRun(
  url: string,
  state: string,
  when: Promise<unknown>,
  args: readonly string[] = ['--configure', ...only('users-*', 'login-*', 'feed-latest')],
): Promise<boolean> {
  const fixed = ['check', url, '--cases', '4', '--report-dir', join(state, 'report')];
  const run = docfeed(state, [...fixed, ...args]);
  void when.then(() => run.kill('SIGKILL'));
  const { signal } = await run;
  return signal === 'SIGKILL';
}

export const only = (...globs: string[]): string[] => globs.flatMap((glob) => ['--only', glob]);
