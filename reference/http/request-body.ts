/** Parses request bodies. hapi reads and decompresses them and enforces the size limit. */
import Bourne from '@hapi/bourne';
import { httpError } from './errors.js';
import type { BodyKind } from '../generated/routes.js';

/** Deeper values are rejected, because recursive code would run out of stack. */
const maxDepth = 1000;

export interface RawBody {
  readonly method: string;
  readonly contentType: string | undefined;
  /** Decompressed; null for an empty body. */
  readonly bytes: Buffer | null;
}

/**
 * @returns the parsed body: null if it is empty; for `raw` always a buffer
 * @throws 400 or 415
 */
export function parseBody(kind: BodyKind, { method, contentType, bytes }: RawBody): unknown {
  if (kind === 'none') return null;
  if (kind === 'raw') return bytes ?? Buffer.alloc(0);
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (kind === 'json-or-form' && type === 'application/x-www-form-urlencoded')
    return bytes && parseForm(text(bytes));
  // As in CouchDB, a PUT may lack the JSON content type (curl sends that of a form by default).
  if (type !== 'application/json' && (method === 'post' || type.startsWith('multipart/'))) {
    const types =
      kind === 'json-or-form' ? 'application/json or application/x-www-form-urlencoded' : 'application/json';
    throw httpError(415, 'bad_content_type', `Content-Type must be ${types}`);
  }
  return bytes && parseJson(text(bytes));
}

function text(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidJson('the body is not UTF-8');
  }
}

function parseJson(json: string): unknown {
  if (nesting(json) > maxDepth) throw invalidJson(`values are nested deeper than ${maxDepth} levels`);
  try {
    return Bourne.parse(json);
  } catch (error) {
    const forbidden = /forbidden prototype property/.test((error as Error).message);
    throw invalidJson(forbidden ? 'an object has the key `__proto__`' : undefined);
  }
}

const parseForm = (form: string): unknown => Object.fromEntries(new URLSearchParams(form));

const invalidJson = (detail?: string) =>
  httpError(400, 'bad_request', `invalid UTF-8 JSON${detail === undefined ? '' : `: ${detail}`}`);

/** Returns the nesting depth of JSON text without parsing it. The result for invalid JSON is unspecified. */
function nesting(json: string): number {
  let deepest = 0;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return deepest;
}
