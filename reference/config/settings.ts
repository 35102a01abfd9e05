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
export interface Setting<Value = unknown> {
  /** `section/key` */
  readonly place: string;
  /** Parses the text of a value. Throws an `InvalidValue`. */
  readonly parse: (text: string) => Value;
  readonly default: Default | undefined;
}

/** Text of a default value. */
type Default = string | ((dialect: DialectNames) => string);

/** Without a default, the value is undefined unless it is set. */
function setting<Value>(place: string, parse: (text: string) => Value): Setting<Value | undefined>;
function setting<Value>(place: string, parse: (text: string) => Value, initial: Default): Setting<Value>;
function setting(place: string, parse: (text: string) => unknown, initial?: Default): Setting {
  return { place, parse, default: initial };
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
  authenticationHandlers: setting('chttpd/authentication_handlers', handlerList, (dialect) =>
    handlerListText(['cookie', 'default'], dialect),
  ),
  /** Default and maximum of the feed parameter `timeout`, in milliseconds (SERVICE 2.8, 8). */
  changesTimeout: setting('chttpd/changes_timeout', integer(1, 2 ** 31 - 1), '60000'),
  /** Maximum size of a request body after decompression, in bytes. */
  maxBodyBytes: setting('chttpd/max_http_request_size', integer(1), String(8 * 1024 * 1024)),
  /** Maximum number of documents, revisions, keys or IDs in the body of one request. */
  maxItems: setting('docfeed/max_items_per_request', integer(1), '50000'),
  /** Maximum length of a URL, in characters. */
  maxUrlLength: setting('docfeed/max_url_length', integer(256), '32768'),
  /** Maximum size of the request line and headers, in bytes. Changes need a restart. */
  maxHeaderBytes: setting('docfeed/max_header_size', integer(1024, 2 ** 24), '65536'),
  /** Maximum number of open changes requests from one IP address. */
  maxFeeds: setting('docfeed/max_feeds_per_client', integer(1), '1000'),
  /** Maximum CPU time of a filter for one batch of documents, in milliseconds. */
  filterCpuMs: setting('docfeed/filter_cpu_ms', integer(1, 60_000), '5000'),

  /** Whether CORS is enabled (SERVICE 6). */
  corsEnabled: setting('chttpd/enable_cors', boolean, 'false'),
  /** Allowed origins; `*` allows all. */
  corsOrigins: setting('cors/origins', listOf(origin)),
  /** Whether browsers may send credentials. Has no effect with the origin `*`. */
  corsCredentials: setting('cors/credentials', boolean, 'false'),
  /** Allowed methods. */
  corsMethods: setting('cors/methods', listOf(httpMethod), 'DELETE, GET, HEAD, POST, PUT'),
  /** Allowed request headers, in lower case. The default is CouchDB's: pages that work here should work there. */
  corsHeaders: setting(
    'cors/headers',
    listOf(headerName),
    'accept, accept-language, authorization, content-length, content-range, content-type, destination, expires, ' +
      'if-match, last-modified, origin, pragma, x-couch-full-commit, x-couch-id, x-couch-persist, ' +
      'x-couchdb-www-authenticate, x-http-method-override, x-requested-with, x-couchdb-vhost-path',
  ),
  /** How long browsers may cache the response to a preflight request, in seconds. */
  corsMaxAge: setting('cors/max_age', integer(0, 2 ** 31 - 1), '600'),

  /** Secret that signs session cookies and proxy tokens. Random by default (SERVICE 5.2, 5.3). */
  secret: setting('chttpd_auth/secret', nonEmpty, () => randomBytes(16).toString('hex')),
  /** Lifetime of a session cookie, in seconds. */
  sessionSeconds: setting('chttpd_auth/timeout', integer(1, 2 ** 31 - 1), '600'),
  /** Whether session cookies have an expiry time, so that they outlive the browser session. */
  persistentCookies: setting('chttpd_auth/allow_persistent_cookies', boolean, 'true'),
  /** `SameSite` attribute of session cookies. */
  sameSite: setting('chttpd_auth/same_site', oneOf('Strict', 'Lax', 'None')),
  /** `Domain` attribute of session cookies. */
  cookieDomain: setting('chttpd_auth/cookie_domain', domainName),
  /** Whether session cookies have the `Secure` attribute. Use this behind a proxy that terminates TLS. */
  secureCookies: setting('docfeed/secure_cookies', boolean, 'false'),
  /** PBKDF2 iterations for new password hashes. Stored hashes have their own number. */
  passwordIterations: setting('chttpd_auth/iterations', integer(1, 10_000_000), '100000'),
  /** Limits of the PBKDF2 iterations of a stored password. CouchDB's maximum is 1000000000: ten minutes per login. */
  minIterations: setting('chttpd_auth/min_iterations', integer(1, 2 ** 31 - 1), '1'),
  maxIterations: setting('chttpd_auth/max_iterations', integer(1, 2 ** 31 - 1), '1000000'),
  /** Reaction to too many failed logins of a client: reject further logins, only log them, or nothing. */
  lockoutMode: setting('chttpd_auth_lockout/mode', oneOf('enforce', 'warn', 'off'), 'enforce'),
  /** Number of failed logins that lock an account for a client. */
  lockoutThreshold: setting('chttpd_auth_lockout/threshold', integer(1), '5'),
  /** Duration of the lockout after the first failed login, in milliseconds. */
  lockoutMs: setting('chttpd_auth_lockout/max_lifetime', integer(1, 2 ** 31 - 1), '300000'),
  /** Whether proxy authentication requires a token (SERVICE 5.3). Without one, any client can act as any user. */
  proxyUseSecret: setting('chttpd_auth/proxy_use_secret', boolean, 'false'),
  /** Hash algorithms allowed for proxy tokens (SERVICE 2.8, 5.3). */
  hashAlgorithms: setting(
    'chttpd_auth/hash_algorithms',
    listOf(oneOf(...hashFunctions.keys())),
    'sha256, sha',
  ),
  /** Names of the proxy headers for user name, roles and token (SERVICE 5.3), in lower case. */
  proxyUserNameHeader: setting(
    'chttpd_auth/x_auth_username',
    headerName,
    ({ proxyUserName }) => proxyUserName,
  ),
  proxyRolesHeader: setting('chttpd_auth/x_auth_roles', headerName, ({ proxyRoles }) => proxyRoles),
  proxyTokenHeader: setting('chttpd_auth/x_auth_token', headerName, ({ proxyToken }) => proxyToken),

  /** Claims that a JSON Web Token must have in addition to the mandatory ones (SERVICE 5.4 rules 3, 4). */
  requiredClaims: setting('jwt_auth/required_claims', requiredClaims, 'exp'),
  /** Name of the claim with the roles (SERVICE 5.4 rule 5). */
  rolesClaimName: setting('jwt_auth/roles_claim_name', nonEmpty, ({ rolesClaim }) => rolesClaim),
  /** Path of the claim with the roles. Takes precedence over the name (SERVICE 5.4 rule 6). */
  rolesClaimPath: setting('jwt_auth/roles_claim_path', claimPath),
};

const mapSectionTable = {
  /** Password hashes of server administrators, by name. */
  administrators: { section: 'admins', parse: adminPassword, normalize: hashedAdminPassword },
  /** Keys for verifying JSON Web Tokens, by `<alg_type>:<kid>` (SERVICE 5.4). */
  jwtKeys: { section: 'jwt_keys', parse: trustedKey },
} as const satisfies Readonly<Record<string, MapSection>>;

type Table = typeof table;
type MapSectionTable = typeof mapSectionTable;

type NamedSettings = { readonly [Name in keyof Table]: ReturnType<Table[Name]['parse']> };

/** The parsed settings. Read a setting at each use, because changes take effect immediately. */
export type Settings = NamedSettings & {
  readonly [Name in keyof MapSectionTable]: ReadonlyMap<string, ReturnType<MapSectionTable[Name]['parse']>>;
};

/** Settings by property name in `Settings`. */
export const namedSettings: Readonly<Record<string, Setting>> = table;
/** Sections with arbitrary keys, by property name in `Settings`. */
export const mapSections: Readonly<Record<string, MapSection>> = mapSectionTable;
