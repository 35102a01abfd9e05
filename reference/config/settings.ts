/**
 * What can be set: the one place where a setting is added. Sections and keys are CouchDB's, so that its files and
 * tools can be used; the section `docfeed` has what CouchDB does not.
 */
import { randomBytes } from 'node:crypto';
import type { DialectNames } from '../../openapi/generated/dialects.js';
import { hashFunctions } from '../crypto/hash-functions.js';
import { adminPassword, hashedAdminPassword } from './admin-passwords.js';
import { claimPath, requiredClaims } from './claims.js';
import { handlerList, handlerListText } from './handler-list.js';
import { trustedKey } from './trusted-keys.js';
import {
  boolean,
  domainName,
  headerName,
  httpMethod,
  integer,
  listOf,
  nonEmpty,
  oneOf,
  origin,
} from './value-parsers.js';

/** A setting that has a name of its own. */
export interface Setting {
  readonly section: string;
  readonly key: string;
  /** What the code is given for a text. Throws an `InvalidValue`. */
  readonly read: (text: string) => unknown;
  /** Counts until another is set. Without one the setting is undefined until then. */
  readonly initial?: string | ((dialect: DialectNames) => string);
}

/** A section whose keys are the user's. */
export interface MapSection {
  readonly section: string;
  /** As that of a setting. */
  readonly read: (text: string, key: string) => unknown;
  /** What is kept in place of a text that is set. Throws an `InvalidValue`. */
  readonly keep?: (text: string, settings: NamedSettings) => Promise<string>;
}

const table = {
  /** The handlers that are asked who the caller is, in this order (SERVICE 2.8, 5). */
  authenticationHandlers: {
    section: 'chttpd',
    key: 'authentication_handlers',
    read: handlerList,
    initial: (dialect) => handlerListText(['cookie', 'default'], dialect),
  },
  /** Default and maximum of the feed's `timeout`, in milliseconds (SERVICE 2.8, 8). */
  changesTimeout: {
    section: 'chttpd',
    key: 'changes_timeout',
    read: integer(1, 2 ** 31 - 1),
    initial: '60000',
  },
  /** The largest request body that is read, in bytes after decompression. */
  maxBodyBytes: {
    section: 'chttpd',
    key: 'max_http_request_size',
    read: integer(1),
    initial: String(8 * 1024 * 1024),
  },
  /** The longest URL that is taken, in characters. */
  maxUrlLength: { section: 'docfeed', key: 'max_url_length', read: integer(256), initial: '32768' },
  /** The longest request line with headers that is read, in bytes. Fixed at start. */
  maxHeaderBytes: {
    section: 'docfeed',
    key: 'max_header_size',
    read: integer(1024, 2 ** 24),
    initial: '65536',
  },
  /** So many requests for changes may be open at a time from one address. */
  maxFeeds: { section: 'docfeed', key: 'max_feeds_per_client', read: integer(1), initial: '1000' },
  /** Processor time that a filter may take for one batch of documents, in milliseconds. */
  filterCpuMs: { section: 'docfeed', key: 'filter_cpu_ms', read: integer(1, 60_000), initial: '5000' },

  /** Whether browsers let pages of other origins use the service (SERVICE 6). */
  corsEnabled: { section: 'chttpd', key: 'enable_cors', read: boolean, initial: 'false' },
  /** The origins of those pages; `*` is any. */
  corsOrigins: { section: 'cors', key: 'origins', read: listOf(origin) },
  /** Whether such a page acts as the user who is logged in. Never so for `*`. */
  corsCredentials: { section: 'cors', key: 'credentials', read: boolean, initial: 'false' },
  /** The methods that such a page may use. */
  corsMethods: {
    section: 'cors',
    key: 'methods',
    read: listOf(httpMethod),
    initial: 'DELETE, GET, HEAD, POST, PUT',
  },
  /** The headers that such a page may send, in lower case. CouchDB's, so that a page learns here what fails there. */
  corsHeaders: {
    section: 'cors',
    key: 'headers',
    read: listOf(headerName),
    initial:
      'accept, accept-language, authorization, content-length, content-range, content-type, destination, expires, ' +
      'if-match, last-modified, origin, pragma, x-couch-full-commit, x-couch-id, x-couch-persist, ' +
      'x-couchdb-www-authenticate, x-http-method-override, x-requested-with, x-couchdb-vhost-path',
  },
  /** How long a browser may remember what such a page may do, in seconds. */
  corsMaxAge: { section: 'cors', key: 'max_age', read: integer(0, 2 ** 31 - 1), initial: '600' },

  /** What session cookies, and the tokens of proxies, are signed with. Made anew for each server (SERVICE 5.2, 5.3). */
  secret: {
    section: 'chttpd_auth',
    key: 'secret',
    read: nonEmpty,
    initial: () => randomBytes(16).toString('hex'),
  },
  /** Lifetime of a session cookie in seconds. */
  sessionSeconds: { section: 'chttpd_auth', key: 'timeout', read: integer(1, 2 ** 31 - 1), initial: '600' },
  /** Whether a session cookie outlives the browser's own session, for as long as it authenticates. */
  persistentCookies: {
    section: 'chttpd_auth',
    key: 'allow_persistent_cookies',
    read: boolean,
    initial: 'true',
  },
  /** `SameSite` of a session cookie; absent without it. */
  sameSite: { section: 'chttpd_auth', key: 'same_site', read: oneOf('Strict', 'Lax', 'None') },
  /** `Domain` of a session cookie; absent without it. */
  cookieDomain: { section: 'chttpd_auth', key: 'cookie_domain', read: domainName },
  /** Whether browsers send a session cookie over TLS only: for a server behind a proxy that speaks it. */
  secureCookies: { section: 'docfeed', key: 'secure_cookies', read: boolean, initial: 'false' },
  /** Rounds of PBKDF2 for passwords that are hashed from now on. Stored hashes keep their own number. */
  passwordIterations: {
    section: 'chttpd_auth',
    key: 'iterations',
    read: integer(1, 10_000_000),
    initial: '100000',
  },
  /** What happens to a client that has failed too often to log in to an account: refused, told in the log, nothing. */
  lockoutMode: {
    section: 'chttpd_auth_lockout',
    key: 'mode',
    read: oneOf('enforce', 'warn', 'off'),
    initial: 'enforce',
  },
  /** After so many failures. */
  lockoutThreshold: { section: 'chttpd_auth_lockout', key: 'threshold', read: integer(1), initial: '5' },
  /** Until so many milliseconds after the first of them. */
  lockoutMs: {
    section: 'chttpd_auth_lockout',
    key: 'max_lifetime',
    read: integer(1, 2 ** 31 - 1),
    initial: '300000',
  },
  /** Whether the word of a proxy counts only with a token made from the secret (SERVICE 5.3). */
  proxyUseSecret: { section: 'chttpd_auth', key: 'proxy_use_secret', read: boolean, initial: 'false' },
  /** The algorithms with which such a token may be made (SERVICE 2.8, 5.3). */
  hashAlgorithms: {
    section: 'chttpd_auth',
    key: 'hash_algorithms',
    read: listOf(oneOf(...hashFunctions.keys())),
    initial: 'sha256, sha',
  },
  /** The headers in which a proxy names the user, their roles, and its token (SERVICE 5.3), in lower case. */
  proxyUserNameHeader: {
    section: 'chttpd_auth',
    key: 'x_auth_username',
    read: headerName,
    initial: ({ proxyUserName }) => proxyUserName,
  },
  proxyRolesHeader: {
    section: 'chttpd_auth',
    key: 'x_auth_roles',
    read: headerName,
    initial: ({ proxyRoles }) => proxyRoles,
  },
  proxyTokenHeader: {
    section: 'chttpd_auth',
    key: 'x_auth_token',
    read: headerName,
    initial: ({ proxyToken }) => proxyToken,
  },

  /** Claims that a JSON Web Token must have besides the mandatory ones (SERVICE 5.4 rules 3, 4). */
  requiredClaims: { section: 'jwt_auth', key: 'required_claims', read: requiredClaims, initial: 'exp' },
  /** The claim that holds the roles (SERVICE 5.4 rule 5). */
  rolesClaimName: {
    section: 'jwt_auth',
    key: 'roles_claim_name',
    read: nonEmpty,
    initial: ({ rolesClaim }) => rolesClaim,
  },
  /** Path to the claim that holds the roles; comes before the name (SERVICE 5.4 rule 6). */
  rolesClaimPath: { section: 'jwt_auth', key: 'roles_claim_path', read: claimPath },
} as const satisfies Readonly<Record<string, Setting>>;

const mapSectionTable = {
  /** The administrators of the server by name. Their passwords are kept as hashes only. */
  administrators: { section: 'admins', read: adminPassword, keep: hashedAdminPassword },
  /** Keys that JSON Web Tokens are verified with, by `<alg_type>:<kid>` (SERVICE 5.4). */
  jwtKeys: { section: 'jwt_keys', read: trustedKey },
} as const satisfies Readonly<Record<string, MapSection>>;

type Table = typeof table;
type MapSectionTable = typeof mapSectionTable;

type NamedSettings = {
  readonly [Name in keyof Table]:
    ReturnType<Table[Name]['read']> | (Table[Name] extends { initial: unknown } ? never : undefined);
};

/** The settings as code reads them: at each use, because a change applies at once. */
export type Settings = NamedSettings & {
  readonly [Name in keyof MapSectionTable]: ReadonlyMap<string, ReturnType<MapSectionTable[Name]['read']>>;
};

/** By the names under which code reads them. */
export const namedSettings: Readonly<Record<string, Setting>> = table;
/** By the names under which code reads them, as maps. */
export const mapSections: Readonly<Record<string, MapSection>> = mapSectionTable;
