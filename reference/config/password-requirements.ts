/** What a new password must match, as CouchDB's setting has it: a list of texts and of pairs in Erlang's form. */
export interface PasswordRequirement {
  readonly pattern: RegExp;
  /** Tells the user what is missing; may be empty. */
  readonly reason: string;
}

const text = String.raw`"(?:[^"\\]|\\.)*"`;
const item = String.raw`\{\s*${text}\s*(?:,\s*${text}\s*)?\}|${text}`;
const list = new RegExp(String.raw`^\s*\[\s*(?:(?:${item})\s*(?:,\s*(?:${item})\s*)*)?\]\s*$`);

/** @returns undefined for a malformed list, which CouchDB takes too: then no new password is good enough */
export function passwordRequirements(value: string): readonly PasswordRequirement[] | undefined {
  if (value === '') return [];
  if (!list.test(value)) return undefined;
  try {
    return Array.from(value.matchAll(new RegExp(item, 'g')), ([one]) => {
      const [source = '', reason = ''] = Array.from(one.matchAll(new RegExp(text, 'g')), ([quoted]) =>
        quoted.slice(1, -1).replaceAll(/\\(.)/gs, '$1'),
      );
      return { pattern: new RegExp(source), reason };
    });
  } catch {
    return undefined;
  }
}
