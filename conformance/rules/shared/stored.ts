/** Tells what the feed does not show from what the target has not stored: only the former is about the feed. */
import { isDeepStrictEqual } from 'node:util';
import {
  asObject,
  Blocked,
  type DatabaseClient,
  documentPath,
  parseJson,
  type Row,
  Violation,
  writtenMembers,
} from '../../kit.js';
import { mustIncludeDoc } from './row-assertions.js';

type Stored = Readonly<Record<string, unknown>>;

/**
 * Verifies something in the `doc` of a row.
 *
 * @param isCause whether a document that the target returns by `GET /{db}/{id}` explains a violation.
 * @param lost what the target has not stored then, as a noun phrase.
 * @throws Blocked instead of a violation that the stored document explains
 */
export async function unlessLost(
  database: DatabaseClient,
  { id, value }: Row,
  { isCause, lost }: { isCause: (stored: Stored) => boolean; lost: string },
  verify: () => void,
): Promise<void> {
  try {
    verify();
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const { _rev: rev } = asObject(value.doc);
    const query = { attachments: true, ...(typeof rev === 'string' && { rev }) };
    const read = { path: documentPath(id), query, echoesTarget: true };
    // In the background: a violation is shown by the response of the feed.
    const { status, text } = await database.request({ ...read, background: true });
    if (status !== 200 || !isCause(asObject(parseJson(text)))) throw error;
    await database.request(read);
    const obstacle = `The target does not store ${lost} as it was written`;
    throw new Blocked(`${obstacle}: GET /{db}/{id} returns the same as the feed.`, { obstacle });
  }
}

/** The `doc` of the row must be the winning revision with these fields, as it was written and stored. */
export const mustIncludeStored = (
  database: DatabaseClient,
  row: Row,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> =>
  unlessLost(
    database,
    row,
    {
      lost: 'a document',
      isCause: (stored) =>
        stored['_rev'] === fields['_rev'] &&
        isDeepStrictEqual(writtenMembers(stored), writtenMembers(asObject(row.value.doc))),
    },
    () => mustIncludeDoc(row, fields),
  );
