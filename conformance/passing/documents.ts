/** The documents that a response shows beside the feed. */
import { asObject } from '../http/parse-json.js';
import type { Passed } from './passed.js';

interface ShownDocument {
  readonly id: string;
  readonly rev: string;
  readonly document: Readonly<Record<string, unknown>>;
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(asObject) : [];

/** By operation, where its response has documents. */
const documents: Readonly<Record<string, (body: Passed['body']) => readonly unknown[]>> = {
  // A list is the answer to a request for several revisions.
  getDocument: (body) => (Array.isArray(body) ? listOf(body).map(({ ok }) => ok) : [body]),
  getDesignDocument: (body) => [body],
  bulkGet: ({ results }) => listOf(results).flatMap(({ docs }) => listOf(docs).map(({ ok }) => ok)),
  getAllDocs: ({ rows }) => listOf(rows).map(({ doc }) => doc),
  postAllDocs: ({ rows }) => listOf(rows).map(({ doc }) => doc),
};

export function documentsIn(passed: Passed): ShownDocument[] {
  const { operation, passing } = passed;
  const read = documents[operation?.id ?? ''];
  if (!read || passing.status !== 200) return [];
  return read(passed.body).flatMap((value) => {
    const document = asObject(value);
    const { _id: id, _rev: rev } = document;
    return typeof id === 'string' && typeof rev === 'string' ? [{ id, rev, document }] : [];
  });
}
