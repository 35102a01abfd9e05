/** The database for the workloads that read. It has the same documents on each server. */
import { randomBytes } from 'node:crypto';
import type { Client } from '../client.js';
import { range } from '../measure.js';

/** Every tenth document has a conflict. */
const conflictEvery = 10;
const batchSize = 500;

/** Accepts every other document, as a filter function and as a view. */
export const filterFunction = 'function (doc) { return doc.value % 2 === 0; }';
/** Does the same with `rest=0` in the query. */
const requestFunction = 'function (doc, req) { return doc.value % 2 === Number(req.query.rest); }';
const mapFunction = 'function (doc) { if (doc.value % 2 === 0) emit(doc.value, null); }';

export interface Dataset {
  readonly target: Client;
  /** Path of the database. */
  readonly path: string;
  /** Number of documents, excluding the design document. */
  readonly documents: number;
}

/** @returns the path of a new database */
export async function createDatabase(target: Client): Promise<string> {
  const path = `/docfeed-bench-${randomBytes(4).toString('hex')}`;
  await target.read('PUT', path);
  return path;
}

export async function createDataset(target: Client, documents: number): Promise<Dataset> {
  const path = await createDatabase(target);
  await target.read('PUT', `${path}/_design/bench`, {
    filters: { even: filterFunction, rest: requestFunction },
    views: { even: { map: mapFunction } },
  });
  for (let first = 0; first < documents; first += batchSize) {
    const numbers = range(first, Math.min(first + batchSize, documents));
    const docs = numbers.map((number) => ({ ...documentOf(number), _rev: '1-b' }));
    const conflicts = docs
      .filter(({ value }) => value % conflictEvery === 0)
      .map((doc) => ({ ...doc, _rev: '1-a' }));
    await target.read('POST', `${path}/_bulk_docs`, { new_edits: false, docs: [...docs, ...conflicts] });
  }
  return { target, path, documents };
}

/** About 250 bytes of JSON. */
export const documentOf = (number: number) => ({
  _id: `document-${String(number).padStart(6, '0')}`,
  value: number,
  kind: number % 3 === 0 ? 'recipe' : 'note',
  tags: ['measured', `tag-${number % 7}`],
  text: 'The quick brown fox jumps over the lazy dog. '.repeat(3),
});
