import { httpError } from '../http/errors.js';
import type { Statement } from './sqlite/sqlite.js';
import { bytesOf } from './tables.js';

/** A local document in its only revision. */
export interface LocalDocument {
  revision: string;
  /** JSON text of the writer's own members. */
  body: string;
}

/** Documents that are neither listed nor replicated nor part of the feed: replicators keep checkpoints in them. */
export class LocalDocuments {
  readonly #statement: (sql: string) => Statement;

  constructor(statement: (sql: string) => Statement) {
    this.#statement = statement;
  }

  /** @param name the identifier without `_local/` */
  find(name: string): LocalDocument | undefined {
    const row = this.#statement('SELECT version, body FROM locals WHERE name = ?').get<
      [version: number, body: string]
    >(bytesOf(name));
    return row && { revision: `0-${row[0]}`, body: row[1] };
  }

  /**
   * As in CouchDB it takes the place of what is there, whichever revision that is.
   *
   * @param version the number of the revision that the writer has seen; 0 for none
   * @returns the new revision
   */
  put(name: string, version: number, body: string): string {
    this.#statement(
      `INSERT INTO locals VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET version = excluded.version, body = excluded.body`,
    ).run(bytesOf(name), version + 1, body);
    return `0-${version + 1}`;
  }

  /** @throws 404 when there is no such document */
  delete(name: string): void {
    if (!this.find(name)) throw httpError(404, 'not_found', 'missing');
    this.#statement('DELETE FROM locals WHERE name = ?').run(bytesOf(name));
  }
}
