import { httpError } from '../http/errors.js';
import type { Statement } from './sqlite/sqlite.js';
import { bytesOf, identifierConditions, type Identifiers } from './tables.js';

/** A local document. Only its latest revision is stored. */
export interface LocalDocument {
  revision: string;
  /** JSON text of the document without the members that this server interprets. */
  body: string;
}

/** Documents that are not listed, replicated or part of the feed. Replicators store their checkpoints in them. */
export class LocalDocuments {
  readonly #statement: (sql: string) => Statement;

  constructor(statement: (sql: string) => Statement) {
    this.#statement = statement;
  }

  /** @param name document ID without `_local/` */
  find(name: string): LocalDocument | undefined {
    const row = this.#statement('SELECT version, body FROM locals WHERE name = ?').get<
      [version: number, body: string]
    >(bytesOf(name));
    return row && { revision: `0-${row[0]}`, body: row[1] };
  }

  /**
   * Lists names, without `_local/`, in a range of them.
   *
   * @param limit Infinity for no limit
   */
  names(range: Identifiers, descending: boolean, skip: number, limit: number): string[] {
    const { conditions, parameters } = identifierConditions('name', range);
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const sql = `SELECT CAST(name AS TEXT) FROM locals ${where}
      ORDER BY name ${descending ? 'DESC' : 'ASC'} LIMIT ? OFFSET ?`;
    // In SQLite, a negative limit means no limit.
    const rows = this.#statement(sql).rows<[name: string]>(
      ...parameters,
      limit === Infinity ? -1 : limit,
      skip,
    );
    return Array.from(rows, ([name]) => name);
  }

  /**
   * Stores a document. As in CouchDB, it replaces the current one without a conflict check.
   *
   * @param version number of the revision in the request; 0 if there is none
   * @returns the new revision
   */
  put(name: string, version: number, body: string): string {
    this.#statement(
      `INSERT INTO locals VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET version = excluded.version, body = excluded.body`,
    ).run(bytesOf(name), version + 1, body);
    return `0-${version + 1}`;
  }

  /** @throws 404 if there is no such document */
  delete(name: string): void {
    if (!this.find(name)) throw httpError(404, 'not_found', 'missing');
    this.#statement('DELETE FROM locals WHERE name = ?').run(bytesOf(name));
  }
}
