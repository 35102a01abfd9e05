/** Filters that use filter functions or map functions of design documents (SERVICE 4.8). */
import { createHash } from 'node:crypto';
import { httpError } from '../http/errors.js';
import type { Database } from '../store/database.js';
import { renderDocument, renderHistory } from '../store/render-document.js';
import { toJson } from '../http/json-text.js';
import { isJsonObject, type Json, type JsonObject } from '../store/json.js';
import type { Filter, FilterContext } from './filter.js';
import { programFilter } from './program-filter.js';

/** Maximum length of `_revisions` that functions see, as in CouchDB. */
const maxRevisions = 20;

export interface DesignFunction {
  readonly kind: 'filter' | 'map';
  /** Name of the design document without `_design/`. */
  readonly design: string;
  readonly name: string;
  /** Second argument of a filter function. */
  readonly request?: object | null;
}

/** @throws 404 if the function does not exist, 400 if it does not compile */
export async function designFunctionFilter(
  database: Database,
  { kind, design, name, request = null }: DesignFunction,
  context: FilterContext,
): Promise<Filter> {
  const document = readDesign(database, `_design/${design}`);
  const source = memberAt(document, kind === 'filter' ? ['filters', name] : ['views', name, 'map']);
  const title = `The ${kind} function ${design}/${name}`;
  const { language = 'javascript' } = document;
  if (language !== 'javascript')
    throw httpError(400, 'unknown_query_language', `${title} is not in JavaScript.`);
  if (typeof source !== 'string')
    throw httpError(400, 'compilation_error', `${title} does not compile: it is not a string.`);
  const text = toJson(document);
  const program = { kind, key: keyOf(database.name, kind, name, text), source, design: text };
  // As in CouchDB, functions see `_id`, `_rev`, `_deleted`, stubs of `_attachments`, and `_revisions`.
  return programFilter({
    name: title,
    program: { ...program, request: toJson(request) },
    context,
    extraMembers: (head, { revision }) => {
      const { start, ids } = renderHistory(database, head, revision);
      return { _revisions: { start, ids: ids.slice(0, maxRevisions) } };
    },
  });
}

/** Key of a program. That of a function changes with the design document, because its text includes its revision. */
export const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64');

export function readDesign(database: Database, id: string): JsonObject {
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
