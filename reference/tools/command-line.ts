/** What the programs beside the server have in common: `npm run bench`, `npm run compare`. */
import { CommanderError, Option, type Command } from 'commander';
import type { Administrator } from '../index.js';

export const adminOption = (description: string): Option =>
  new Option('--admin <name:password>', description).env('DOCFEED_ADMIN');

/** @throws CommanderError when it is missing or has another form */
export function administratorFrom(text: string | undefined): Administrator {
  const [, name, password] = /^([^:]+):(.+)$/s.exec(text ?? '') ?? [];
  // The text is not repeated: it may be a password.
  if (name === undefined || password === undefined)
    throw wrongUsage('--admin, or DOCFEED_ADMIN, must be given as name:password');
  return { name, password };
}

export const wrongUsage = (message: string) => new CommanderError(2, 'docfeed.usage', message);

/** Runs the program. A wrong command line ends it with 2, any other failure with 3, each in one line. */
export async function runTool(program: Command): Promise<void> {
  try {
    await program.exitOverride().parseAsync();
  } catch (error) {
    // Commander has told its own errors, and would end with 1 for a wrong command line.
    const isTold = error instanceof CommanderError && error.code.startsWith('commander.');
    if (!isTold) process.stderr.write(`${program.name()}: ${(error as Error).message}\n`);
    process.exitCode = !(error instanceof CommanderError) ? 3 : error.exitCode === 0 ? 0 : 2;
  }
}
