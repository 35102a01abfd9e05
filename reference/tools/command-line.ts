/** Shared code of the command lines of `npm run bench` and `npm run compare`. */
import { CommanderError, Option, type Command } from 'commander';
import type { Administrator } from '../index.js';

export const adminOption = (description: string): Option =>
  new Option('--admin <name:password>', description).env('DOCFEED_ADMIN');

/** @throws CommanderError if it is missing or malformed */
export function parseAdministrator(text: string | undefined): Administrator {
  const [, name, password] = /^([^:]+):(.+)$/s.exec(text ?? '') ?? [];
  // Do not include the text, which may be a password.
  if (name === undefined || password === undefined)
    throw wrongUsage('--admin or DOCFEED_ADMIN must be set to name:password');
  return { name, password };
}

export const wrongUsage = (message: string) => new CommanderError(2, 'docfeed.usage', message);

/** Runs the program. Exits with 2 for invalid arguments and with 3 for other failures, with a one-line message. */
export async function runTool(program: Command): Promise<void> {
  try {
    await program.exitOverride().parseAsync();
  } catch (error) {
    // Commander has printed its own errors.
    const isPrinted = error instanceof CommanderError && error.code.startsWith('commander.');
    if (!isPrinted) process.stderr.write(`${program.name()}: ${(error as Error).message}\n`);
    process.exitCode = !(error instanceof CommanderError) ? 3 : error.exitCode === 0 ? 0 : 2;
  }
}
