/** Lists of authentication handlers (SERVICE 2.8), in plain names and in CouchDB's `{module, function}` form. */
import type { DialectNames } from '../../openapi/generated/dialects.js';
import { InvalidValue } from './value-parsers.js';

const handlers = ['cookie', 'proxy', 'jwt', 'default'];

const pair = /\{\s*(?:chttpd|couch_httpd)_auth\s*,\s*(\w+)_authentication_handler\s*\}/g;

/** Parses a list in either form, in both dialects. As in CouchDB, punctuation around its pairs does not count. */
export function handlerList(value: string): readonly string[] {
  const plain = value.replaceAll(pair, '$1');
  const names = (plain === value ? value : plain.replace(/[^\w,]/g, ''))
    .split(',')
    .map((name) => name.trim());
  const unknown = names.find((name) => !handlers.includes(name));
  if (unknown !== undefined || new Set(names).size < names.length) {
    throw new InvalidValue(`must list one or more of ${handlers.join(', ')}, each at most once`);
  }
  return names;
}

/** Formats a list for the dialect. */
export function handlerListText(names: readonly string[], { dialect }: DialectNames): string {
  const written =
    dialect === 'couchdb' ? names.map((name) => `{chttpd_auth, ${name}_authentication_handler}`) : names;
  return written.join(', ');
}
