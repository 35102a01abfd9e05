import type { Statement } from './sqlite/sqlite.js';
import type { DocumentHead } from './tables.js';

/** Number of positions in a segment. */
const segmentLength = 1024;

/**
 * Numbers of documents, so that no request has to count many rows: documents and deleted documents, and documents by the
 * position of their latest change, in segments. The writer notes its changes, and saves their sums at the end of a
 * transaction: triggers would make each write of a document take half as long again.
 */
export class DocumentCounts {
  readonly #statement: (sql: string) => Statement;
  /** What the open transaction changes. */
  readonly #totals = new Map<number, number>();
  readonly #segments = new Map<number, number>();

  constructor(statement: (sql: string) => Statement) {
    this.#statement = statement;
  }

  /** @param deleted whether to count deleted documents or the others */
  total(deleted: boolean): number {
    return this.#value('SELECT documents FROM totals WHERE deleted = ?', Number(deleted));
  }

  /** Number of documents whose latest change is after a position. */
  after(position: number): number {
    const next = segmentOf(position) + 1;
    return (
      this.#value('SELECT coalesce(sum(documents), 0) FROM segments WHERE segment >= ?', next) +
      this.#value(
        'SELECT count(*) FROM documents WHERE position > ? AND position < ?',
        position,
        next * segmentLength,
      )
    );
  }

  /** Call it with each change of a document within a transaction. */
  note(
    before: DocumentHead | undefined,
    { deleted, position }: { deleted: boolean; position: number },
  ): void {
    if (before) {
      add(this.#totals, Number(before.leaves.deleted), -1);
      add(this.#segments, segmentOf(before.position), -1);
    }
    add(this.#totals, Number(deleted), 1);
    add(this.#segments, segmentOf(position), 1);
  }

  /** Call it at the end of a transaction. */
  save(): void {
    const addToTotal = 'UPDATE totals SET documents = documents + ? WHERE deleted = ?';
    const addToSegment =
      'INSERT INTO segments VALUES (?2, ?1) ON CONFLICT DO UPDATE SET documents = documents + excluded.documents';
    for (const [deleted, count] of this.#totals) if (count) this.#statement(addToTotal).run(count, deleted);
    for (const [segment, count] of this.#segments)
      if (count) this.#statement(addToSegment).run(count, segment);
    this.discard();
  }

  /** Call it when a transaction is rolled back. */
  discard(): void {
    this.#totals.clear();
    this.#segments.clear();
  }

  #value(sql: string, ...parameters: number[]): number {
    return this.#statement(sql).get<[number]>(...parameters)![0];
  }
}

const segmentOf = (position: number): number => Math.floor(position / segmentLength);

const add = (counts: Map<number, number>, key: number, count: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + count);
