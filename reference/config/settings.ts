/**
 * All settings of the server. To add a setting, add an entry here. Sections and keys are those of CouchDB, so its
 * configuration files and tools work. Settings that CouchDB does not have are in the section `docfeed`.
 */
import { randomBytes } from 'node:crypto';
import type { DialectNames } from '../../openapi/generated/dialects.js';
import { hashFunctions } from '../crypto/hash-functions.js';
import { adminPassword, hashedAdminPassword, type Moment } from './admin-passwords.js';
import { claimPath, requiredClaims } from './claims.js';
import { handlerList, handlerListText } from './handler-list.js';
import { passwordRequirements } from './password-requirements.js';
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
  /** What the setting does, for the user. */
  readonly meaning: string;
  /** Parses the text of a value. Throws an `InvalidValue`. */
  readonly parse: (text: string) => Value;
  readonly default: Default | undefined;
}

/** Text of a default value. */
type Default = string | ((dialect: DialectNames) => string);

/** The default of a secret. */
export const random = () => randomBytes(16).toString('hex');

/** Without a default, the value is undefined unless it is set. */
function setting<Value>(
  place: string,
  meaning: string,
  parse: (text: string) => Value,
): Setting<Value | undefined>;
function setting<Value>(
  place: string,
  meaning: string,
  parse: (text: string) => Value,
  initial: Default,
): Setting<Value>;
function setting(
  place: string,
  meaning: string,
  parse: (text: string) => unknown,
  initial?: Default,
): Setting {
  return { place, meaning, parse, default: initial };
}

/** A section with arbitrary keys. */
export interface MapSection {
  readonly section: string;
  /** What the keys are, for the user. */
  readonly keys: string;
  /** What the settings do, for the user. */
  readonly meaning: string;
  /** Parses the text of a value. Throws an `InvalidValue`. */
  readonly parse: (text: string, key: string) => unknown;
  /** Converts a text before it is stored. Throws an `InvalidValue`. */
  readonly normalize?: (text: string, settings: NamedSettings, moment: Moment) => Promise<string>;
}

const table = {
  authenticationHandlers: setting(
    'chttpd/authentication_handlers',
    'Authentication handlers in the order in which they are tried (SERVICE 2.8, 5).',
    handlerList,
    (dialect) => handlerListText(['cookie', 'default'], dialect),
  ),
  nodeName: setting(
    'docfeed/node_name',
    'Name of the node in `/_membership` and `/_node/{name}`. By default that of a CouchDB without a cluster.',
    nonEmpty,
    'nonode@nohost',
  ),
  requireValidUser: setting(
    'chttpd/require_valid_user',
    'Whether anonymous requests are refused with 401, except logins.',
    boolean,
    'false',
  ),
  requireValidUserExceptForUp: setting(
    'chttpd/require_valid_user_except_for_up',
    'The same, except that `GET /_up` needs no credentials.',
    boolean,
    'false',
  ),
  defaultSecurity: setting(
    'couchdb/default_security',
    'Who may use a new database: server administrators only, or everyone. In a cluster, `admin_local` means everyone.',
    oneOf('admin_only', 'admin_local', 'everyone'),
    'admin_only',
  ),
  changesTimeout: setting(
    'chttpd/changes_timeout',
    'Default and maximum of the feed parameter `timeout`, in milliseconds (SERVICE 2.8, 8).',
    integer(1, 2 ** 31 - 1),
    '60000',
  ),
  maxBodyBytes: setting(
    'chttpd/max_http_request_size',
    'Maximum size of a request body after decompression, in bytes.',
    integer(1),
    String(8 * 1024 * 1024),
  ),
  maxDocumentBytes: setting(
    'couchdb/max_document_size',
    'Maximum size of the JSON text of a document without its attachments, in bytes.',
    integer(1),
    '8000000',
  ),
  maxAttachmentBytes: setting(
    'couchdb/max_attachment_size',
    'Maximum size of an attachment, in bytes.',
    integer(1),
    '1073741824',
  ),
  sandboxAttachments: setting(
    'csp/attachments_enable',
    'Whether attachments that a browser shows must not run scripts in the origin of this server.',
    boolean,
    'true',
  ),
  maintenanceMode: setting(
    'couchdb/maintenance_mode',
    'Whether `/_up` responds with 404, so that load balancers send no requests.',
    oneOf('false', 'true', 'nolb'),
    'false',
  ),
  forwardedHostHeader: setting(
    'chttpd/x_forwarded_host',
    'Name of the header in which a proxy says under which host name clients find this server.',
    headerName,
    'X-Forwarded-Host',
  ),
  decodePlus: setting(
    'chttpd/decode_plus_to_space',
    'Whether a plus sign in the path of a document or attachment means a space.',
    boolean,
    'true',
  ),
  uuidAlgorithm: setting(
    'uuids/algorithm',
    'How UUIDs are made: with a counter, at random, or with the time and random digits or the suffix `utc_id_suffix`.',
    oneOf('sequential', 'random', 'utc_random', 'utc_id'),
    'sequential',
  ),
  utcIdSuffix: setting('uuids/utc_id_suffix', 'End of UUIDs of the algorithm `utc_id`.', String, ''),
  maxItems: setting(
    'docfeed/max_items_per_request',
    'Maximum number of documents, revisions, keys or IDs in the body of one request.',
    integer(1),
    '50000',
  ),
  maxDatabasesInfo: setting(
    'chttpd/max_db_number_for_dbs_info_req',
    'Maximum number of databases in the body of `POST /_dbs_info`.',
    integer(1),
    '100',
  ),
  maxUrlLength: setting(
    'docfeed/max_url_length',
    'Maximum length of a URL, in characters.',
    integer(256),
    '32768',
  ),
  maxHeaderBytes: setting(
    'docfeed/max_header_size',
    'Maximum size of the request line and headers, in bytes. Changes need a restart.',
    integer(1024, 2 ** 24),
    '65536',
  ),
  maxFeeds: setting(
    'docfeed/max_feeds_per_client',
    'Maximum number of open changes requests from one IP address.',
    integer(1),
    '1000',
  ),
  filterCpuMs: setting(
    'docfeed/filter_cpu_ms',
    'Maximum CPU time of a filter for one batch of documents, in milliseconds.',
    integer(1, 60_000),
    '5000',
  ),

  allowJsonp: setting(
    'chttpd/allow_jsonp',
    'Whether `callback=NAME` makes a JSON response a script. Any page can then read what the cookie of its user may read.',
    boolean,
    'false',
  ),
  corsEnabled: setting('chttpd/enable_cors', 'Whether CORS is enabled (SERVICE 6).', boolean, 'false'),
  corsOrigins: setting('cors/origins', 'Allowed origins; `*` allows all.', listOf(origin)),
  corsCredentials: setting(
    'cors/credentials',
    'Whether browsers may send credentials. Has no effect with the origin `*`.',
    boolean,
    'false',
  ),
  corsMethods: setting(
    'cors/methods',
    'Allowed methods.',
    listOf(httpMethod),
    'DELETE, GET, HEAD, POST, PUT',
  ),
  // The default is CouchDB's: pages that work here should work there.
  corsHeaders: setting(
    'cors/headers',
    'Allowed request headers.',
    listOf(headerName),
    'accept, accept-language, authorization, content-length, content-range, content-type, destination, expires, ' +
      'if-match, last-modified, origin, pragma, x-couch-full-commit, x-couch-id, x-couch-persist, ' +
      'x-couchdb-www-authenticate, x-http-method-override, x-requested-with, x-couchdb-vhost-path',
  ),
  corsMaxAge: setting(
    'cors/max_age',
    'How long browsers may cache the response to a preflight request, in seconds.',
    integer(0, 2 ** 31 - 1),
    '600',
  ),

  secret: setting(
    'chttpd_auth/secret',
    'Secret that signs session cookies and proxy tokens. Random by default (SERVICE 5.2, 5.3).',
    nonEmpty,
    random,
  ),
  sessionSeconds: setting(
    'chttpd_auth/timeout',
    'Lifetime of a session cookie, in seconds.',
    integer(1, 2 ** 31 - 1),
    '600',
  ),
  persistentCookies: setting(
    'chttpd_auth/allow_persistent_cookies',
    'Whether session cookies have an expiry time, so that they outlive the browser session.',
    boolean,
    'true',
  ),
  sameSite: setting(
    'chttpd_auth/same_site',
    '`SameSite` attribute of session cookies.',
    oneOf('', 'Strict', 'Lax', 'None'),
    '',
  ),
  cookieDomain: setting('chttpd_auth/cookie_domain', '`Domain` attribute of session cookies.', domainName),
  secureCookies: setting(
    'docfeed/secure_cookies',
    'Whether session cookies have the `Secure` attribute. Use this behind a proxy that terminates TLS.',
    boolean,
    'false',
  ),
  usersDatabase: setting(
    'chttpd_auth/authentication_db',
    'Name of the users database (SERVICE 2.2).',
    nonEmpty,
    '_users',
  ),
  usersSecurityEditable: setting(
    'couchdb/users_db_security_editable',
    'Whether administrators may change the security object of the users database. It stays closed to others.',
    boolean,
    'false',
  ),
  passwordRequirements: setting(
    'chttpd_auth/password_regexp',
    'Regular expressions that a new password must match: `[{"[0-9]", "It needs a digit."}, "[a-z]"]`.',
    passwordRequirements,
    '[]',
  ),
  passwordIterations: setting(
    'chttpd_auth/iterations',
    'PBKDF2 iterations for new password hashes. Stored hashes have their own number.',
    integer(1, 10_000_000),
    '100000',
  ),
  upgradeHash: setting(
    'chttpd_auth/upgrade_hash_on_auth',
    'Whether a login replaces a stored hash of another scheme, or with other iterations, than a new one would have.',
    boolean,
    'true',
  ),
  minIterations: setting(
    'chttpd_auth/min_iterations',
    'Least number of PBKDF2 iterations of a stored password.',
    integer(1, 2 ** 31 - 1),
    '1',
  ),
  // CouchDB's default is 1000000000: ten minutes per login.
  maxIterations: setting(
    'chttpd_auth/max_iterations',
    'Greatest number of PBKDF2 iterations of a stored password.',
    integer(1, 2 ** 31 - 1),
    '1000000',
  ),
  lockoutMode: setting(
    'chttpd_auth_lockout/mode',
    'Reaction to too many failed logins of a client: reject further logins, only log them, or nothing.',
    oneOf('enforce', 'warn', 'off'),
    'enforce',
  ),
  lockoutThreshold: setting(
    'chttpd_auth_lockout/threshold',
    'Number of failed logins that lock an account for a client.',
    integer(1),
    '5',
  ),
  lockoutMs: setting(
    'chttpd_auth_lockout/max_lifetime',
    'Duration of the lockout after the first failed login, in milliseconds.',
    integer(1, 2 ** 31 - 1),
    '300000',
  ),
  proxyUseSecret: setting(
    'chttpd_auth/proxy_use_secret',
    'Whether proxy authentication requires a token (SERVICE 5.3). Without one, any client can act as any user.',
    boolean,
    'false',
  ),
  hashAlgorithms: setting(
    'chttpd_auth/hash_algorithms',
    'Hash algorithms allowed for proxy tokens (SERVICE 2.8, 5.3).',
    listOf(oneOf(...hashFunctions.keys())),
    'sha256, sha',
  ),
  proxyUserNameHeader: setting(
    'chttpd_auth/x_auth_username',
    'Name of the proxy header for the user name (SERVICE 5.3).',
    headerName,
    ({ proxyUserName }) => proxyUserName,
  ),
  proxyRolesHeader: setting(
    'chttpd_auth/x_auth_roles',
    'Name of the proxy header for the roles (SERVICE 5.3).',
    headerName,
    ({ proxyRoles }) => proxyRoles,
  ),
  proxyTokenHeader: setting(
    'chttpd_auth/x_auth_token',
    'Name of the proxy header for the token (SERVICE 5.3).',
    headerName,
    ({ proxyToken }) => proxyToken,
  ),

  requiredClaims: setting(
    'jwt_auth/required_claims',
    'Claims that a JSON Web Token must have in addition to the mandatory ones (SERVICE 5.4 rules 3, 4).',
    requiredClaims,
    'exp',
  ),
  rolesClaimName: setting(
    'jwt_auth/roles_claim_name',
    'Name of the claim with the roles (SERVICE 5.4 rule 5).',
    nonEmpty,
    ({ rolesClaim }) => rolesClaim,
  ),
  rolesClaimPath: setting(
    'jwt_auth/roles_claim_path',
    'Path of the claim with the roles. Takes precedence over the name (SERVICE 5.4 rule 6).',
    claimPath,
  ),
};

const mapSectionTable = {
  administrators: {
    section: 'admins',
    keys: '<name>',
    meaning: 'Password or its PBKDF2 hash of a server administrator.',
    parse: adminPassword,
    normalize: hashedAdminPassword,
  },
  jwtKeys: {
    section: 'jwt_keys',
    keys: '<alg_type>:<kid>',
    meaning: 'Key that verifies JSON Web Tokens (SERVICE 5.4).',
    parse: trustedKey,
  },
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
