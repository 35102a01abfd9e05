/** The second argument of filter functions: the changes request in CouchDB's format. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '../store/database.js';
import { databaseInfo } from '../store/database-info.js';
import type { FilterContext } from './filter.js';

/** Headers with credentials. Proxy headers are hidden too; their names depend on the dialect. */
const credentialHeaders = ['authorization', 'proxy-authorization', 'cookie'];

/** @param body parsed body of a POST; null for GET */
export function requestObject(
  database: Database,
  { user, requestHead: { method, url, headers, address }, dialect }: FilterContext,
  body: unknown,
) {
  const { pathname, searchParams } = new URL(url, 'http://host');
  const path = pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const hidden = [...credentialHeaders, dialect.proxyUserName, dialect.proxyRoles, dialect.proxyToken];
  return {
    info: databaseInfo(database),
    uuid: randomBytes(16).toString('hex'),
    id: null,
    method,
    requested_path: path,
    path,
    raw_path: url,
    query: Object.fromEntries(searchParams),
    headers: visibleHeaders(headers, new Set(hidden.map((name) => name.toLowerCase()))),
    body: body ?? 'undefined',
    peer: address,
    form: {},
    cookie: {},
    userCtx: { db: database.name, name: user.name, roles: user.roles },
    secObj: database.security,
  };
}

/** Writes names as CouchDB does: `X-Requested-With`. */
function visibleHeaders(headers: IncomingHttpHeaders, hidden: ReadonlySet<string>): Record<string, string> {
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
