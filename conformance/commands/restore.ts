/** `docfeed restore`: cleans up after runs that were killed. */
import { Command } from 'commander';
import { journalFolder, journalsIn } from '../configure/journal.js';
import { forceLock, type RestoreResult, restoreFrom } from '../configure/restore.js';
import { Refusal } from '../verdict/refusal.js';
import { baseUrl } from '../client/base-url.js';
import { adminOption, credentials, refusing } from './command-line.js';

interface Options {
  admin?: string;
  journal?: string;
  force?: boolean;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('put back and remove what a run of check has left because it was killed')
    .argument('[url...]', 'with --force: targets whose lock is taken away')
    .addOption(adminOption())
    .option('--journal <file>', `the journal of the run (default: all in ${journalFolder()})`)
    .option('--force', 'take the lock of the given targets away from whoever has it')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing is left, 2 the command line, a file or the credentials are wrong,\n' +
        '3 something is left, or a run is going on.',
    )
    .action(refusing(act));
}

async function act(urls: readonly string[], options: Options): Promise<void> {
  const admin = credentials(options.admin);
  if (urls.length > 0 && !options.force) {
    throw new Refusal('usage', 'the journals say which targets they are about; give a URL with --force only');
  }
  if (urls.length === 0 && options.force) throw new Refusal('usage', '--force needs the URL of a target');
  const files = options.journal === undefined ? await journalsIn(journalFolder()) : [options.journal];
  for (const file of files) {
    // One target that is gone is no reason to leave the others as they are.
    const restored = await restoreFrom(file, admin).catch((error: unknown) => {
      if (files.length === 1 || !(error instanceof Refusal)) throw error;
      process.stderr.write(`docfeed: ${file}: ${error.message}\n`);
      process.exitCode = error.exitCode;
    });
    if (restored) tell(restored);
  }
  for (const url of urls.map(baseUrl)) {
    const holder = await forceLock(url, admin);
    print(
      holder === undefined
        ? `${url.href}: nobody has the lock`
        : `${url.href}: lock of run ${holder} removed`,
    );
  }
  if (files.length === 0 && urls.length === 0) print('nothing to restore');
}

function tell({ file, done, left, busy }: RestoreResult): void {
  if (busy || left.length > 0) process.exitCode = 3;
  if (busy) print(`${file}: its run is going on`);
  for (const task of done) print(`restored: ${task}`);
  for (const task of left) print(`still there: ${task}`);
  if (!busy) print(left.length === 0 ? `${file}: nothing is left` : `${file}: kept, since something is left`);
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
