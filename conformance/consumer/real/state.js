/** What consumers in this folder share: the checkpoint, and how they say what they know. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { DOCFEED_DATABASE_URL, DOCFEED_STATE, DOCFEED_SELECTOR = '' } = process.env;

export const url = DOCFEED_DATABASE_URL;

const { username, password } = new URL(url);
export const credentials = { name: decodeURIComponent(username), password: decodeURIComponent(password) };

/** A checkpoint belongs to the selector. */
const file = join(DOCFEED_STATE, `since-${Buffer.from(DOCFEED_SELECTOR).toString('hex')}`);

export function readSince(initial) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return initial;
  }
}

export const writeSince = (seq) => writeFileSync(file, JSON.stringify(seq));

/** Of a row with its document. Consumers that read all leaves say them. */
export const say = ({ id, doc, deleted = false, leaves }) =>
  console.log(JSON.stringify({ id, rev: doc._rev, deleted, leaves }));

export function end(error) {
  console.error(error.message);
  process.exit(1);
}
