/** Shared code of the command lines of the tools. */
import { CommanderError, InvalidArgumentError, Option, type Command } from 'commander';
import * as prettier from 'prettier';
import { integer } from '../commands/arguments.js';

export const adminOption = (description: string): Option =>
  new Option('--admin <name:password>', description).env('DOCFEED_ADMIN');

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

export const seed = integer(0, 2 ** 31 - 1);
export const positive = integer(1, Number.MAX_SAFE_INTEGER);

export function even(text: string): number {
  const value = positive(text);
  if (value % 2 === 0) return value;
  throw new InvalidArgumentError('It must be an even number.');
}

export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return prettier.format(lines.join('\n'), { parser: 'markdown' });
}
