/** Turns the bytes of a request body into what handlers are given. Reading, limits and gzip are hapi's. */
import Bourne from '@hapi/bourne';
import { httpError } from './errors.js';
import type { BodyKind } from '../generated/routes.js';

/** Values nested deeper than this are refused: code that walks them would run out of stack. */
const maxDepth = 1000;

export interface RawBody {
  readonly method: string;
  readonly contentType: string | undefined;
  /** Decompressed; null for an empty body. */
  readonly bytes: Buffer | null;
}

/** The parsed body: null for an empty one, but as bytes it is as it came. Throws 415 and 400. */
export function parseBody(kind: BodyKind, { method, contentType, bytes }: RawBody): unknown {
  if (kind === 'none') return null;
  if (kind === 'raw') return bytes ?? Buffer.alloc(0);
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (kind === 'json-or-form' && type === 'application/x-www-form-urlencoded')
    return bytes && parseForm(text(bytes));
  // As in CouchDB a PUT need not say that it is JSON (curl says that it is a form).
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

/** The depth of the deepest value, without building any. Right for JSON; of other text it need not be. */
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
