/**
 * All settings of the server. To add a setting, add an entry here. Sections and keys are those of CouchDB, so its
 * configuration files and tools work. Settings that CouchDB does not have are in the section `docfeed`.
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

/** A setting with a fixed name. */
export interface Setting {
  readonly section: string;
  readonly key: string;
  /** Parses the text of a value. Throws an `InvalidValue`. */
  readonly parse: (text: string) => unknown;
  /** Text of the default value. If absent, the default is undefined. */
  readonly default?: string | ((dialect: DialectNames) => string);
}

/** A section with arbitrary keys. */
export interface MapSection {
  readonly section: string;
  /** Parses the text of a value. Throws an `InvalidValue`. */
  readonly parse: (text: string, key: string) => unknown;
  /** Converts a text before it is stored. Throws an `InvalidValue`. */
  readonly normalize?: (text: string, settings: NamedSettings) => Promise<string>;
}

const table = {
  /** Authentication handlers in the order in which they are tried (SERVICE 2.8, 5). */
  authenticationHandlers: {
    section: 'chttpd',
    key: 'authentication_handlers',
    parse: handlerList,
    default: (dialect) => handlerListText(['cookie', 'default'], dialect),
  },
  /** Default and maximum of the feed parameter `timeout`, in milliseconds (SERVICE 2.8, 8). */
  changesTimeout: {
    section: 'chttpd',
    key: 'changes_timeout',
    parse: integer(1, 2 ** 31 - 1),
    default: '60000',
  },
  /** Maximum size of a request body after decompression, in bytes. */
  maxBodyBytes: {
    section: 'chttpd',
    key: 'max_http_request_size',
    parse: integer(1),
    default: String(8 * 1024 * 1024),
  },
  /** Maximum number of documents, revisions, keys or IDs in the body of one request. */
  maxItems: { section: 'docfeed', key: 'max_items_per_request', parse: integer(1), default: '50000' },
  /** Maximum length of a URL, in characters. */
  maxUrlLength: { section: 'docfeed', key: 'max_url_length', parse: integer(256), default: '32768' },
  /** Maximum size of the request line and headers, in bytes. Changes need a restart. */
  maxHeaderBytes: {
    section: 'docfeed',
    key: 'max_header_size',
    parse: integer(1024, 2 ** 24),
    default: '65536',
  },
  /** Maximum number of open changes requests from one IP address. */
  maxFeeds: { section: 'docfeed', key: 'max_feeds_per_client', parse: integer(1), default: '1000' },
  /** Maximum CPU time of a filter for one batch of documents, in milliseconds. */
  filterCpuMs: { section: 'docfeed', key: 'filter_cpu_ms', parse: integer(1, 60_000), default: '5000' },

  /** Whether CORS is enabled (SERVICE 6). */
  corsEnabled: { section: 'chttpd', key: 'enable_cors', parse: boolean, default: 'false' },
  /** Allowed origins; `*` allows all. */
  corsOrigins: { section: 'cors', key: 'origins', parse: listOf(origin) },
  /** Whether browsers may send credentials. Has no effect with the origin `*`. */
  corsCredentials: { section: 'cors', key: 'credentials', parse: boolean, default: 'false' },
  /** Allowed methods. */
  corsMethods: {
    section: 'cors',
    key: 'methods',
    parse: listOf(httpMethod),
    default: 'DELETE, GET, HEAD, POST, PUT',
  },
  /** Allowed request headers, in lower case. The default is CouchDB's: pages that work here should work there. */
  corsHeaders: {
    section: 'cors',
    key: 'headers',
    parse: listOf(headerName),
    default:
      'accept, accept-language, authorization, content-length, content-range, content-type, destination, expires, ' +
      'if-match, last-modified, origin, pragma, x-couch-full-commit, x-couch-id, x-couch-persist, ' +
      'x-couchdb-www-authenticate, x-http-method-override, x-requested-with, x-couchdb-vhost-path',
  },
  /** How long browsers may cache the response to a preflight request, in seconds. */
  corsMaxAge: { section: 'cors', key: 'max_age', parse: integer(0, 2 ** 31 - 1), default: '600' },

  /** Secret that signs session cookies and proxy tokens. Random by default (SERVICE 5.2, 5.3). */
  secret: {
    section: 'chttpd_auth',
    key: 'secret',
    parse: nonEmpty,
    default: () => randomBytes(16).toString('hex'),
  },
  /** Lifetime of a session cookie, in seconds. */
  sessionSeconds: { section: 'chttpd_auth', key: 'timeout', parse: integer(1, 2 ** 31 - 1), default: '600' },
  /** Whether session cookies have an expiry time, so that they outlive the browser session. */
  persistentCookies: {
    section: 'chttpd_auth',
    key: 'allow_persistent_cookies',
    parse: boolean,
    default: 'true',
  },
  /** `SameSite` attribute of session cookies. */
  sameSite: { section: 'chttpd_auth', key: 'same_site', parse: oneOf('Strict', 'Lax', 'None') },
  /** `Domain` attribute of session cookies. */
  cookieDomain: { section: 'chttpd_auth', key: 'cookie_domain', parse: domainName },
  /** Whether session cookies have the `Secure` attribute. Use this behind a proxy that terminates TLS. */
  secureCookies: { section: 'docfeed', key: 'secure_cookies', parse: boolean, default: 'false' },
  /** PBKDF2 iterations for new password hashes. Stored hashes have their own number. */
  passwordIterations: {
    section: 'chttpd_auth',
    key: 'iterations',
    parse: integer(1, 10_000_000),
    default: '100000',
  },
  /** Limits of the PBKDF2 iterations of a stored password. CouchDB's maximum is 1000000000: ten minutes per login. */
  minIterations: {
    section: 'chttpd_auth',
    key: 'min_iterations',
    parse: integer(1, 2 ** 31 - 1),
    default: '1',
  },
  maxIterations: {
    section: 'chttpd_auth',
    key: 'max_iterations',
    parse: integer(1, 2 ** 31 - 1),
    default: '1000000',
  },
  /** Reaction to too many failed logins of a client: reject further logins, only log them, or nothing. */
  lockoutMode: {
    section: 'chttpd_auth_lockout',
    key: 'mode',
    parse: oneOf('enforce', 'warn', 'off'),
    default: 'enforce',
  },
  /** Number of failed logins that lock an account for a client. */
  lockoutThreshold: { section: 'chttpd_auth_lockout', key: 'threshold', parse: integer(1), default: '5' },
  /** Duration of the lockout after the first failed login, in milliseconds. */
  lockoutMs: {
    section: 'chttpd_auth_lockout',
    key: 'max_lifetime',
    parse: integer(1, 2 ** 31 - 1),
    default: '300000',
  },
  /** Whether proxy authentication requires a token (SERVICE 5.3). */
  proxyUseSecret: { section: 'chttpd_auth', key: 'proxy_use_secret', parse: boolean, default: 'false' },
  /** Hash algorithms allowed for proxy tokens (SERVICE 2.8, 5.3). */
  hashAlgorithms: {
    section: 'chttpd_auth',
    key: 'hash_algorithms',
    parse: listOf(oneOf(...hashFunctions.keys())),
    default: 'sha256, sha',
  },
  /** Names of the proxy headers for user name, roles and token (SERVICE 5.3), in lower case. */
  proxyUserNameHeader: {
    section: 'chttpd_auth',
    key: 'x_auth_username',
    parse: headerName,
    default: ({ proxyUserName }) => proxyUserName,
  },
  proxyRolesHeader: {
    section: 'chttpd_auth',
    key: 'x_auth_roles',
    parse: headerName,
    default: ({ proxyRoles }) => proxyRoles,
  },
  proxyTokenHeader: {
    section: 'chttpd_auth',
    key: 'x_auth_token',
    parse: headerName,
    default: ({ proxyToken }) => proxyToken,
  },

  /** Claims that a JSON Web Token must have in addition to the mandatory ones (SERVICE 5.4 rules 3, 4). */
  requiredClaims: { section: 'jwt_auth', key: 'required_claims', parse: requiredClaims, default: 'exp' },
  /** Name of the claim with the roles (SERVICE 5.4 rule 5). */
  rolesClaimName: {
    section: 'jwt_auth',
    key: 'roles_claim_name',
    parse: nonEmpty,
    default: ({ rolesClaim }) => rolesClaim,
  },
  /** Path of the claim with the roles. Takes precedence over the name (SERVICE 5.4 rule 6). */
  rolesClaimPath: { section: 'jwt_auth', key: 'roles_claim_path', parse: claimPath },
} as const satisfies Readonly<Record<string, Setting>>;

const mapSectionTable = {
  /** Password hashes of server administrators, by name. */
  administrators: { section: 'admins', parse: adminPassword, normalize: hashedAdminPassword },
  /** Keys for verifying JSON Web Tokens, by `<alg_type>:<kid>` (SERVICE 5.4). */
  jwtKeys: { section: 'jwt_keys', parse: trustedKey },
} as const satisfies Readonly<Record<string, MapSection>>;

type Table = typeof table;
type MapSectionTable = typeof mapSectionTable;

type NamedSettings = {
  readonly [Name in keyof Table]:
    ReturnType<Table[Name]['parse']> | (Table[Name] extends { default: unknown } ? never : undefined);
};

/** The parsed settings. Read a setting at each use, because changes take effect immediately. */
export type Settings = NamedSettings & {
  readonly [Name in keyof MapSectionTable]: ReadonlyMap<string, ReturnType<MapSectionTable[Name]['parse']>>;
};

/** Settings by property name in `Settings`. */
export const namedSettings: Readonly<Record<string, Setting>> = table;
/** Sections with arbitrary keys, by property name in `Settings`. */
export const mapSections: Readonly<Record<string, MapSection>> = mapSectionTable;
