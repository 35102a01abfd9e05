#!/usr/bin/env node
/** The one program: composes the commands, each of which lives beside what it runs, and turns errors into exit codes. */
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { checkCommand } from '../conformance/commands/check.js';
import { restoreCommand } from '../conformance/commands/restore.js';
import { selftestCommand } from '../conformance/commands/selftest.js';
import { setupCommand } from '../conformance/commands/setup.js';
import { rulesCommand } from '../generators/commands/rules.js';
import { typesCommand } from '../generators/commands/types.js';
import { serveCommand } from '../reference/commands/serve.js';
import { reportCommand } from '../reports/commands/report.js';

const { version, description } = createRequire(import.meta.url)('docfeed/package.json') as {
  version: string;
  description: string;
};

const program = new Command('docfeed')
  .description(description)
  .version(version)
  .addCommand(checkCommand())
  .addCommand(restoreCommand())
  .addCommand(setupCommand())
  // Faults start the reference server and so live with the suite; the server learns of them only from here.
  .addCommand(
    serveCommand({ loadFaults: async () => (await import('../conformance/faults/index.js')).faults }),
  )
  .addCommand(selftestCommand())
  .addCommand(typesCommand())
  .addCommand(rulesCommand())
  .addCommand(reportCommand());

for (const command of [
  program,
  ...program.commands,
  ...program.commands.flatMap((child) => child.commands),
]) {
  command.exitOverride().showSuggestionAfterError();
}

// Whoever reads the output may stop early, as `docfeed rules | head` does: nobody is left to tell.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Commander prints its own messages (code `commander.*`) before it throws, and exits with 1 for a wrong
  // command line, where this program promises 2.
  const ownMessage = !error.code.startsWith('commander.');
  if (ownMessage) process.stderr.write(`docfeed: ${error.message}\n`);
  process.exitCode = ownMessage || error.exitCode === 0 ? error.exitCode : 2;
}
