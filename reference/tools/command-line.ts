/** Shared code of the command lines of the tools. */
import { CommanderError, InvalidArgumentError, Option, type Command } from 'commander';
import * as prettier from 'prettier';
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

const parsed =
  (isValid: (value: number) => boolean, what: string) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && isValid(value)) return value;
    throw new InvalidArgumentError(`It must be ${what}.`);
  };

export const integer = parsed(() => true, 'an integer');
export const positive = parsed((value) => value > 0, 'a positive integer');
export const even = parsed((value) => value > 0 && value % 2 === 0, 'an even number');

export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return prettier.format(lines.join('\n'), { parser: 'markdown' });
}
