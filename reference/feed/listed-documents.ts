import type { Database, Positions } from '../store/database.js';
import type { DocumentHead, DocumentRow } from '../store/tables.js';
import { batch } from './reader.js';
import type { Rendering } from './row-cache.js';
import type { Source } from './round-reader.js';
import type { RenderedRow } from './rows.js';

/** Finding one document by ID takes about as long as reading this many changes. */
const changesPerDocument = 2;

/** Reads the rows of a few documents. The time depends on their number, not on the size of the database. */
export class ListedDocuments implements Source<RenderedRow> {
  readonly #database: Database;
  readonly #ids: ReadonlySet<string>;
  readonly #rendering: Omit<Rendering, 'key'>;

  constructor(database: Database, ids: ReadonlySet<string>, rendering: Omit<Rendering, 'key'>) {
    this.#database = database;
    this.#ids = ids;
    this.#rendering = rendering;
  }

  async read(range: Positions) {
    const found: DocumentRow[] = [];
    let characters = 0;
    for (const head of this.#headsIn(range)) {
      const row = this.#rowOf(head);
      found.push(row);
      characters += row.body?.length ?? 0;
      if (characters >= batch.characters) break;
    }
    const last = found.at(-1);
    if (!last) return undefined;
    return { rows: await this.#rendering.render(found), rest: { after: last.position, upTo: range.upTo } };
  }

  #headsIn(range: Positions): DocumentHead[] {
    const { after, upTo } = range;
    if (upTo - after <= changesPerDocument * this.#ids.size) {
      const all = { rows: upTo - after, characters: Infinity };
      return this.#database.changes(range, false, false, all).filter(({ id }) => this.#ids.has(id));
    }
    return Array.from(this.#ids, (id) => this.#database.find(id))
      .filter((head) => head !== undefined)
      .filter(({ position }) => position > after && position <= upTo)
      .sort((a, b) => a.position - b.position);
  }

  #rowOf(head: DocumentHead): DocumentRow {
    const content = this.#rendering.bodies ? this.#database.revision(head, head.leaves.winner) : undefined;
    return { ...head, body: content?.body, attachments: content?.attachments };
  }
}
