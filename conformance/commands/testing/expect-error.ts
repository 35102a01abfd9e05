/** Command lines that end with an error before anything runs. */
import type { ExecutionContext } from 'ava';
import { type Command, CommanderError } from 'commander';
import { Refusal } from '../../engine/refusal.js';

/** Runs the command in this process. Its error must have this exit code, and one line without a password. */
export async function expectError(
  t: ExecutionContext,
  command: Command,
  args: readonly string[],
  exitCode: number,
  expected: RegExp,
): Promise<void> {
  let printed = '';
  command.exitOverride().configureOutput({ writeErr: (text) => void (printed += text) });
  const error = await t.throwsAsync<CommanderError | Refusal>(command.parseAsync(args, { from: 'user' }));
  t.true(error instanceof CommanderError || error instanceof Refusal);
  // Commander prints its own errors. The program exits with 2 for all of them.
  const isOwnError = error instanceof Refusal || error.code.startsWith('docfeed.');
  const message = isOwnError ? error.message : printed.trimEnd();
  t.regex(message, expected);
  t.is(isOwnError ? error.exitCode : 2, exitCode);
  t.notRegex(message, /\n|hush/, 'one line, without the password');
}
