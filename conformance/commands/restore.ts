/** The command line of `docfeed restore`: cleans up after runs that were killed. */
import { Command } from 'commander';
import { journalFolder } from '../session/cleanup/journal-folder.js';
import { adminOption } from './command-line.js';
import type { RestoreOptions } from './run-restore.js';

const afterHelp = `
Each run records in a journal what it creates, and in a lock on the target which
settings it changes. This command undoes what is in the journals of killed runs,
and of runs that could not clean up. Running it again is harmless.

Exit codes:
  0  nothing is left to restore
  2  invalid arguments, files or credentials
  3  something could not be restored, the run is still active, or Ctrl-C
     (under npx, Ctrl-C makes npm exit with 130 instead)

Examples:
  # clean up after all killed runs
  DOCFEED_ADMIN=admin:secret docfeed restore

  # the same, and forget runs against targets that no longer exist
  DOCFEED_ADMIN=admin:secret docfeed restore --discard

  # restore the settings that a run on another machine has changed
  docfeed restore --admin admin:secret --force http://127.0.0.1:5984`;

export function restoreCommand(): Command {
  return new Command('restore')
    .description('restore settings and remove databases and users that killed runs left behind')
    .argument('[url...]', 'target whose settings to restore and whose lock to remove (with --force only)')
    .addOption(adminOption())
    .option('--journal <file>', `journal of the run (default: all in ${journalFolder()})`)
    .option('--discard', 'delete the journals of targets that cannot be reached')
    .option(
      '--force',
      'restore the settings of the given targets and remove their locks, whichever run holds them',
    )
    .addHelpText('after', afterHelp)
    .action(async (urls: readonly string[], options: RestoreOptions) => {
      const { runRestore } = await import('./run-restore.js');
      await runRestore(urls, options);
    });
}
