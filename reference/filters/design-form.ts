/** The form of design documents. As in CouchDB, also members that this server does not use must have their type. */
import type { Boom } from '@hapi/boom';
import { httpError } from '../http/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../store/json.js';
import type { ParsedDocument } from '../store/parse-document.js';

type JsonType = 'array' | 'boolean' | 'object' | 'string';
type Member = readonly [path: string, value: Json];

/** Types of members by path, in the order in which CouchDB checks them. `*` is each member of an object. */
const types: readonly (readonly [path: string, ...types: JsonType[]])[] = [
  ['filters', 'object'],
  ['filters.*', 'string', 'object'],
  ['language', 'string'],
  ['lists', 'object'],
  ['lists.*', 'string', 'object'],
  ['options', 'object'],
  ['options.include_design', 'boolean'],
  ['options.local_seq', 'boolean'],
  ['options.partitioned', 'boolean'],
  ['rewrites', 'array', 'string'],
  ['shows', 'object'],
  ['shows.*', 'string', 'object'],
  ['updates', 'object'],
  ['updates.*', 'string', 'object'],
  ['validate_doc_update', 'string'],
  ['views', 'object'],
  ['views.*', 'object'],
  ['views.*.reduce', 'string'],
];

/** @returns the error of a design document with a wrong form; undefined for other documents */
export function designProblem({ id, body }: Pick<ParsedDocument, 'id' | 'body'>): Boom | undefined {
  if (!id.startsWith('_design/')) return undefined;
  const design = JSON.parse(body) as JsonObject;
  for (const [path, ...allowed] of types) {
    const wrong = membersAt(design, path).find(([, value]) => !allowed.includes(typeOf(value) as JsonType));
    if (wrong) return wrongType(wrong[0], allowed);
  }
  const { options } = design;
  if (isJsonObject(options) && options.partitioned === true)
    return invalid('partitioned option cannot be true in a non-partitioned database.');
  return mapProblem(design);
}

/** Modules of views can be in a member `lib`, which is no view. Views of selectors have an object in the place of a function. */
function mapProblem(design: JsonObject): Boom | undefined {
  const type = design.language === 'query' ? 'object' : 'string';
  for (const [path, view] of membersAt(design, 'views.*')) {
    const { map } = view as JsonObject;
    const name = path.slice('views.'.length);
    if (map !== undefined && typeOf(map) !== type) return wrongType(`${path}.map`, [type]);
    if (map === undefined && name !== 'lib') return invalid(`View \`${name}\` must contain map function`);
  }
  return undefined;
}

function membersAt(design: JsonObject, path: string): Member[] {
  return path.split('.').reduce<Member[]>(
    (parents, name) =>
      parents.flatMap(([path, parent]) =>
        Object.entries(isJsonObject(parent) ? parent : {})
          .filter(([member]) => name === '*' || name === member)
          .map(([member, value]): Member => [path === '' ? member : `${path}.${member}`, value]),
      ),
    [['', design]],
  );
}

const typeOf = (value: Json): string =>
  Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;

const wrongType = (path: string, allowed: readonly JsonType[]) =>
  invalid(`\`${path}\` field must have ${allowed.join(' or ')} type`);

const invalid = (reason: string) => httpError(400, 'invalid_design_doc', reason);
