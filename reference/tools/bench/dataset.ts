/** The database for the workloads. It has the same documents on each target. */
import { randomBytes } from 'node:crypto';
import type { BenchmarkTarget } from './target.js';

/** Every tenth document has a conflict. */
const conflictEvery = 10;
const batchSize = 500;
/** Number of documents that filter functions evaluate. They are slow on some servers. */
const filteredDocuments = 2000;

export interface Dataset {
  readonly target: BenchmarkTarget;
  /** Path of the database. */
  readonly path: string;
  /** Number of documents, including the design document. */
  readonly documents: number;
  /** Number of documents after `since`. */
  readonly rest: number;
  /** Sequence at which feeds with filter functions start. */
  readonly since: string;
}

export async function createDataset(target: BenchmarkTarget, documents: number): Promise<Dataset> {
  const path = `/docfeed-bench-${randomBytes(4).toString('hex')}`;
  await target.send('PUT', path);
  await target.send('PUT', `${path}/_design/bench`, {
    filters: { even: 'function (doc) { return doc.value % 2 === 0; }' },
    views: { even: { map: 'function (doc) { if (doc.value % 2 === 0) emit(doc.value, null); }' } },
  });
  const rest = Math.min(filteredDocuments, documents);
  await fill(target, path, 0, documents - rest);
  const { last_seq } = JSON.parse(await target.send('GET', `${path}/_changes?since=now`)) as {
    last_seq: string;
  };
  await fill(target, path, documents - rest, documents);
  return { target, path, documents: documents + 1, rest, since: encodeURIComponent(last_seq) };
}

async function fill(target: BenchmarkTarget, path: string, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += batchSize) {
    const numbers = Array.from({ length: Math.min(batchSize, to - first) }, (_, index) => first + index);
    const docs = numbers.map((number) => ({ ...documentOf(number), _rev: '1-b' }));
    const conflicts = docs
      .filter(({ value }) => value % conflictEvery === 0)
      .map((doc) => ({ ...doc, _rev: '1-a' }));
    await target.send('POST', `${path}/_bulk_docs`, { new_edits: false, docs: [...docs, ...conflicts] });
  }
}

/** About 200 bytes of JSON. */
export const documentOf = (number: number) => ({
  _id: `document-${String(number).padStart(6, '0')}`,
  value: number,
  kind: number % 3 === 0 ? 'recipe' : 'note',
  tags: ['measured', `tag-${number % 7}`],
  text: 'The quick brown fox jumps over the lazy dog. '.repeat(2),
});
