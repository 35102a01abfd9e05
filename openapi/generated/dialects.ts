/** The names that differ between dialects. Generated from `x-names` in openapi/ by `npm run generate`. */

export type Dialect = 'service' | 'couchdb';

export interface DialectNames {
  readonly dialect: Dialect;
  readonly greeting: string;
  readonly userIdPrefix: string;
  readonly proxyUserName: string;
  readonly proxyRoles: string;
  readonly proxyToken: string;
  readonly rolesClaim: string;
  readonly badRequest: string;
  readonly requestId: string;
}

export const dialects: Readonly<Record<Dialect, DialectNames>> = {
  service: {
    dialect: 'service',
    greeting: 'service',
    userIdPrefix: 'org.service.user:',
    proxyUserName: 'X-Auth-Service-UserName',
    proxyRoles: 'X-Auth-Service-Roles',
    proxyToken: 'X-Auth-Service-Token',
    rolesClaim: '_service.roles',
    badRequest: 'bad request',
    requestId: 'X-Request-ID',
  },
  couchdb: {
    dialect: 'couchdb',
    greeting: 'couchdb',
    userIdPrefix: 'org.couchdb.user:',
    proxyUserName: 'X-Auth-CouchDB-UserName',
    proxyRoles: 'X-Auth-CouchDB-Roles',
    proxyToken: 'X-Auth-CouchDB-Token',
    rolesClaim: '_couchdb.roles',
    badRequest: 'bad_request',
    requestId: 'X-Couch-Request-ID',
  },
};
