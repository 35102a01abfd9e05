/** `docfeed restore`: cleans up after runs that were killed. */
import { Command } from 'commander';
import { journalFolder, journalsIn } from '../configure/journal.js';
import { forceLock, type RestoreResult, restoreFrom } from '../configure/restore.js';
import { Refusal } from '../verdict/refusal.js';
import { baseUrl } from '../client/base-url.js';
import { adminOption, parseCredentials, withExitCodes } from './command-line.js';

interface Options {
  admin?: string;
  journal?: string;
  force?: boolean;
}

const afterHelp = `
Each run records in a journal what it changes. This command undoes the changes
in the journals of killed runs. Running it again is harmless.

Exit codes:
  0  nothing is left to restore
  2  invalid arguments, files or credentials
  3  something could not be restored, or the run is still active

Examples:
  # clean up after all killed runs
  DOCFEED_ADMIN=admin:secret docfeed restore

  # remove the lock of a run whose journal is lost
  docfeed restore --admin admin:secret --force http://127.0.0.1:5984`;

export function restoreCommand(): Command {
  return new Command('restore')
    .description('restore settings and remove databases and users that killed runs left behind')
    .argument('[url...]', 'target whose lock to remove (with --force only)')
    .addOption(adminOption())
    .option('--journal <file>', `journal of the run (default: all in ${journalFolder()})`)
    .option('--force', 'remove the lock of the given targets even if another run holds it')
    .addHelpText('after', afterHelp)
    .action(withExitCodes(runRestore));
}

async function runRestore(urls: readonly string[], options: Options): Promise<void> {
  const admin = parseCredentials(options.admin);
  if (urls.length > 0 && !options.force) {
    throw new Refusal('usage', 'a URL requires --force; without it, the journals name the targets');
  }
  if (urls.length === 0 && options.force) throw new Refusal('usage', '--force needs the URL of a target');
  const files = options.journal === undefined ? await journalsIn(journalFolder()) : [options.journal];
  for (const file of files) {
    // A target that cannot be reached must not keep the others from being restored.
    const restored = await restoreFrom(file, admin).catch((error: unknown) => {
      if (files.length === 1 || !(error instanceof Refusal)) throw error;
      process.stderr.write(`docfeed: ${file}: ${error.message}\n`);
      process.exitCode = error.exitCode;
    });
    if (restored) printResult(restored);
  }
  for (const url of urls.map(baseUrl)) {
    const holder = await forceLock(url, admin);
    printLine(
      holder === undefined ? `${url.href}: has no lock` : `${url.href}: removed the lock of run ${holder}`,
    );
  }
  if (files.length === 0 && urls.length === 0) printLine('nothing to restore');
}

function printResult({ file, done, left, busy }: RestoreResult): void {
  if (busy || left.length > 0) process.exitCode = 3;
  if (busy) return printLine(`${file}: the run is still active`);
  for (const task of done) printLine(`restored: ${task}`);
  for (const task of left) printLine(`not restored: ${task}`);
  printLine(left.length === 0 ? `${file}: nothing left to restore` : `${file}: kept for another attempt`);
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
