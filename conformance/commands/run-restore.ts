/** Runs `docfeed restore`. */
import { escapeInvisible } from '../../reports/escape.js';
import { baseUrl } from '../http/base-url.js';
import type { Credentials } from '../http/client.js';
import { describeTask } from '../session/cleanup/cleanup-task.js';
import { journalFolder } from '../session/cleanup/journal-folder.js';
import { journalLock, journalsIn, openJournal } from '../session/cleanup/journal.js';
import type { LockHolder } from '../session/cleanup/lock.js';
import { forceLock, type RestoreResult, restoreFrom } from '../session/cleanup/restore-targets.js';
import { Refusal } from '../engine/refusal.js';
import { parseCredentials } from './command-line.js';
import { runInterruptibly } from './interruption.js';
import { describeRun } from './killed-runs.js';

/** The parsed options of `docfeed restore`. */
export interface RestoreOptions {
  admin?: string;
  journal?: string;
  force?: boolean;
  discard?: boolean;
}

/** @throws Refusal if the arguments are invalid, or the only journal cannot be restored. */
export async function runRestore(urls: readonly string[], options: RestoreOptions): Promise<void> {
  const { journal, force } = options;
  const admin = parseCredentials(options.admin);
  if (urls.length > 0 && !force) {
    throw new Refusal('usage', 'a URL requires --force; without it, the journals name the targets');
  }
  if (urls.length === 0 && force) throw new Refusal('usage', '--force needs the URL of a target');
  const targets = urls.map(baseUrl);
  const files = journal === undefined ? await journalsIn(journalFolder()) : [journal];
  if (journal === undefined && files.length > 0 && !journalLock()) {
    throw new Refusal(
      'file',
      `files cannot be locked here, so a run may still be active: when it has ended, name its journal with --journal (${files.join(', ')})`,
    );
  }
  await runInterruptibly('run `docfeed restore` again', async (interruption) => {
    await restoreAll(files, admin, options, interruption);
    for (const url of targets) {
      printForced(url, await forceLock(url, admin, interruption));
    }
  });
  if (files.length === 0 && urls.length === 0) printLine('nothing to restore');
}

async function restoreAll(
  files: readonly string[],
  admin: Credentials | undefined,
  { discard }: RestoreOptions,
  interruption: AbortSignal,
): Promise<void> {
  for (const file of files) {
    try {
      interruption.throwIfAborted();
      printResult(file, await restoreFrom(file, admin, interruption));
    } catch (error) {
      if (interruption.aborted) {
        printLine(`${file}: kept for another attempt`);
        process.exitCode = 3;
        continue;
      }
      if (!(error instanceof Refusal)) throw error;
      const isGone = error.kind === 'target';
      if (discard && isGone) {
        discardJournal(file, error.message);
        continue;
      }
      const hint = isGone ? '; use --discard if the target no longer exists' : '';
      if (files.length === 1) throw new Refusal(error.kind, error.message + hint, { cause: error });
      // A target that cannot be reached must not keep the others from being restored.
      process.stderr.write(`docfeed: ${file}: ${error.message}${hint}\n`);
      process.exitCode = error.exitCode;
    }
  }
}

/** Deletes a journal, and names what it lists: the target may only be switched off. */
function discardJournal(file: string, reason: string): void {
  const journal = openJournal(file);
  if (!journal) return printResult(file, undefined);
  for (const task of journal.tasks) printLine(`discarded: ${describeTask(task)}`);
  journal.close(true);
  printLine(`${file}: deleted, because ${reason}`);
}

/** @param result `undefined` if the target has no lock */
function printForced({ href }: URL, result: RestoreResult<LockHolder> | undefined): void {
  if (!result) return printLine(`${href}: has no lock`);
  printTasks(result);
  const lock = `the lock of run ${result.header.run ?? 'unknown'}`;
  if (result.left.length === 0) return printLine(`${href}: removed ${lock}`);
  process.exitCode = 3;
  printLine(`${href}: kept ${lock}, which lists what is not restored; to give that up, delete docfeed-lock`);
}

function printTasks({ done, left }: Pick<RestoreResult, 'done' | 'left'>): void {
  for (const task of done) printLine(`restored: ${task}`);
  for (const task of left) printLine(`not restored: ${task}`);
}

/** @param result `undefined` if the run is still active */
function printResult(file: string, result: RestoreResult | undefined): void {
  if (!result || result.left.length > 0) process.exitCode = 3;
  if (!result) return printLine(`${file}: the run is still active`);
  const { header, done, left } = result;
  if (done.length + left.length > 0) printLine(describeRun(header));
  printTasks(result);
  printLine(left.length === 0 ? `${file}: nothing left to restore` : `${file}: kept for another attempt`);
}

function printLine(line: string): void {
  process.stdout.write(`${escapeInvisible(line)}\n`);
}
