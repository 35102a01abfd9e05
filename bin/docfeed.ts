#!/usr/bin/env node
/** The one program: composes the commands, each of which lives beside what it runs, and turns errors into exit codes. */
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
const { version, description } = createRequire(import.meta.url)('docfeed/package.json') as {
  version: string;
  description: string;
};

/** Not with 1, with which Node.js would end: that says that a target violates a rule. */
function endWithFault(error: unknown): never {
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`docfeed: this is a fault of docfeed itself: ${told}\n`);
  process.exit(3);
}
process.on('uncaughtException', endWithFault);

/** In the order of the help. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import('../conformance/commands/check.js')).checkCommand(),
  restore: async () => (await import('../conformance/commands/restore.js')).restoreCommand(),
  setup: async () => (await import('../conformance/commands/setup.js')).setupCommand(),
  serve: async () =>
    (await import('../reference/commands/serve.js')).serveCommand({
      // Faults start the reference server and so live with the suite; the server learns of them only from here.
      loadFaults: async () => (await import('../conformance/faults/index.js')).faults,
    }),
  selftest: async () => (await import('../conformance/commands/selftest.js')).selftestCommand(),
  types: async () => (await import('../generators/commands/types.js')).typesCommand(),
  rules: async () => (await import('../generators/commands/rules.js')).rulesCommand(),
  report: async () => (await import('../reports/commands/report.js')).reportCommand(),
};

const program = new Command('docfeed').description(description).version(version);

// Most of the time until a command begins goes to loading modules: who names a command needs no other.
const [named = ''] = process.argv.slice(2);
const wanted = Object.hasOwn(commands, named) ? [named] : Object.keys(commands);
for (const name of wanted) program.addCommand(await commands[name]!());

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
  if (!(error instanceof CommanderError)) endWithFault(error);
  // Commander prints its own messages (code `commander.*`) before it throws, and exits with 1 for a wrong
  // command line, where this program promises 2.
  const ownMessage = !error.code.startsWith('commander.');
  if (ownMessage) process.stderr.write(`docfeed: ${error.message}\n`);
  process.exitCode = ownMessage || error.exitCode === 0 ? error.exitCode : 2;
}
