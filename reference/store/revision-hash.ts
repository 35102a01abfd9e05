/** The hash of a new revision, as CouchDB computes it: the same edit has the same revision on each server. */
import { hash } from 'node:crypto';
import type { Attachments } from './attachments.js';
import { atom, binary, list, number, term, text, tuple } from './erlang-terms.js';
import { parseJson } from '../http/json-text.js';

/** What an edit makes of a document. */
interface Edit {
  readonly parent: { readonly generation: number; readonly hash: string } | undefined;
  readonly deleted: boolean;
  /** JSON text of the members that are content. */
  readonly body: string;
  readonly attachments: Attachments | undefined;
}

export function hashOfEdit({ parent, deleted, body, attachments = {} }: Edit): string {
  const before = parent ? binary(hashBytes(parent.hash)) : number(0);
  const contents = Object.entries(attachments)
    .reverse()
    .map(([name, { content_type, digest }]) =>
      tuple(text(name), text(content_type), binary(bytesOfDigest(digest))),
    );
  const edit = [
    atom(String(deleted)),
    number(parent?.generation ?? 0),
    before,
    jsonTerm(parseJson(body)),
    list(contents),
  ];
  return hash('md5', Buffer.from(term(list(edit)), 'latin1'));
}

/** The bytes that a hash stands for, one in each character: 16 for one of 32 hexadecimal digits, its text otherwise. */
export const hashBytes = (hash: string): string =>
  (hash.length === 32 ? Buffer.from(hash, 'hex') : Buffer.from(hash)).toString('latin1');

const bytesOfDigest = (digest: string): string =>
  Buffer.from(digest.slice('md5-'.length), 'base64').toString('latin1');

/** @param value what `parseJson` returns */
function jsonTerm(value: unknown): string {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number' || typeof value === 'bigint') return number(value);
  if (typeof value !== 'object' || value === null) return atom(String(value));
  // Loops need less of the stack than callbacks: values have up to 2100 levels.
  const items: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) items.push(jsonTerm(item));
    return list(items);
  }
  for (const [name, member] of Object.entries(value)) items.push(tuple(text(name), jsonTerm(member)));
  return tuple(list(items));
}
