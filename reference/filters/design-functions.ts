/** Filters by functions of design documents: filter functions, and map functions of views (SERVICE 4.8). */
import { createHash } from 'node:crypto';
import { httpError } from '../http/errors.js';
import type { Database } from '../store/database.js';
import { renderDocument, renderHistory } from '../store/render-document.js';
import { isJsonObject, type Json, type JsonObject } from '../store/json.js';
import type { WorkerPool } from './evaluation/worker-pool.js';
import type { Filter } from './filter.js';
import { ProgramFilter } from './program-filter.js';

/** Ancestors that a document shows to functions, as in CouchDB. */
const shownRevisions = 20;

export interface DesignFunction {
  readonly kind: 'filter' | 'map';
  /** The name of the design document without `_design/`. */
  readonly design: string;
  readonly name: string;
  /** The second argument, which a filter function is given. */
  readonly request?: object | null;
}

/** Rejects with 404 when there is no such function, with 400 when it does not compile. */
export async function designFunctionFilter(
  database: Database,
  { kind, design, name, request = null }: DesignFunction,
  workerPool: WorkerPool,
): Promise<Filter> {
  const document = readDesign(database, `_design/${design}`);
  const source = memberAt(document, kind === 'filter' ? ['filters', name] : ['views', name, 'map']);
  const called = `The ${kind} function ${design}/${name}`;
  const { language = 'javascript' } = document;
  if (language !== 'javascript')
    throw httpError(400, 'unknown_query_language', `${called} is not in JavaScript.`);
  if (typeof source !== 'string')
    throw httpError(400, 'compilation_error', `${called} does not compile: it is not a string.`);
  const text = JSON.stringify(document);
  const program = { kind, key: keyOf(database.name, kind, name, text), source, design: text };
  // What CouchDB hands to functions: `_id`, `_rev`, `_deleted`, stubs of `_attachments`, and `_revisions`.
  const filter = new ProgramFilter(
    called,
    { ...program, request: JSON.stringify(request) },
    workerPool,
    ({ head }, { revision }) => {
      const { start, ids } = renderHistory(database, head, revision);
      return { _revisions: { start, ids: ids.slice(0, shownRevisions) } };
    },
  );
  await filter.compile();
  return filter;
}

/** The same as long as the design document is, since that has its revision in it. */
const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64');

function readDesign(database: Database, id: string): JsonObject {
  const head = database.find(id);
  if (!head) throw httpError(404, 'not_found', 'missing');
  if (head.leaves.deleted) throw httpError(404, 'not_found', 'deleted');
  const content = database.revision(head, head.leaves.winner)!;
  return renderDocument(id, content) as JsonObject;
}

function memberAt(document: JsonObject, path: readonly string[]): Json {
  let found: Json = document;
  for (const member of path) {
    if (!isJsonObject(found) || !Object.hasOwn(found, member))
      throw httpError(404, 'not_found', `missing json key: ${member}`);
    found = found[member]!;
  }
  return found;
}
