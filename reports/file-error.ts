import { CommanderError } from 'commander';

/** The error for a file that cannot be used: one line on stderr, exit code 2. */
export function fileError(message: string): CommanderError {
  return new CommanderError(2, 'docfeed.file', message);
}
