/**
 * Validates the parameters of requests, and parses and validates their bodies. Long lists are validated in slices,
 * because joi needs microseconds for each item.
 */
import type { Boom } from '@hapi/boom';
import type { Request } from '@hapi/hapi';
import type { components } from '../../openapi/generated/types.service.js';
import type { Schema, ValidationError } from 'joi';
import { LRUCache } from 'lru-cache';
import type { Settings } from '../config/settings.js';
import type { OperationId } from '../generated/handlers.js';
import type { Route } from '../generated/routes.js';
import { putDocument } from '../generated/validators.js';
import { readBytes } from '../http/body-bytes.js';
import { httpError } from '../http/errors.js';
import { insertContents, parseDocumentMessage } from '../http/document-message.js';
import { isForm, isMultipart } from '../http/request-body.js';
import { Turn } from '../http/turns.js';
import { isJsonObject } from '../store/json.js';
import type { Components } from './components.js';

type Body = Record<string, unknown>;
type DocumentInput = components['schemas']['DocumentInput'];

/** A body with some of the items. */
interface Part {
  readonly body: Body;
  /** Index of the first item. */
  readonly offset: number;
}

const itemsPerPart = 200;

/** Operations whose bodies have many items. The setting `maxItems` limits them. */
const partsOf: Partial<Record<OperationId, (body: Body) => Iterable<Part>>> = {
  bulkDocs: (body) => partsOfList(body, 'docs'),
  bulkGet: (body) => partsOfList(body, 'docs'),
  postAllDocs: (body) => partsOfList(body, 'keys'),
  postDesignDocs: (body) => partsOfList(body, 'keys'),
  postLocalDocs: (body) => partsOfList(body, 'keys'),
  postAllDocsQueries: (body) => partsOfList(body, 'queries'),
  postDesignDocsQueries: (body) => partsOfList(body, 'queries'),
  postLocalDocsQueries: (body) => partsOfList(body, 'queries'),
  postDbsInfo: (body) => partsOfList(body, 'keys'),
  postChanges: (body) => partsOfList(body, 'doc_ids'),
  revsDiff: partsOfLists,
  missingRevs: partsOfLists,
};

/**
 * hapi could validate parameters too, but takes several times longer.
 *
 * @throws 400
 */
export function readParameters(
  { params, query, headers }: Pick<Request, 'params' | 'query' | 'headers'>,
  { operationId, validators }: Pick<Route, 'operationId' | 'validators'>,
) {
  const isFeed = operationId === 'getChanges' || operationId === 'postChanges';
  return {
    headers: validateCached(validators.headers, headers),
    params: validators.params ? validate(validators.params, { body: params, offset: 0 }) : params,
    query: validateCached(validators.query, isFeed ? feedQuery(query) : query),
  };
}

/** As CouchDB reads it: names in any case, since clients send `Last-Event-ID`, and `live` for `continuous`. */
function feedQuery(query: Request['query']): Request['query'] {
  const named = Object.keys(query).some((name) => /[A-Z]/.test(name))
    ? Object.fromEntries(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]))
    : query;
  return named.feed === 'live' ? { ...named, feed: 'continuous' } : named;
}

/** Bounds the memory of the caches. */
const maxCachedLength = 200;

/** Throws 400 for invalid parameters. */
type Validate = (sent: Readonly<Record<string, unknown>>) => unknown;

/** Keeps valid values by the texts that were sent, because joi takes long and clients often send the same. */
function cachedValidation(schema: Schema): Validate {
  const names = Object.keys((schema.describe() as { keys: object }).keys);
  const cache = new LRUCache<string, object>({ max: 100 });
  return (sent) => {
    const known = names.filter((name) => Object.hasOwn(sent, name));
    const key = JSON.stringify(known.map((name) => [name, sent[name]]));
    const cached = cache.get(key);
    if (cached) return { ...cached };
    const body = Object.fromEntries(known.map((name) => [name, sent[name]]));
    const values = validate(schema, { body, offset: 0 }) as object;
    // A handler could change an object.
    const isFlat = Object.values(values).every((value) => typeof value !== 'object');
    if (isFlat && key.length <= maxCachedLength) cache.set(key, { ...values });
    return values;
  };
}

const validations = new WeakMap<Schema, Validate>();

function validateCached(schema: Schema | undefined, sent: Readonly<Record<string, unknown>>): unknown {
  if (!schema) return sent;
  let validation = validations.get(schema);
  if (!validation) validations.set(schema, (validation = cachedValidation(schema)));
  return validation(sent);
}

/** @throws 400, 408, 413 or 415 */
export async function readBody(
  { app, method, raw: { req } }: Request,
  { operationId, body: kind, validators }: Route,
  { parseBody }: Components,
  { maxBodyBytes, maxItems }: Settings,
): Promise<unknown> {
  const contentType = req.headers['content-type'];
  // As in CouchDB, a form is never compressed: some clients say so of one that is not.
  const options = isForm(kind, contentType) ? { encoding: 'identity' } : {};
  const began = performance.now();
  const sent =
    method === 'get' || method === 'head' ? undefined : await readBytes(req, maxBodyBytes, options);
  if (sent) app.bodyTime = performance.now() - began;
  const bytes = sent && sent.length > 0 ? sent : null;
  const split = partsOf[operationId];
  const limits = { maxItems: split ? maxItems : Infinity };
  // The users database validates user documents itself, with the same errors for every operation that writes them.
  const schema = operationId === 'putUser' ? putDocument.payload : validators.payload;
  if (bytes && isMultipart(kind, contentType)) {
    const { document, contents } = parseDocumentMessage(contentType, bytes);
    const body = parseBody('json', { method, contentType: undefined, bytes: document, ...limits });
    const { _attachments: attachments = {} } = (await validateBody(schema!, body)) as DocumentInput;
    insertContents(attachments, contents, maxBodyBytes);
    return body;
  }
  const body = parseBody(kind, { method, contentType, bytes, ...limits });
  return schema ? await validateBody(schema, body, split) : body;
}

async function validateBody(
  schema: Schema,
  body: unknown,
  split: (body: Body) => Iterable<Part> = (body) => [{ body, offset: 0 }],
): Promise<unknown> {
  return isJsonObject(body)
    ? await validateParts(schema, body, split(body))
    : validate(schema, { body, offset: 0 });
}

async function validateParts(schema: Schema, body: Body, parts: Iterable<Part>): Promise<unknown> {
  const turn = new Turn();
  for (const part of parts) {
    if (turn.isOver) await turn.next();
    const value = validate(schema, part) as Body;
    if (part.offset > 0) continue;
    // The schema only adds defaults. Copying the body would take long, and the copy has no member `__proto__`.
    for (const name of Object.keys(value)) if (isMissing(part.body[name])) body[name] = value[name];
  }
  return body;
}

/** @throws 400 */
function validate(
  schema: Schema,
  { body, offset }: { readonly body: unknown; readonly offset: number },
): unknown {
  const result = schema.validate(body);
  if (result.error) throw invalid(result.error, offset);
  return result.value as unknown;
}

function invalid({ message, details }: ValidationError, offset: number): Boom {
  const { path: [list, index] = [], context } = details[0] ?? {};
  // The message has the index of an item in its part.
  const reason =
    typeof index === 'number'
      ? message.replace(`${list}[${index}]`, () => `${list}[${index + offset}]`)
      : message;
  return httpError(400, (context?.['x-error'] as string | undefined) ?? 'bad_request', reason);
}

function* partsOfList(body: Body, name: string): Iterable<Part> {
  const list = body[name];
  if (!isLong(list)) yield { body, offset: 0 };
  else
    for (let offset = 0; offset < list.length; offset += itemsPerPart)
      yield { body: { ...body, [name]: list.slice(offset, offset + itemsPerPart) }, offset };
}

/** For a body whose members are lists. */
function* partsOfLists(body: Body): Iterable<Part> {
  // Joi leaves out a member of this name.
  if (Object.hasOwn(body, '__proto__'))
    yield* partsOfList({ '"__proto__"': body['__proto__'] }, '"__proto__"');
  const names = Object.keys(body);
  for (let first = 0; first === 0 || first < names.length; first += itemsPerPart) {
    const some = names.slice(first, first + itemsPerPart);
    const short = some.filter((name) => !isLong(body[name]));
    yield { body: Object.fromEntries(short.map((name) => [name, body[name]])), offset: 0 };
    for (const name of some) if (isLong(body[name])) yield* partsOfList({ [name]: body[name] }, name);
  }
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

const isLong = (list: unknown): list is unknown[] => Array.isArray(list) && list.length > itemsPerPart;
