#!/usr/bin/env node
/** The `docfeed` program: composes the commands and turns errors into exit codes. */
import { closeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import { Command, CommanderError } from 'commander';
import { Refusal } from '../conformance/engine/refusal.js';
import { escapeInvisible } from '../reports/escape.js';

const { version, description } = createRequire(import.meta.url)('docfeed/package.json') as {
  version: string;
  description: string;
};

/** Exits with 3. Node.js would exit with 1, which means that a target violates a rule. */
function exitWithInternalError(error: unknown): never {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`docfeed: internal error in docfeed: ${escapeInvisible(details, '\n')}\n`);
  process.exit(3);
}
process.on('uncaughtException', exitWithInternalError);

/** In the order of the help. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import('../conformance/commands/check.js')).checkCommand(),
  restore: async () => (await import('../conformance/commands/restore.js')).restoreCommand(),
  setup: async () => (await import('../conformance/commands/setup.js')).setupCommand(),
  serve: async () =>
    (await import('../reference/commands/serve.js')).serveCommand({
      // Faults start the reference server and so live with the suite; the server gets them only from here.
      loadFaults: async () => (await import('../conformance/rules/faults.js')).faults,
    }),
  consumer: async () => (await import('../conformance/commands/consumer.js')).consumerCommand(),
  proxy: async () => (await import('../conformance/commands/proxy.js')).proxyCommand(),
  judge: async () => (await import('../conformance/commands/judge.js')).judgeCommand(),
  selftest: async () => (await import('../conformance/commands/selftest.js')).selftestCommand(),
  faults: async () => (await import('../conformance/commands/faults.js')).faultsCommand(),
  types: async () => (await import('../generators/commands/types.js')).typesCommand(),
  openapi: async () => (await import('../generators/commands/openapi.js')).openapiCommand(),
  rules: async () => (await import('../generators/commands/rules.js')).rulesCommand(),
  report: async () => (await import('../reports/commands/report.js')).reportCommand(),
};

const program = new Command('docfeed').description(description).version(version);
const args = process.argv.slice(2);

// Loading modules takes most of the start-up time, so only the requested command is loaded.
const [requested = ''] = args;
if (Object.hasOwn(commands, requested)) {
  program.addCommand(await commands[requested]!());
} else {
  for (const load of Object.values(commands)) program.addCommand(await load());
  const { addCompletion } = await import('./completion.js');
  addCompletion(program);
}

for (const command of [
  program,
  ...program.commands,
  ...program.commands.flatMap((child) => child.commands),
]) {
  command.exitOverride();
  // All errors of the program begin alike.
  command.configureOutput({
    outputError: (text, write) => write(text.replace(/^error: /, `${program.name()}: `)),
  });
}

/** Fails for an unknown command, also before `--help`: Commander would print the main help and exit with 0. */
async function rejectUnknownCommand(parent: Command, [name, ...rest]: readonly string[]): Promise<void> {
  if (parent.commands.length === 0 || name === undefined || name.startsWith('-')) return;
  const command = parent.commands.find((child) => child.name() === name);
  if (command) return rejectUnknownCommand(command, rest);
  if (name === 'help') return rejectUnknownCommand(parent, rest);
  const suggestion = await findSimilarCommand(name);
  parent.error(
    `error: unknown command '${name}'${suggestion === undefined ? '' : `; did you mean '${suggestion}'?`}`,
  );
}

/** @returns the full command whose last word is `name`, or differs from it by a typo. */
async function findSimilarCommand(name: string): Promise<string | undefined> {
  // A name that is no typo of a command, but that people expect.
  if (name === 'list') return "docfeed rules' or 'docfeed check --list";
  const { distance } = await import('fastest-levenshtein');
  const subcommands = program.commands.flatMap((parent) =>
    parent.commands.map((child) => `${parent.name()} ${child.name()}`),
  );
  const candidates = [...Object.keys(commands), 'completion', ...subcommands].map((command) => ({
    command: `docfeed ${command}`,
    edits: distance(name, command.split(' ').at(-1)!),
  }));
  const [nearest] = candidates.sort((a, b) => a.edits - b.edits);
  return nearest && nearest.edits <= 2 && nearest.edits < name.length ? nearest.command : undefined;
}

// The reader of the output may stop early, as in `docfeed rules | head`, or close the terminal. That is not an error.
let isOutputLost = false;
for (const output of [process.stdout, process.stderr]) {
  output.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (isOutputLost || code === 'EPIPE' || code === 'EIO') return;
    isOutputLost = true;
    process.stderr.write(`docfeed: cannot write the output: ${message}\n`);
    // The command may have to clean up before it ends, and knows nothing of this.
    process.on('exit', () => (process.exitCode = 3));
  });
}

// At its end, Node.js resets the terminal, and aborts if that has been closed meanwhile.
const terminals = [0, 1, 2].filter((fd) => isatty(fd));
process.on('exit', () => {
  for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
});

/** What somebody wants who types the name of the program only, to see what it is. */
const firstSteps = `docfeed check http://127.0.0.1:5984 --admin name:password   # does this server follow the rules?
docfeed serve --port 5984 --admin admin:secret              # a server for the tests of an application
docfeed --help                                              # everything else
`;

try {
  await rejectUnknownCommand(program, args);
  if (args.length === 0 && process.stdout.isTTY) process.stdout.write(firstSteps);
  else await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError || error instanceof Refusal)) exitWithInternalError(error);
  // Commander prints its own messages (code `commander.*`) before it throws, and exits with 1 for invalid
  // arguments, where docfeed promises 2.
  const isOwnMessage = error instanceof Refusal || !error.code.startsWith('commander.');
  if (isOwnMessage) process.stderr.write(`docfeed: ${escapeInvisible(error.message, '\n')}\n`);
  process.exitCode = isOwnMessage || error.exitCode === 0 ? error.exitCode : 2;
}
