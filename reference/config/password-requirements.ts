/** What a new password must match, as CouchDB's setting has it: a list of texts and of pairs in Erlang's form. */
import { InvalidValue } from './value-parsers.js';

export interface PasswordRequirement {
  readonly pattern: RegExp;
  /** Tells the user what is missing; may be empty. */
  readonly reason: string;
}

const text = String.raw`"(?:[^"\\]|\\.)*"`;
const item = String.raw`\{\s*${text}\s*(?:,\s*${text}\s*)?\}|${text}`;
const list = new RegExp(String.raw`^\s*\[\s*(?:(?:${item})\s*(?:,\s*(?:${item})\s*)*)?\]\s*$`);

/** @throws InvalidValue */
export function passwordRequirements(value: string): readonly PasswordRequirement[] {
  if (value === '') return [];
  if (!list.test(value))
    throw new InvalidValue('must be a list such as [{"[0-9]", "It needs a digit."}, "[a-z]"]');
  return Array.from(value.matchAll(new RegExp(item, 'g')), ([one]) => {
    const [source = '', reason = ''] = Array.from(one.matchAll(new RegExp(text, 'g')), ([quoted]) =>
      quoted.slice(1, -1).replaceAll(/\\(.)/gs, '$1'),
    );
    try {
      return { pattern: new RegExp(source), reason };
    } catch {
      throw new InvalidValue('must have valid regular expressions');
    }
  });
}
