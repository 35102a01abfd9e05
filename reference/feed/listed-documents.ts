import type { Database, Positions } from '../store/database.js';
import type { DocumentHead, DocumentRow } from '../store/tables.js';
import { batch } from './reader.js';
import type { Rendering } from './row-cache.js';
import type { Source } from './round-reader.js';
import type { RenderedRow } from './rows.js';

/** Finding one document by ID takes about as long as reading this many changes. */
const changesPerDocument = 2;

/** Reads the rows of a few documents. The time depends on their number, not on the size of the database. */
export const listedDocuments = (
  database: Database,
  ids: ReadonlySet<string>,
  { bodies, render }: Omit<Rendering, 'key'>,
): Source<RenderedRow> => ({
  async read(range) {
    const found: DocumentRow[] = [];
    let characters = 0;
    for (const head of headsIn(database, ids, range)) {
      const content = bodies ? database.revision(head, head.leaves.winner) : undefined;
      found.push({ ...head, body: content?.body, attachments: content?.attachments });
      characters += content?.body.length ?? 0;
      if (characters >= batch.characters) break;
    }
    const last = found.at(-1);
    return last && { rows: await render(found), rest: { after: last.position, upTo: range.upTo } };
  },
});

function headsIn(database: Database, ids: ReadonlySet<string>, range: Positions): DocumentHead[] {
  const { after, upTo } = range;
  if (upTo - after <= changesPerDocument * ids.size) {
    const all = { rows: upTo - after, characters: Infinity };
    return database.changes(range, false, false, all).filter(({ id }) => ids.has(id));
  }
  return Array.from(ids, (id) => database.find(id))
    .filter((head) => head !== undefined)
    .filter(({ position }) => position > after && position <= upTo)
    .sort((a, b) => a.position - b.position);
}
