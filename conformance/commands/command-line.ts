/** What the commands that speak to a target have in common. */
import { CommanderError, Option } from 'commander';
import { Refusal } from '../verdict/refusal.js';
import type { Credentials } from '../client/client.js';

export const adminOption = (): Option =>
  new Option('--admin <name:password>', 'administrator of the target').env('DOCFEED_ADMIN');

/** Not by the option's own parser: its message would repeat the value, which may be a password. */
export function credentials(text: string | undefined): Credentials | undefined {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  if (colon < 1) throw new Refusal('usage', '--admin and DOCFEED_ADMIN must be name:password');
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** A refusal becomes the end of the program with its exit code. */
export function refusing<Args extends unknown[]>(
  act: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await act(...args);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new CommanderError(error.exitCode, `docfeed.${error.kind}`, error.message);
    }
  };
}
