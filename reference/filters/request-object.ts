/** The second argument of a filter function: the request to the feed, as CouchDB shows it to functions. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '../store/database.js';
import { databaseInfo } from '../store/database-info.js';
import type { FilterContext } from './filter.js';

/** Headers that carry credentials, with those of the proxy, whose names depend on the dialect. */
const credentials = ['authorization', 'proxy-authorization', 'cookie'];

/** @param body the body of a POST, parsed */
export function requestObject(
  database: Database,
  { user, requestHead: { method, url, headers }, dialect }: FilterContext,
  body: unknown,
) {
  const { pathname, searchParams } = new URL(url, 'http://host');
  const path = pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const hidden = [...credentials, dialect.proxyUserName, dialect.proxyRoles, dialect.proxyToken];
  return {
    info: databaseInfo(database),
    uuid: randomBytes(16).toString('hex'),
    id: null,
    method,
    requested_path: path,
    path,
    raw_path: url,
    query: Object.fromEntries(searchParams),
    headers: shownHeaders(headers, new Set(hidden.map((name) => name.toLowerCase()))),
    body: body === null ? 'undefined' : JSON.stringify(body),
    form: {},
    cookie: {},
    userCtx: { db: database.name, name: user.name, roles: user.roles },
    secObj: database.security,
  };
}

/** Names are written as CouchDB writes them: `X-Requested-With`. */
function shownHeaders(headers: IncomingHttpHeaders, hidden: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      hidden.has(name) || value === undefined
        ? []
        : [
            [
              name.replace(/(?<![a-z0-9])[a-z]/g, (letter) => letter.toUpperCase()),
              [value].flat().join(', '),
            ],
          ],
    ),
  );
}
