/** Arguments of the server's command lines, and errors about them. */
import { CommanderError, InvalidArgumentError } from 'commander';
import type { Administrator } from '../index.js';

export const wrongUsage = (message: string) => new CommanderError(2, 'docfeed.usage', message);

/** @throws CommanderError if it is missing or malformed. The message does not have the text, which may be a password. */
export function parseAdministrator(text = ''): Administrator {
  const [, name, password] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  if (name === undefined || password === undefined)
    throw wrongUsage('--admin and DOCFEED_ADMIN must be name:password');
  return { name, password };
}

/** @returns a function that parses the text of an integer from `min` to `max` */
export const integer = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
};
