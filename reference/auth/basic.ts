/** The `Authorization: Basic` header (SERVICE 5.1; RFC 7617). */
import { isUtf8 } from 'node:buffer';
import { httpError } from '../http/errors.js';

export interface BasicCredentials {
  readonly name: string;
  readonly password: string;
}

/** Pages send it to make a browser forget the credentials that it repeats. */
const nobody = '_:_';

/**
 * @returns the credentials; undefined if the header is absent, has another scheme or names nobody
 * @throws 400 if the header is malformed
 */
export function basicCredentials(header: string | undefined): BasicCredentials | undefined {
  const match = /^basic(?: +(.*))?$/i.exec(header ?? '');
  if (!match) return undefined;
  const text = decode(match[1] ?? '');
  if (text === nobody) return undefined;
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 0) {
    throw httpError(
      400,
      'bad_request',
      'The Authorization header must be `Basic` followed by name:password in base64.',
    );
  }
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decode(encoded: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}
