import { httpError } from '../errors.js';
import type { Statement } from './sqlite.js';
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
   * @param based the revision that the write is based on; undefined for a new document
   * @returns the new revision
   * @throws 409 when the document has another revision
   */
  put(name: string, based: string | undefined, body: string): string {
    if (this.find(name)?.revision !== based) throw conflict();
    const [version] = this.#statement(
      `INSERT INTO locals VALUES (?, 1, ?)
        ON CONFLICT DO UPDATE SET version = version + 1, body = excluded.body RETURNING version`,
    ).get<[number]>(bytesOf(name), body)!;
    return `0-${version}`;
  }

  /** @throws 404 when there is no such document, 409 when it has another revision */
  delete(name: string, based: string | undefined): void {
    const found = this.find(name);
    if (!found) throw httpError(404, 'not_found', 'missing');
    if (found.revision !== based) throw conflict();
    this.#statement('DELETE FROM locals WHERE name = ?').run(bytesOf(name));
  }
}

const conflict = () => httpError(409, 'conflict', 'Document update conflict.');
