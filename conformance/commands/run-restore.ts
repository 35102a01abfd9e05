/** Runs `docfeed restore`. */
import { escapeInvisible } from '../../reports/escape.js';
import { baseUrl } from '../client/base-url.js';
import { describeTask } from '../configure/cleanup-task.js';
import { journalFolder } from '../configure/journal-folder.js';
import { journalsIn, openJournal } from '../configure/journal.js';
import { forceLock, type RestoreResult, restoreFrom } from '../configure/restore.js';
import { Refusal } from '../verdict/refusal.js';
import { parseCredentials } from './command-line.js';
import type { RestoreOptions } from './restore-options.js';

/** @throws Refusal if the arguments are invalid, or the only journal cannot be restored. */
export async function runRestore(urls: readonly string[], options: RestoreOptions): Promise<void> {
  const { journal, force, discard } = options;
  const admin = parseCredentials(options.admin);
  if (urls.length > 0 && !force) {
    throw new Refusal('usage', 'a URL requires --force; without it, the journals name the targets');
  }
  if (urls.length === 0 && force) throw new Refusal('usage', '--force needs the URL of a target');
  const files = journal === undefined ? await journalsIn(journalFolder()) : [journal];
  for (const file of files) {
    try {
      printResult(await restoreFrom(file, admin));
    } catch (error) {
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
  for (const url of urls.map(baseUrl)) {
    const holder = await forceLock(url, admin);
    printLine(
      holder === undefined ? `${url.href}: has no lock` : `${url.href}: removed the lock of run ${holder}`,
    );
  }
  if (files.length === 0 && urls.length === 0) printLine('nothing to restore');
}

/** Deletes a journal, and names what it lists: the target may only be switched off. */
function discardJournal(file: string, reason: string): void {
  const journal = openJournal(file);
  if (!journal) return printResult({ file, done: [], left: [], busy: true });
  for (const task of journal.tasks) printLine(`discarded: ${describeTask(task)}`);
  journal.close(true);
  printLine(`${file}: deleted, because ${reason}`);
}

function printResult({ file, done, left, busy }: RestoreResult): void {
  if (busy || left.length > 0) process.exitCode = 3;
  if (busy) return printLine(`${file}: the run is still active`);
  for (const task of done) printLine(`restored: ${task}`);
  for (const task of left) printLine(`not restored: ${task}`);
  printLine(left.length === 0 ? `${file}: nothing left to restore` : `${file}: kept for another attempt`);
}

function printLine(line: string): void {
  process.stdout.write(`${escapeInvisible(line)}\n`);
}
