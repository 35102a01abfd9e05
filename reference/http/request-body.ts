/** Parses the bodies of requests. */
import { httpError } from './errors.js';
import type { BodyKind } from '../generated/routes.js';
import { parseJson } from './json-text.js';

/** Deeper values are rejected, because recursive code would run out of stack. */
const maxDepth = 2100;

export interface RawBody {
  readonly method: string;
  readonly contentType: string | undefined;
  /** Decompressed; null for an empty body. */
  readonly bytes: Buffer | null;
  /** Maximum number of items in the members of a JSON object. */
  readonly maxItems: number;
}

/**
 * @returns the parsed body: null if it is empty; for `raw` always a buffer
 * @throws 400, 413 or 415
 */
export function parseBody(kind: BodyKind, { method, contentType, bytes, maxItems }: RawBody): unknown {
  if (kind === 'none') return null;
  if (kind === 'raw') return bytes ?? Buffer.alloc(0);
  if (isForm(kind, contentType)) return bytes && parseForm(text(bytes));
  const type = mediaType(contentType);
  // As in CouchDB, a PUT may lack the JSON content type (curl sends that of a form by default).
  if (type !== 'application/json' && (method === 'post' || type.startsWith('multipart/'))) {
    throw httpError(415, 'bad_content_type', `Content-Type must be ${contentTypes[kind]}`);
  }
  return bytes && parseChecked(text(bytes), maxItems);
}

const contentTypes = {
  json: 'application/json',
  'json-or-form': 'application/json or application/x-www-form-urlencoded',
  'json-or-multipart': 'application/json or multipart/related',
} as const;

export const isMultipart = (kind: BodyKind, contentType: string | undefined): contentType is string =>
  kind === 'json-or-multipart' && mediaType(contentType) === 'multipart/related';

export const isForm = (kind: BodyKind, contentType: string | undefined): boolean =>
  kind === 'json-or-form' && mediaType(contentType) === 'application/x-www-form-urlencoded';

/** The type of a header `Content-Type`, without its parameters. */
export const mediaType = (contentType = ''): string => contentType.split(';')[0]!.trim().toLowerCase();

const utf8 = new TextDecoder('utf-8', { fatal: true });

function text(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidJson('the body is not UTF-8');
  }
}

function parseChecked(json: string, maxItems: number): unknown {
  const { depth, items } = measure(json);
  if (items > maxItems) {
    const reason = `The body has more than ${maxItems} items (see the setting docfeed/max_items_per_request).`;
    throw httpError(413, 'too_large', reason);
  }
  if (depth > maxDepth) throw invalidJson(`values are nested deeper than ${maxDepth} levels`);
  if (hasLoneSurrogate(json)) throw invalidJson('a text has half of a surrogate pair');
  try {
    return parseJson(json);
  } catch (error) {
    throw invalidJson(error instanceof RangeError ? error.message : undefined);
  }
}

/** One escape sequence, or two that are a surrogate pair. The group is half of a pair. */
const escapes = /\\(?:ud[89ab]..\\ud[c-f]..|(ud[89a-f])|.)/gi;

/** Such a text cannot be encoded in UTF-8. */
function hasLoneSurrogate(json: string): boolean {
  if (/\\ud[89a-f]/i.test(json))
    for (const [, half] of json.matchAll(escapes)) if (half !== undefined) return true;
  return false;
}

const parseForm = (form: string): unknown => Object.fromEntries(new URLSearchParams(form));

const invalidJson = (detail?: string) =>
  httpError(400, 'bad_request', `invalid UTF-8 JSON${detail === undefined ? '' : `: ${detail}`}`);

/**
 * Measures JSON text without parsing it, because parsing can take a second: its nesting depth, and the number of items
 * in the members of an object. The result for invalid JSON is unspecified.
 */
function measure(json: string): { depth: number; items: number } {
  let [deepest, depth, items] = [0, 0, 0];
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') {
      deepest = Math.max(deepest, ++depth);
      if (depth === 2) items++;
    } else if (character === ']' || character === '}') depth--;
    else if (character === ',' && depth === 2) items++;
  }
  return { depth: deepest, items };
}
