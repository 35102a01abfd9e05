/** The rule catalogue. Generated from openapi/rules/ by `npm run generate`. */
import type { Rule as RuleEntry } from './rule.js';

export type RuleId =
  | 'root-greeting'
  | 'root-vendor'
  | 'error-shape'
  | 'response-schema'
  | 'error-selector-missing'
  | 'error-selector-not-object'
  | 'error-selector-invalid'
  | 'session-shape'
  | 'session-info-db'
  | 'session-handlers-order'
  | 'session-authenticated-by'
  | 'login-result'
  | 'login-cookie'
  | 'login-rejects'
  | 'cookie-authenticates'
  | 'cookie-tampered'
  | 'basic-accepts'
  | 'basic-rejects'
  | 'basic-set-cookie'
  | 'basic-cookie-usable'
  | 'users-create'
  | 'users-stored'
  | 'users-admin-only'
  | 'users-id-form'
  | 'proxy-userctx'
  | 'proxy-authenticated'
  | 'proxy-handler-required'
  | 'proxy-secret-recommended'
  | 'proxy-token-accepted'
  | 'proxy-token-required'
  | 'proxy-token-algorithms'
  | 'jwt-accepts'
  | 'jwt-authenticated'
  | 'jwt-handler-required'
  | 'jwt-sub-name'
  | 'jwt-sub-required'
  | 'jwt-alg-required'
  | 'jwt-alg-none'
  | 'jwt-signature'
  | 'jwt-payload-bound'
  | 'jwt-alg-bound'
  | 'jwt-kid-selects'
  | 'jwt-kid-unknown'
  | 'jwt-default-key'
  | 'jwt-required-missing'
  | 'jwt-required-validated'
  | 'jwt-unrequired-ignored'
  | 'jwt-roles-array'
  | 'jwt-roles-string'
  | 'jwt-roles-equivalent'
  | 'jwt-roles-absent'
  | 'jwt-roles-claim-name'
  | 'jwt-roles-claim-path'
  | 'jwt-key-forms'
  | 'jwt-key-name-equals'
  | 'totp-login'
  | 'totp-token-required'
  | 'totp-cookie'
  | 'feed-shape'
  | 'feed-row-shape'
  | 'feed-latest'
  | 'feed-complete'
  | 'feed-local-documents'
  | 'feed-nothing-extra'
  | 'feed-one-row'
  | 'feed-deleted'
  | 'feed-deleted-winner'
  | 'feed-last-seq'
  | 'feed-pending'
  | 'feed-since-excludes'
  | 'feed-since-resume'
  | 'feed-since-default'
  | 'feed-since-now'
  | 'feed-last-event-id'
  | 'feed-seq-any-json'
  | 'feed-limit'
  | 'feed-paging'
  | 'feed-descending'
  | 'feed-include-docs'
  | 'feed-conflicts'
  | 'feed-style-main'
  | 'feed-style-all'
  | 'feed-attachments'
  | 'feed-att-encoding'
  | 'feed-seq-interval'
  | 'feed-defaults'
  | 'feed-accept'
  | 'feed-post-same'
  | 'feed-partial-order'
  | 'feed-present-state'
  | 'feed-idempotent'
  | 'normal-immediate'
  | 'longpoll-waits'
  | 'longpoll-delivers'
  | 'longpoll-behind'
  | 'longpoll-timeout'
  | 'continuous-lines'
  | 'continuous-crlf'
  | 'continuous-behind'
  | 'continuous-live'
  | 'continuous-limit'
  | 'continuous-timeout'
  | 'heartbeat-lines'
  | 'heartbeat-overrides'
  | 'heartbeat-true'
  | 'timeout-default'
  | 'timeout-maximum'
  | 'eventsource-stream'
  | 'eventsource-live'
  | 'eventsource-heartbeat'
  | 'eventsource-last-event-id'
  | 'eventsource-limit-timeout'
  | 'feed-parameters-in-every-mode'
  | 'feed-live-converges'
  | 'filter-doc-ids'
  | 'filter-selector'
  | 'filter-design'
  | 'filter-view'
  | 'filter-function'
  | 'filter-all-docs-skip'
  | 'filter-all-docs-revs'
  | 'filter-all-docs-doc'
  | 'filter-in-every-mode'
  | 'cluster-jwt-keys'
  | 'cluster-seq-portable'
  | 'cluster-converges';

export const capabilities = [
  'admin',
  'functions',
  'attachments',
  'bulk-docs',
  'new-edits',
  'conflicts',
  'conflict-edits',
  'recreation',
  'deleted-bodies',
  'design-documents',
  'bulk-design-documents',
  'bulk-revisions',
  'unusual-ids',
  'exact-numbers',
  'config-read',
  'config-write',
  'users',
  'proxy',
  'proxy-secret',
  'jwt-hmac',
  'jwt-rsa',
  'jwt-ec',
  'jwt-required-claims',
  'totp',
  'total-order',
  'single-copy',
  'cluster',
] as const;
/** A capability that a rule can require of a target. */
export type Capability = (typeof capabilities)[number];

/** A rule with its defaults applied. */
export interface Rule
  extends Readonly<Required<Omit<RuleEntry, 'id' | 'since'>>>, Readonly<Pick<RuleEntry, 'since'>> {
  readonly id: RuleId;
  /** The area of the service that the rule is about: the name of its file. */
  readonly area: string;
  /** The sections, or items of sections, of the service document that state the rule. */
  readonly source: readonly string[];
  /** Parts of these statements that no rule checks, each with the reason. */
  readonly gaps: readonly string[];
}

export const rules: readonly Rule[] = [
  {
    needs: [],
    operations: ['getRoot'],
    components: [
      'schemas/Greeting',
      'schemas/Greeting/properties/service',
      'schemas/Greeting/properties/vendor',
    ],
    id: 'root-greeting',
    level: 'MUST',
    statements: [
      '1-greeting',
      '2.1-service',
      '2.1-uuid',
      '2.1-version',
      '2.1-vendor',
      '4.1-sends',
      '4.1-returns',
      '9-version',
    ],
    statement:
      '`GET /` returns 200 and an object with a string in the greeting field (`service`, or its name in the dialect), a hexadecimal string `uuid` (hyphens are allowed), a string `version` and an object `vendor`. This holds without an `Authorization` header and with valid credentials; additional fields are allowed.',
    area: 'root',
    source: ['1', '2.1', '4.1', '9'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getRoot'],
    components: ['schemas/Vendor', 'schemas/Vendor/properties/name', 'schemas/Vendor/properties/version'],
    id: 'root-vendor',
    level: 'MUST',
    statements: ['2.1-vendor'],
    statement:
      'In the greeting, `vendor.name` and `vendor.version` are strings. Additional fields are allowed.',
    area: 'root',
    source: ['2.1'],
    gaps: [],
  },
  {
    needs: [],
    operations: [],
    components: ['schemas/ErrorBody'],
    id: 'error-shape',
    level: 'MUST',
    statements: ['7-shape'],
    statement:
      'Every JSON response with a status of 400 or above, from any operation that the run uses, is an object with the strings `error` and `reason`. Lists from operations that the service document does not show, such as the results of `_bulk_docs`, are exempt. Operations of the service document have such a body in every error response to an administrator, except with a status that an HTTP parser or a proxy may send (such as 414 or 502). Additional fields are allowed; responses to HEAD have no body and are exempt.',
    area: 'root',
    source: ['7'],
    gaps: [],
  },
  {
    needs: [],
    operations: [],
    components: [],
    id: 'response-schema',
    level: 'MUST',
    statements: ['1-server', '2.3-ok', '2.3-name', '2.3-roles', '4.5-response-json', '9-paths'],
    statement:
      'Every response of the run contains valid JSON where JSON is declared and matches the schema for its operation, status and media type. A response whose status the description does not list is checked as an error body (see error-shape); additional fields are allowed. No valid request gets an internal error (500) each time.',
    area: 'root',
    source: ['1', '2.3', '4.5', '9'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['postChanges'],
    components: ['schemas/ChangesRequest/properties/selector', 'schemas/ErrorBody'],
    id: 'error-selector-missing',
    level: 'MUST',
    since: '2.0.0',
    statements: ['7-row-1', '7-reasons'],
    statement:
      '`POST /{db}/_changes?filter=_selector` with a JSON object without `selector` returns 400, the `error` "bad request" (space or underscore) and a `reason` that mentions the selector, such as "Selector must be specified in POST payload". For an empty body, the `reason` of any other bad request is allowed.',
    area: 'root',
    source: ['7'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['postChanges'],
    components: ['schemas/ChangesRequest/properties/selector', 'schemas/ErrorBody'],
    id: 'error-selector-not-object',
    level: 'MUST',
    since: '2.0.0',
    statements: ['7-row-2', '7-reasons'],
    statement:
      'With `filter=_selector`, a `selector` that is a string, number, boolean, null or array returns 400, the `error` "bad request" (space or underscore) and a `reason` that mentions the selector, such as "Selector error: expected a JSON object". A body that is not well-formed JSON returns 400 and the same `error`, with any `reason`.',
    area: 'root',
    source: ['7'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['postChanges'],
    components: ['schemas/ChangesRequest/properties/selector', 'schemas/ErrorBody'],
    id: 'error-selector-invalid',
    level: 'MUST',
    since: '2.0.0',
    statements: ['7-row-3', '7-reasons'],
    statement:
      'With `filter=_selector`, a `selector` object that is not a valid expression (for example an unknown `$` operator, or an operator with an argument of the wrong type) returns 400 and the `error` "bad request" (space or underscore) in every mode. The `reason` mentions the selector, as that of a selector that is no object does. The rule does not cover the empty selector.',
    area: 'root',
    source: ['7'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['schemas/UserContext', 'schemas/Session'],
    id: 'session-shape',
    level: 'MUST',
    statements: ['1-identity', '2.2-ok', '2.2-userCtx', '2.2-info', '4.2-sends', '4.2-returns'],
    statement:
      '`GET /_session` without a body returns 200 and an object with `ok: true`, an object `userCtx` with `name` and an array of strings `roles`, and an object `info`. `name` is a string for an authenticated user and may be null for an anonymous one.',
    area: 'sessions',
    source: ['1', '2.2', '4.2'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['schemas/SessionInfo/properties/authentication_db'],
    id: 'session-info-db',
    level: 'MUST',
    statements: ['2.2-info-authentication_db'],
    statement:
      'In the session, `info.authentication_db` is the name of the users database: the string `_users`.',
    area: 'sessions',
    source: ['2.2'],
    gaps: [],
  },
  {
    needs: ['config-read'],
    operations: ['getSession', 'getConfigKey'],
    components: [
      'schemas/SessionInfo/properties/authentication_handlers',
      'schemas/HttpSettings/properties/authentication_handlers',
    ],
    id: 'session-handlers-order',
    level: 'MUST',
    statements: ['2.2-info-authentication_handlers', '2.8-chttpd/authentication_handlers', '5-handlers'],
    statement:
      'In the session, `info.authentication_handlers` lists the handlers of the setting `chttpd/authentication_handlers`, each once and in the configured order. It uses the short names (`cookie`, `proxy`, `jwt`, `default`), whichever spelling the setting uses.',
    area: 'sessions',
    source: ['2.2', '2.8', '5'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['schemas/SessionInfo/properties/authenticated'],
    id: 'session-authenticated-by',
    level: 'MUST',
    statements: ['1-identity', '2.2-info-authenticated'],
    statement:
      'For an authenticated request, `info.authenticated` is the handler that authenticated it: `proxy` for proxy headers, `jwt` for a bearer token, `cookie` for the session cookie and `default` for basic authentication. The value is always a member of `info.authentication_handlers`.',
    area: 'sessions',
    source: ['1', '2.2'],
    gaps: [],
  },
  {
    needs: ['users'],
    operations: ['postSession'],
    components: ['schemas/LoginResult'],
    id: 'login-result',
    level: 'MUST',
    statements: ['2.3-ok', '2.3-name', '2.3-roles', '4.3-sends', '4.3-returns'],
    statement:
      '`POST /_session` with a JSON body that contains the correct `name` and `password` of a user succeeds and returns `ok: true`, that `name`, and in `roles` exactly the roles of the user document, in any order.',
    area: 'sessions',
    source: ['2.3', '4.3'],
    gaps: [
      'POST /_session takes name and password as JSON with Content-Type application/json: the document shows no response to a wrong login; a login that succeeds without the password would identify nobody (section 1), so only the cookie is judged',
    ],
  },
  {
    needs: ['users'],
    operations: ['postSession'],
    components: ['headers/SetCookie'],
    id: 'login-cookie',
    level: 'MUST',
    statements: ['4.3-cookie', '5.2-obtained'],
    statement:
      'The response to a successful `POST /_session` has a `Set-Cookie` header that sets a non-empty cookie named `AuthSession`. The attributes and the lifetime of the cookie are up to the server.',
    area: 'sessions',
    source: ['4.3', '5.2'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['postSession', 'getSession'],
    components: [],
    id: 'login-rejects',
    level: 'MUST',
    statements: ['4.3-sends'],
    statement:
      '`POST /_session` with a wrong password or an unknown name, or with either in a member of another name, returns no cookie that authenticates any user at `GET /_session`. The status is up to the server, and a `Set-Cookie` that clears the cookie is allowed.',
    area: 'sessions',
    source: ['4.3'],
    gaps: [
      'POST /_session takes name and password as JSON with Content-Type application/json: the document shows no response to a wrong login; a login that succeeds without the password would identify nobody (section 1), so only the cookie is judged',
    ],
  },
  {
    needs: ['users'],
    operations: ['postSession', 'getSession'],
    components: ['securitySchemes/cookie'],
    id: 'cookie-authenticates',
    level: 'MUST',
    statements: ['4.2-credentials', '4.3-cookie', '5.2-returned'],
    statement:
      'The `AuthSession` cookie of a login authenticates later requests that send it in a `Cookie` header, alone or with other cookies: `GET /_session` shows the name and roles of the user without other credentials. Its value in a cookie of another name authenticates nobody; the case of the name counts.',
    area: 'sessions',
    source: ['4.2', '4.3', '5.2'],
    gaps: [
      'clients return it from a cookie jar or in the Cookie header: a changed cookie is not the one that the server issued; unused bits of Base64 are left to the server',
    ],
  },
  {
    needs: ['users'],
    operations: ['postSession', 'getSession'],
    components: ['securitySchemes/cookie'],
    id: 'cookie-tampered',
    level: 'MUST',
    statements: ['5.2-returned'],
    statement:
      'An `AuthSession` cookie that is truncated, or whose user name, timestamp or signature bytes differ from those that the server issued, authenticates neither that user nor the user whose name it then contains. The status is up to the server; a different base64 text for the same bytes (unused bits) does not count as a difference.',
    area: 'sessions',
    source: ['5.2'],
    gaps: [
      'clients return it from a cookie jar or in the Cookie header: a changed cookie is not the one that the server issued; unused bits of Base64 are left to the server',
    ],
  },
  {
    needs: ['users'],
    operations: ['getSession'],
    components: ['securitySchemes/basic'],
    id: 'basic-accepts',
    level: 'MUST',
    statements: ['4.2-credentials', '5.1-header'],
    statement:
      '`Authorization: Basic` with the base64 of `name:password` authenticates that user, with the roles of the user document. The password is everything after the first colon, so it can contain colons; non-ASCII characters are encoded as UTF-8.',
    area: 'sessions',
    source: ['4.2', '5.1'],
    gaps: [
      'basic credentials are the base64 of user, colon and password (RFC 2617): RFC 2617 names no character set; a user document is JSON, so names and passwords are Unicode text, and UTF-8 is their only encoding in this API. Credentials that are not those of a user identify nobody (section 1).',
    ],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/basic'],
    id: 'basic-rejects',
    level: 'MUST',
    statements: ['5.1-header'],
    statement:
      'A basic authentication header with a wrong password, an unknown user, invalid base64, or no colon after decoding authenticates no user. Nor do right credentials with another scheme or in another header. The server may reject the request or serve it as anonymous.',
    area: 'sessions',
    source: ['5.1'],
    gaps: [
      'basic credentials are the base64 of user, colon and password (RFC 2617): RFC 2617 names no character set; a user document is JSON, so names and passwords are Unicode text, and UTF-8 is their only encoding in this API. Credentials that are not those of a user identify nobody (section 1).',
    ],
  },
  {
    needs: ['users'],
    operations: ['getSession'],
    components: ['headers/SetCookie', 'securitySchemes/basic'],
    id: 'basic-set-cookie',
    level: 'MUST',
    since: '3.4',
    statements: ['5.1-set-cookie', '9-3.4'],
    statement:
      'The response to a request with successful basic authentication has a `Set-Cookie` header that sets a cookie.',
    area: 'sessions',
    source: ['5.1', '9'],
    gaps: [],
  },
  {
    needs: ['users'],
    operations: ['getSession'],
    components: ['securitySchemes/basic'],
    id: 'basic-cookie-usable',
    level: 'MUST',
    since: '3.4',
    statements: ['5.1-cookie', '9-3.4'],
    statement:
      'The cookie set after successful basic authentication, sent without an `Authorization` header, authenticates the same user with the same roles. A response without a cookie violates basic-set-cookie, not this rule.',
    area: 'sessions',
    source: ['5.1', '9'],
    gaps: [],
  },
  {
    needs: ['users'],
    operations: ['putUser', 'postSession'],
    components: ['schemas/User'],
    id: 'users-create',
    level: 'MUST',
    statements: ['2.4-name', '2.4-password', '2.4-roles', '2.4-type', '4.4-admin', '4.4-creates'],
    statement:
      'An administrator can create the document `org.service.user:<name>` (with the prefix of the dialect) from `name`, `password`, `type: "user"` and an array `roles`, which may be empty. The user can then log in with that password and has those roles.',
    area: 'sessions',
    source: ['2.4', '4.4'],
    gaps: [
      'the request that creates a user is authenticated as an administrator: with basic authentication and with a cookie; the document does not say which token makes an administrator',
    ],
  },
  {
    needs: ['users'],
    operations: ['putUser', 'getUser'],
    components: ['schemas/User'],
    id: 'users-stored',
    level: 'MUST',
    statements: ['2.4-stored', '2.4-name', '2.4-roles', '2.4-type'],
    statement:
      'A created user is a document in the database `_users`: an administrator can read it there, with its id, `name`, `type: "user"` and `roles` as written. The password need not be readable, and the server may add fields.',
    area: 'sessions',
    source: ['2.4'],
    gaps: [],
  },
  {
    needs: ['admin', 'users'],
    operations: ['putUser', 'postSession'],
    components: [],
    id: 'users-admin-only',
    level: 'MUST',
    statements: ['4.4-admin'],
    statement:
      'A `PUT` of a user document with roles, sent anonymously or by a user who is not an administrator, never creates a user who can log in with those roles. The status is up to the server, and the server may create a user without roles.',
    area: 'sessions',
    source: ['4.4'],
    gaps: [
      'the request that creates a user is authenticated as an administrator: with basic authentication and with a cookie; the document does not say which token makes an administrator',
    ],
  },
  {
    needs: ['users'],
    operations: ['putUser'],
    components: ['parameters/Username', 'schemas/User/properties/_id'],
    id: 'users-id-form',
    level: 'MUST',
    statements: ['2.4-id'],
    statement:
      'A user document whose id is not the prefix `org.service.user:` (or that of the dialect) directly followed by its `name` is rejected with a status of 400 or above and is not stored, even for an administrator. Design documents of `_users` are exempt.',
    area: 'sessions',
    source: ['2.4'],
    gaps: [
      'the document id is a fixed prefix followed by the user name: the document gives the form of the id as the form of every user document, so a document of another form is no user; the check accepts any status of the refusal',
    ],
  },
  {
    needs: ['proxy'],
    operations: ['getSession'],
    components: ['securitySchemes/proxyUserName', 'securitySchemes/proxyRoles'],
    id: 'proxy-userctx',
    level: 'MUST',
    statements: ['4.2-credentials', '5.3-X-Auth-Service-UserName', '5.3-X-Auth-Service-Roles', '5.3-session'],
    statement:
      'With valid proxy headers (user name, comma-separated roles, and a token where required), the user context has exactly that name and those roles, in any order. Without the roles header, the user has no roles. Headers of other names have no effect.',
    area: 'tokens',
    source: ['4.2', '5.3'],
    gaps: [],
  },
  {
    needs: ['proxy'],
    operations: ['getSession', 'getChanges'],
    components: ['securitySchemes/proxyUserName'],
    id: 'proxy-authenticated',
    level: 'MUST',
    statements: ['2.2-info-authenticated', '4.2-no-session-request', '5.3-session'],
    statement:
      'Valid proxy headers authenticate a request on their own: `GET /_session` shows `proxy` in `info.authenticated`, and a first request to another resource that the user may read, such as `_changes`, succeeds without an earlier session request.',
    area: 'tokens',
    source: ['2.2', '4.2', '5.3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/proxyUserName'],
    id: 'proxy-handler-required',
    level: 'MUST',
    statements: ['5.3-handler'],
    statement:
      'If `proxy` is not one of the active handlers that `/_session` lists, the server ignores proxy headers, with or without a token: they authenticate no user.',
    area: 'tokens',
    source: ['5.3'],
    gaps: [],
  },
  {
    needs: ['proxy'],
    operations: ['getSession'],
    components: ['securitySchemes/proxyToken', 'schemas/AuthenticationSettings/properties/proxy_use_secret'],
    id: 'proxy-secret-recommended',
    level: 'SHOULD',
    statements: ['2.8-proxy_use_secret-recommended'],
    statement:
      'A server with proxy authentication should require a token (`proxy_use_secret`): headers with a user name and roles but without a token should authenticate no user.',
    area: 'tokens',
    source: ['2.8'],
    gaps: [],
  },
  {
    needs: ['proxy-secret'],
    operations: ['getSession'],
    components: ['securitySchemes/proxyToken', 'schemas/AuthenticationSettings/properties/hash_algorithms'],
    id: 'proxy-token-accepted',
    level: 'MUST',
    statements: ['2.8-proxy_use_secret', '2.8-chttpd_auth/hash_algorithms', '5.3-X-Auth-Service-Token'],
    statement:
      'A valid token is the lowercase hexadecimal HMAC of the UTF-8 bytes of the user name, with the shared secret as key and any of the algorithms in `chttpd_auth/hash_algorithms`.',
    area: 'tokens',
    source: ['2.8', '5.3'],
    gaps: [],
  },
  {
    needs: ['proxy-secret'],
    operations: ['getSession'],
    components: ['securitySchemes/proxyToken', 'schemas/AuthenticationSettings/properties/proxy_use_secret'],
    id: 'proxy-token-required',
    level: 'MUST',
    statements: ['2.8-proxy_use_secret', '5.3-secret'],
    statement:
      'If `proxy_use_secret` is set, proxy headers do not authenticate a user if the token is missing, empty, wrong, truncated, extended, made with another secret, or made for another user name.',
    area: 'tokens',
    source: ['2.8', '5.3'],
    gaps: [],
  },
  {
    needs: ['proxy-secret'],
    operations: ['getSession'],
    components: ['securitySchemes/proxyToken', 'schemas/AuthenticationSettings/properties/hash_algorithms'],
    id: 'proxy-token-algorithms',
    level: 'MUST',
    statements: ['2.8-chttpd_auth/hash_algorithms', '5.3-X-Auth-Service-Token'],
    statement:
      'If `proxy_use_secret` is set, an HMAC of the correct user name and secret does not authenticate a user if its algorithm is not in `chttpd_auth/hash_algorithms`.',
    area: 'tokens',
    source: ['2.8', '5.3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-accepts',
    level: 'MUST',
    statements: ['4.2-credentials', '5.4-header', '5.4-signed'],
    statement:
      'For each type of key that the target trusts (hmac, rsa, ec), the server accepts an `Authorization: Bearer` token that is signed with that key, has its `alg` and `kid`, and contains `sub` and every required claim with a valid value. With another scheme or in another header, it authenticates nobody.',
    area: 'tokens',
    source: ['4.2', '5.4'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession', 'getChanges'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-authenticated',
    level: 'MUST',
    statements: ['2.2-info-authenticated', '4.2-no-session-request', '5.4-session'],
    statement:
      'A valid bearer token authenticates a request on its own: `GET /_session` shows `jwt` in `info.authenticated`, and a first request to another resource that the user may read, such as `_changes`, succeeds without an earlier session request.',
    area: 'tokens',
    source: ['2.2', '4.2', '5.4'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-handler-required',
    level: 'MUST',
    statements: ['5.4-handler'],
    statement:
      'If `jwt` is not one of the active handlers that `/_session` lists, the server ignores bearer tokens: even a token signed with a key in `jwt_keys` authenticates no user.',
    area: 'tokens',
    source: ['5.4'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-sub-name',
    level: 'MUST',
    statements: ['5.4-rule-2'],
    statement:
      'The `sub` claim of an accepted token becomes the user name without change, for any non-empty string, including non-ASCII characters, spaces, colons and commas.',
    area: 'tokens',
    source: ['5.4 rule 2'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-sub-required',
    level: 'MUST',
    statements: ['5.4-rule-2'],
    statement: 'A token without a `sub` claim does not authenticate a user, even if it is valid otherwise.',
    area: 'tokens',
    source: ['5.4 rule 2'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-alg-required',
    level: 'MUST',
    statements: ['5.4-rule-1'],
    statement:
      'A token without `alg` in its header does not authenticate a user, even if it is signed with a trusted key.',
    area: 'tokens',
    source: ['5.4 rule 1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-alg-none',
    level: 'MUST',
    statements: ['5.4-none'],
    statement:
      'A token with the `alg` `none`, in any combination of upper and lower case, does not authenticate a user, whether its signature is empty, missing or otherwise valid.',
    area: 'tokens',
    source: ['5.4'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-signature',
    level: 'MUST',
    statements: ['2.8-jwt_keys', '5.4-signed'],
    statement:
      'A token does not authenticate a user if it is signed with a key that the server does not trust, or if its signature is empty, truncated or differs in any byte. A different base64url text for the same bytes (unused bits) does not count as a difference.',
    area: 'tokens',
    source: ['2.8', '5.4'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-payload-bound',
    level: 'MUST',
    statements: ['5.4-signed'],
    statement:
      'A token whose header or payload was changed or replaced after signing, with the original signature, authenticates neither the original user nor the new one.',
    area: 'tokens',
    source: ['5.4'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-alg-bound',
    level: 'MUST',
    statements: ['5.4-key-1-bound'],
    statement:
      'An algorithm works only with keys of its own type. In particular, a token with an HMAC `alg` that uses the text of a trusted rsa or ec public key (the PEM as configured, or with real line feeds) as its secret does not authenticate a user, with any `kid` or without one.',
    area: 'tokens',
    source: ['5.4 key rule 1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtKeys'],
    id: 'jwt-kid-selects',
    level: 'MUST',
    statements: ['5.4-rule-1', '5.4-key-1-name'],
    statement:
      'The type of `alg` and the `kid` select the key `<alg_type>:<kid>`: a token signed with a trusted key is accepted with the `kid` of that key and does not authenticate a user with the `kid` of another trusted key.',
    area: 'tokens',
    source: ['5.4 rule 1', '5.4 key rule 1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-kid-unknown',
    level: 'MUST',
    statements: ['5.4-key-1-name'],
    statement:
      'A token whose `kid` does not match a configured key of the type of its algorithm does not authenticate a user, even if it is signed with a trusted key.',
    area: 'tokens',
    source: ['5.4 key rule 1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtKeys'],
    id: 'jwt-default-key',
    level: 'MUST',
    statements: ['5.4-key-2'],
    statement:
      'A token without `kid` is verified with the key `<alg_type>:_default` only. It is accepted if signed with that key; it does not authenticate a user if signed with another trusted key or if no such default key is configured.',
    area: 'tokens',
    source: ['5.4 key rule 2'],
    gaps: [],
  },
  {
    needs: ['jwt-required-claims'],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtSettings/properties/required_claims'],
    id: 'jwt-required-missing',
    level: 'MUST',
    statements: ['2.8-required_claims', '5.4-rule-3', '7-row-4'],
    statement:
      'An otherwise valid token without one of the claims in `required_claims` returns 400. The body is up to the server.',
    area: 'tokens',
    source: ['2.8', '5.4 rule 3', '7'],
    gaps: ['a missing required claim returns 400: at the session, the greeting and the feed'],
  },
  {
    needs: ['jwt-required-claims'],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtSettings/properties/required_claims'],
    id: 'jwt-required-validated',
    level: 'MUST',
    statements: ['5.4-rule-4'],
    statement:
      'The server validates required claims: a token with a required `exp` in the past, or a required `nbf` in the future, does not authenticate a user. One minute of clock difference is allowed.',
    area: 'tokens',
    source: ['5.4 rule 4'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtSettings/properties/required_claims'],
    id: 'jwt-unrequired-ignored',
    level: 'MUST',
    statements: ['5.4-rule-4'],
    statement:
      'A claim that is neither required nor used by the server (`sub` and the roles claim are used) has no effect, whatever its value: a past `exp`, a future `nbf`, unknown names, null, numbers, arrays and nested objects leave a valid token valid and the user context unchanged.',
    area: 'tokens',
    source: ['5.4 rule 4'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-roles-array',
    level: 'MUST',
    statements: ['5.4-rule-5-default', '5.4-rule-5-forms'],
    statement:
      'If the roles claim (default: `_service.roles`, or its name in the dialect) is an array of strings, the user has exactly those roles, in any order. An empty array means no roles.',
    area: 'tokens',
    source: ['5.4 rule 5'],
    gaps: [
      'its value is an array or, from version 3.3.2, a comma-separated string; both are equivalent: a comma-separated list has the spaces around its commas for the reader only, otherwise both forms would not be equivalent',
    ],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-roles-string',
    level: 'MUST',
    since: '3.3.2',
    statements: ['5.4-rule-5-forms', '9-3.3.2'],
    statement:
      'If the roles claim is a string, the user has the roles that it lists separated by commas, in any order. Spaces around a comma are not part of a role.',
    area: 'tokens',
    source: ['5.4 rule 5', '9'],
    gaps: [
      'its value is an array or, from version 3.3.2, a comma-separated string; both are equivalent: a comma-separated list has the spaces around its commas for the reader only, otherwise both forms would not be equivalent',
    ],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-roles-equivalent',
    level: 'MUST',
    since: '3.3.2',
    statements: ['5.4-rule-5-forms', '9-3.3.2'],
    statement:
      'Two tokens whose roles claims contain the same roles, one as an array and the other joined by commas, give the same user context. The rule covers non-empty roles without commas and without leading or trailing spaces.',
    area: 'tokens',
    source: ['5.4 rule 5', '9'],
    gaps: [
      'its value is an array or, from version 3.3.2, a comma-separated string; both are equivalent: a comma-separated list has the spaces around its commas for the reader only, otherwise both forms would not be equivalent',
    ],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-roles-absent',
    level: 'MUST',
    statements: ['5.4-rule-5-claim'],
    statement:
      'A valid token without the roles claim is accepted, and the user has no roles: claims with similar names (`roles`, `role`, `groups`, `scope`, or nested objects with the parts of the claim name) have no effect.',
    area: 'tokens',
    source: ['5.4 rule 5'],
    gaps: [],
  },
  {
    needs: ['config-write'],
    operations: ['getSession', 'putConfigKey'],
    components: ['securitySchemes/bearer', 'schemas/JwtSettings/properties/roles_claim_name'],
    id: 'jwt-roles-claim-name',
    level: 'MUST',
    statements: ['2.8-roles_claim_name', '5.4-rule-5-claim'],
    statement:
      'If `roles_claim_name` is set to another claim, the roles come from that claim and not from the default claim.',
    area: 'tokens',
    source: ['2.8', '5.4 rule 5'],
    gaps: [],
  },
  {
    needs: ['config-write'],
    operations: ['getSession', 'putConfigKey'],
    components: ['securitySchemes/bearer', 'schemas/JwtSettings/properties/roles_claim_path'],
    id: 'jwt-roles-claim-path',
    level: 'MUST',
    since: '3.3',
    statements: ['2.8-roles_claim_path', '5.4-rule-6', '9-3.3-path'],
    statement:
      'If `roles_claim_path` is set, the roles come from the claim at that path, even if `roles_claim_name` is set too. The service document does not show the format of a path; checks use only the common format: names joined by dots, a backslash before a dot within a name, and tokens that contain the path.',
    area: 'tokens',
    source: ['2.8', '5.4 rule 6', '9'],
    gaps: [],
  },
  {
    needs: ['config-write'],
    operations: ['getSession', 'putConfigKey'],
    components: ['securitySchemes/bearer', 'schemas/JwtKeys'],
    id: 'jwt-key-forms',
    level: 'MUST',
    statements: ['2.8-jwt_keys', '5.4-key-3'],
    statement:
      'A key added to `jwt_keys` in its documented form is trusted: for `hmac:` the base64 of the secret, with `=` padding; for `rsa:` and `ec:` the public key as PEM, with each line feed written as the two characters `\\n`.',
    area: 'tokens',
    source: ['2.8', '5.4 key rule 3'],
    gaps: [],
  },
  {
    needs: ['config-write'],
    operations: ['getSession', 'putConfigKey'],
    components: ['securitySchemes/bearer', 'schemas/JwtKeys'],
    id: 'jwt-key-name-equals',
    level: 'MUST',
    since: '3.3',
    statements: ['5.4-key-5', '9-3.3-equals'],
    statement:
      'The name of a key in `jwt_keys` can contain `=`: a token whose `kid` contains that character is verified with the key of that name.',
    area: 'tokens',
    source: ['5.4 key rule 5', '9'],
    gaps: [],
  },
  {
    needs: ['totp'],
    operations: ['putUser', 'postSession'],
    components: ['schemas/Credentials/properties/token', 'schemas/TotpSettings'],
    id: 'totp-login',
    level: 'MUST',
    statements: ['2.4-totp', '4.3-token', '4.4-totp', '5.5-step-1', '5.5-step-2', '5.5-step-4'],
    statement:
      'A user whose document has `totp.key` (base32 with the characters A-Z and 2-7, for example 32 of them) can log in with `name`, `password` and the current one-time code as the string `token` (RFC 6238 with SHA-1, six digits, 30 seconds).',
    area: 'tokens',
    source: ['2.4', '4.3', '4.4', '5.5 step 1', '5.5 step 2', '5.5 step 4'],
    gaps: [
      'users with a TOTP key send the current code as token: an authenticator application that gets only the key uses the defaults of RFC 6238: SHA-1, six digits, 30 s; codes of up to two minutes before are left to the server',
    ],
  },
  {
    needs: ['totp'],
    operations: ['postSession', 'getSession'],
    components: ['schemas/Credentials/properties/token', 'schemas/TotpSettings'],
    id: 'totp-token-required',
    level: 'MUST',
    statements: ['4.3-token', '5.5-step-4'],
    statement:
      "For a user with `totp.key`, the correct password alone is not enough: a login without a token, with wrong digits, with a code from two minutes ago or earlier, with a code from more than two minutes in the future, or with a code of another user's key returns no cookie that authenticates, and basic authentication does not bypass the code. The status is up to the server, and a clock tolerance of three periods of 30 seconds is allowed.",
    area: 'tokens',
    source: ['4.3', '5.5 step 4'],
    gaps: [
      'users with a TOTP key send the current code as token: an authenticator application that gets only the key uses the defaults of RFC 6238: SHA-1, six digits, 30 s; codes of up to two minutes before are left to the server',
    ],
  },
  {
    needs: ['totp'],
    operations: ['postSession', 'getSession'],
    components: [],
    id: 'totp-cookie',
    level: 'MUST',
    statements: ['5.5-step-5'],
    statement:
      'The `AuthSession` cookie of a login with a one-time code authenticates that user on later requests without another code.',
    area: 'tokens',
    source: ['5.5 step 5'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangesResponse'],
    id: 'feed-shape',
    level: 'MUST',
    statements: ['2.5-results', '2.5-last_seq', '2.5-pending', '4.5-response-json'],
    statement:
      'In normal and longpoll mode, the response is one JSON object with an array `results`, a `last_seq` (any JSON value except null) and a number `pending`. Additional fields are allowed.',
    area: 'feed',
    source: ['2.5', '4.5'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangeRevision', 'schemas/ChangeRow'],
    id: 'feed-row-shape',
    level: 'MUST',
    statements: ['2.6-id', '2.6-seq', '2.6-changes'],
    statement:
      'Each row is an object with a string `id`, a `seq`, and a non-empty array `changes` of objects with a string `rev` of the form `<n>-<hash>`, where n is a positive integer and the hash is not empty, and no other field. If `deleted` is present it is a boolean; additional fields of the row are allowed.',
    area: 'feed',
    source: ['2.6'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangeRow'],
    id: 'feed-latest',
    level: 'MUST',
    statements: ['2.6-changes-main_only', '4.7-rule-3-latest'],
    statement:
      'Once all writes are done, the row of a document shows its latest state: with `main_only`, its first `rev` is the winning revision. Intermediate states can be missing; a row with an outdated state is allowed only if a later row shows the latest state.',
    area: 'feed',
    source: ['2.6', '4.7 rule 3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-complete',
    level: 'MUST',
    statements: ['1-feed', '2.6-id', '4.7-mode-1'],
    statement:
      'Without filter and limit, every document of the database that was created, updated or deleted after `since` has a row, including design documents.',
    area: 'feed',
    source: ['1', '2.6', '4.7 mode 1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-local-documents',
    level: 'SHOULD',
    statements: ['1-feed'],
    statement:
      'A local document (`_local/`), which the service document does not mention, has no row and ends no long poll: a replicator that stores its checkpoints in local documents would replicate without end.',
    area: 'feed',
    source: ['1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-nothing-extra',
    level: 'MUST',
    statements: ['1-feed', '2.6-id', '4.5-db', '4.7-mode-1'],
    statement:
      'The feed has no row for an id that was never written to this database and lists no revision that is not in the history of the document in this database. Changes of other databases never appear.',
    area: 'feed',
    source: ['1', '2.6', '4.5', '4.7 mode 1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangeRow'],
    id: 'feed-one-row',
    level: 'MUST',
    statements: ['2.5-results', '4.7-rule-3-latest'],
    statement:
      'A response in normal mode has at most one row per document, regardless of the number of its changes and conflicts: each row lists the winning revision or leaves (SERVICE 2.6), so a second row could only repeat the first. On a cluster, or after the loss of a replica, rows may repeat.',
    area: 'feed',
    source: ['2.5', '4.7 rule 3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangeRow/properties/deleted'],
    id: 'feed-deleted',
    level: 'MUST',
    statements: ['2.6-deleted', '3-deleted'],
    statement:
      'The row of a document whose winning revision is deleted has `deleted: true`. The row of any other document has no `deleted` (`false` is not allowed either).',
    area: 'feed',
    source: ['2.6', '3'],
    gaps: [],
  },
  {
    needs: ['conflicts'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Style', 'schemas/ChangeRow/properties/deleted'],
    id: 'feed-deleted-winner',
    level: 'MUST',
    statements: ['2.6-deleted-all_docs'],
    statement:
      'With `style=all_docs`, `deleted` refers to the winning revision only: a document with a live winning revision and deleted leaves has no `deleted`, and a document whose leaves are all deleted has `deleted: true`.',
    area: 'feed',
    source: ['2.6'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-last-seq',
    level: 'MUST',
    statements: ['2.5-last_seq'],
    statement:
      'In normal and longpoll mode, `last_seq` equals, as a JSON value, the `seq` of the last row of the same response, with or without `limit`, `descending` or a filter. The rule does not cover a response without rows, or one whose last `seq` is null because of `seq_interval`.',
    area: 'feed',
    source: ['2.5'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangesResponse/properties/pending'],
    id: 'feed-pending',
    level: 'MUST',
    statements: ['2.5-pending'],
    statement:
      'In normal and longpoll mode, `pending` is an integer of 0 or more, and is 0 if no row follows the response. In ascending order and without concurrent writes, `pending` without a filter is the number of rows that a request with `since=last_seq` returns; with a filter it can be any number from the remaining matching rows to all remaining rows.',
    area: 'feed',
    source: ['2.5'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Since'],
    id: 'feed-since-excludes',
    level: 'MUST',
    statements: ['4.5-since', '4.7-rule-2'],
    statement:
      'With `since`, the response contains no change at or before the given sequence. On a cluster, or on a target that has lost a replica, earlier rows may repeat.',
    area: 'feed',
    source: ['4.5', '4.7 rule 2'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Since'],
    id: 'feed-since-resume',
    level: 'MUST',
    statements: ['4.5-since', '4.7-rule-2', '4.7-rule-3-order'],
    statement:
      'A consumer can resume from any row without loss: for every row of a response, a request with the `seq` of that row as `since` returns every document whose row followed it, and every document that changed after the response.',
    area: 'feed',
    source: ['4.5', '4.7 rule 2', '4.7 rule 3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Since'],
    id: 'feed-since-default',
    level: 'MUST',
    statements: ['4.5-since-default', '8-since default'],
    statement:
      'The feed without `since` is the same as with `since=0`: every document has its row. The order of the rows and the text of each `seq` may differ.',
    area: 'feed',
    source: ['4.5', '8'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Since'],
    id: 'feed-since-now',
    level: 'MUST',
    since: '1.3.0',
    statements: ['4.5-since-now', '9-1.3.0-now'],
    statement:
      'With `since=now` in normal mode and without concurrent writes, the response has no rows. Its `last_seq`, used as `since` later, returns exactly the documents that changed after it.',
    area: 'feed',
    source: ['4.5', '9'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/LastEventIdHeader', 'parameters/LastEventId'],
    id: 'feed-last-event-id',
    level: 'MUST',
    since: '1.4.0',
    statements: ['4.5-Last-Event-ID', '4.5-last-event-id'],
    statement:
      'In normal, longpoll and continuous mode, too, the id of an event of an event stream, sent in the header `Last-Event-ID` or the query parameter `last-event-id`, starts the feed after that event and overrides `since`, whichever comes first: SERVICE 4.5 limits neither to a mode, as it does with `heartbeat` and `timeout`. The rule does not cover a request with both the header and the parameter.',
    area: 'feed',
    source: ['4.5'],
    gaps: [
      'the query parameter last-event-id is an alias of the header: which of the two counts in a request with both is not shown',
    ],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Since', 'schemas/UpdateSequence'],
    id: 'feed-seq-any-json',
    level: 'MUST',
    since: '2.0.0',
    statements: ['2.5-last_seq', '2.6-seq', '2.6-seq-opaque', '9-2.0.0-seq'],
    statement:
      'The server accepts every `seq` and `last_seq` that it returned (string, number, array or object) as `since`: a string as its plain text, any other value as its JSON text. Clients treat the value as opaque; null is not a sequence.',
    area: 'feed',
    source: ['2.5', '2.6', '9'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Limit'],
    id: 'feed-limit',
    level: 'MUST',
    statements: ['4.5-limit', '4.5-limit-0', '8-limit'],
    statement:
      'With `limit=n`, the response has at most n rows, and exactly n if n or more rows match: normal mode returns all changes (SERVICE 4.7), of which the limit only removes those above the maximum. Without the parameter there is no limit. A target may refuse `limit=0`.',
    area: 'feed',
    source: ['4.5', '8'],
    gaps: [
      'limit=0 is a maximum of no rows: in normal mode only; what ends a feed without rows in the other modes is not shown',
    ],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Limit'],
    id: 'feed-paging',
    level: 'MUST',
    statements: ['2.5-last_seq', '4.5-limit'],
    statement:
      'Without concurrent writes, a series of requests with `limit`, each with the `last_seq` of the previous response as `since`, ends with an empty response and returns every document exactly once, in its latest state. On a cluster, rows may repeat.',
    area: 'feed',
    source: ['2.5', '4.5'],
    gaps: [],
  },
  {
    needs: ['total-order'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Descending'],
    id: 'feed-descending',
    level: 'MUST',
    statements: ['4.5-descending'],
    statement:
      'With `descending=true` and without concurrent writes, the rows are those of the ascending feed in reverse order, and with `limit=n` the n most recent of them. The rule does not cover `descending` with `since`, or a target without a total order.',
    area: 'feed',
    source: ['4.5'],
    gaps: [
      'descending (default false) returns the most recent change first: the order is checked only on a target with a total order, since rows are partially ordered otherwise (4.7)',
    ],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/IncludeDocs', 'schemas/Document'],
    id: 'feed-include-docs',
    level: 'MUST',
    since: '0.11.0',
    statements: ['2.6-doc', '2.6-doc-fields', '4.5-include_docs', '9-0.11.0'],
    statement:
      'With `include_docs=true`, each row has a `doc`: the winning revision with `_id`, `_rev` and every field as written (for a deleted document at least `_deleted: true`), and no other revision even if there are conflicts. With `false` or without the parameter, rows have no `doc`.',
    area: 'feed',
    source: ['2.6', '4.5', '9'],
    gaps: [],
  },
  {
    needs: ['conflicts'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Conflicts', 'schemas/Document/properties/_conflicts'],
    id: 'feed-conflicts',
    level: 'MUST',
    since: '0.11.0',
    statements: ['4.5-conflicts'],
    statement:
      'With `include_docs=true&conflicts=true`, the `doc` of a document with live leaf revisions besides the winning one has `_conflicts`, an array of exactly those revisions in any order. For any other document `_conflicts` is missing or empty. Without `include_docs`, `conflicts` has no effect.',
    area: 'feed',
    source: ['4.5'],
    gaps: [],
  },
  {
    needs: ['conflicts'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Style', 'schemas/ChangeRevision'],
    id: 'feed-style-main',
    level: 'MUST',
    statements: ['2.6-changes-main_only', '4.5-style'],
    statement:
      'With `style=main_only` or without `style`, the `changes` of a row contain one element: the winning revision.',
    area: 'feed',
    source: ['2.6', '4.5'],
    gaps: [],
  },
  {
    needs: ['conflicts'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Style', 'schemas/ChangeRevision'],
    id: 'feed-style-all',
    level: 'MUST',
    statements: ['2.6-changes-all_docs', '4.5-style'],
    statement:
      'With `style=all_docs` and without a filter, the `changes` of a row contain exactly the leaf revisions of the document, each once and in any order: the winning revision, conflicts and deleted leaves, but no inner revisions.',
    area: 'feed',
    source: ['2.6', '4.5'],
    gaps: [],
  },
  {
    needs: ['attachments'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/IncludeAttachments', 'schemas/Attachments'],
    id: 'feed-attachments',
    level: 'MUST',
    since: '1.6.0',
    statements: ['4.5-attachments', '9-1.6.0'],
    statement:
      'With `include_docs=true&attachments=true`, each attachment of an included document has `data`, the Base64 of the bytes that were written, and is not a stub. Without `attachments`, attachments are stubs without `data`; without `include_docs`, the parameter has no effect.',
    area: 'feed',
    source: ['4.5', '9'],
    gaps: [],
  },
  {
    needs: ['attachments'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/AttEncodingInfo', 'schemas/Attachments'],
    id: 'feed-att-encoding',
    level: 'MUST',
    since: '1.6.0',
    statements: ['4.5-att_encoding_info', '9-1.6.0'],
    statement:
      'With `include_docs=true&att_encoding_info=true`, the stub of an attachment that the server stores compressed has its `encoding` and `encoded_length`; other stubs have neither. The server chooses which attachments to compress; without `include_docs`, the parameter has no effect.',
    area: 'feed',
    source: ['4.5', '9'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/SeqInterval'],
    id: 'feed-seq-interval',
    level: 'MUST',
    since: '2.0.0',
    statements: ['4.5-seq_interval', '8-seq_interval', '9-2.0.0-seq_interval'],
    statement:
      '`seq_interval=n` does not change the rows: of any n consecutive rows at least one has a `seq` that works as `since`. Only every nth row has one of its own, and besides at most one row, such as the last; the others repeat one or have null. `last_seq` always works as `since`.',
    area: 'feed',
    source: ['4.5', '8', '9'],
    gaps: [
      'with seq_interval, the sequence is computed only for every Nth row: the rows show which sequences were sent, not which were computed',
    ],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-defaults',
    level: 'MUST',
    statements: [
      '4.5-conflicts',
      '4.5-descending',
      '4.5-feed',
      '4.5-include_docs',
      '4.5-attachments',
      '4.5-att_encoding_info',
      '4.5-since-default',
      '4.5-style',
      '8-since default',
    ],
    statement:
      'A parameter with its default value of SERVICE 4.5 (`feed=normal`, `style=main_only`, `since=0`, and `false` for `conflicts`, `descending`, `include_docs`, `attachments` and `att_encoding_info`), alone or with others, returns the same rows as a request without it.',
    area: 'feed',
    source: ['4.5', '8'],
    gaps: [
      'descending (default false) returns the most recent change first: the order is checked only on a target with a total order, since rows are partially ordered otherwise (4.7)',
    ],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Accept'],
    id: 'feed-accept',
    level: 'MUST',
    statements: ['4.5-Accept'],
    statement:
      'An `Accept` header with `application/json`, `text/event-stream`, `text/plain` or a list of them changes neither the mode, which `feed` alone selects, nor the rows. It is accepted if it contains the media type of the mode: JSON in normal and longpoll mode, `text/event-stream` in eventsource mode, JSON and `text/plain` in continuous mode. Without that type, the target may answer 406. The rule does not cover other media types.',
    area: 'feed',
    source: ['4.5'],
    gaps: [
      'Accept can be application/json, text/event-stream or text/plain: a mode need not accept a header without its own media type, since the text does not say which modes have which',
    ],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-post-same',
    level: 'MUST',
    statements: ['4.6-same', '4.6-content-type'],
    statement:
      '`POST /{db}/_changes` with `Content-Type: application/json`, an empty object as body and the same query parameters returns the same rows (the order may differ where allowed), the same fields, the same `pending` and a `last_seq` of the same position as `GET`, and in the other modes the same rows.',
    area: 'feed',
    source: ['4.6'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-partial-order',
    level: 'MUST',
    statements: ['4.7-rule-3-order'],
    statement:
      'Without concurrent writes, repeated requests return the same set of rows, compared by `id`, `changes` and `deleted`. The order, the text of each `seq` and the text of `last_seq` may differ between requests.',
    area: 'feed',
    source: ['4.7 rule 3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-present-state',
    level: 'MUST',
    statements: ['4.7-mode-1', '4.7-rule-3-latest'],
    statement:
      'A response in normal mode shows the database as it is at the time of the request, whatever was written and requested before: also after documents, a filter function or the database itself were deleted and made again, and if the same request was sent before the last write. A server may use a filter function for a moment after it was replaced. On a cluster, rows may repeat.',
    area: 'feed',
    source: ['4.7 mode 1', '4.7 rule 3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-idempotent',
    level: 'MUST',
    statements: ['4.7-rule-3-latest', '4.7-rule-4-consumers'],
    statement:
      'A consumer that keeps the latest row it read for each id, and that may restart from any `seq` or `last_seq` it received and read rows again, ends with the state of the database: every document with its winning revision.',
    area: 'feed',
    source: ['4.7 rule 3', '4.7 rule 4'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Feed'],
    id: 'normal-immediate',
    level: 'MUST',
    statements: ['1-modes', '4.5-feed', '4.5-heartbeat', '4.5-timeout', '4.7-mode-1'],
    statement:
      'In normal mode, the response returns all changes after `since` immediately and ends, even if there are none. `timeout` and `heartbeat` do not apply to this mode: the server does not wait and sends no heartbeat lines.',
    area: 'modes',
    source: ['1', '4.5', '4.7 mode 1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Feed'],
    id: 'longpoll-waits',
    level: 'MUST',
    statements: ['4.7-mode-2-waits'],
    statement:
      'With `feed=longpoll` and no change after `since` that passes the filter, the request stays open until such a change or until the timeout. The server may send headers, the start of the JSON and empty lines earlier.',
    area: 'modes',
    source: ['4.7 mode 2'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'longpoll-delivers',
    level: 'MUST',
    statements: ['1-modes', '4.5-feed', '4.7-mode-2-delivers'],
    statement:
      'A waiting longpoll request returns soon after the first change that passes its filter: it sends a row for that change in one JSON object of the same form as in normal mode (leading and inner whitespace is allowed) and ends.',
    area: 'modes',
    source: ['1', '4.5', '4.7 mode 2'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'longpoll-behind',
    level: 'MUST',
    statements: ['4.7-mode-2-waits', '4.7-mode-2-delivers'],
    statement:
      'If there are changes after `since` that pass the filter when a longpoll request starts, it immediately returns what normal mode returns, and ends.',
    area: 'modes',
    source: ['4.7 mode 2'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Timeout'],
    id: 'longpoll-timeout',
    level: 'MUST',
    statements: ['4.5-timeout', '4.7-rule-1-timeout'],
    statement:
      'With `timeout=x` and without `heartbeat`, a longpoll request without a change ends after x ms, and not significantly earlier, with status 200, empty `results` and a `last_seq` from which a later request loses no change.',
    area: 'modes',
    source: ['4.5', '4.7 rule 1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Feed', 'schemas/ContinuousFeed'],
    id: 'continuous-lines',
    level: 'MUST',
    statements: ['1-modes', '4.5-feed', '4.5-response-lines', '4.7-mode-3-lines'],
    statement:
      'With `feed=continuous`, each line of the body is empty or one JSON row of the same form as in normal mode. The only other line is an object with `last_seq`, which may end the feed.',
    area: 'modes',
    source: ['1', '4.5', '4.7 mode 3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ContinuousFeed'],
    id: 'continuous-crlf',
    level: 'MUST',
    statements: ['2.7-end', '4.7-mode-3-crlf'],
    statement:
      'In a continuous feed, every line with a row ends with CRLF, and so does the object with `last_seq`, unless nothing follows it. The empty lines of a heartbeat may be a single line feed.',
    area: 'modes',
    source: ['2.7', '4.7 mode 3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'continuous-behind',
    level: 'MUST',
    statements: ['4.5-since', '4.7-mode-3-lines'],
    statement:
      'A continuous feed first immediately sends the rows that normal mode returns for the same parameters, that is the existing changes after `since`. Then it stays open.',
    area: 'modes',
    source: ['4.5', '4.7 mode 3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'continuous-live',
    level: 'MUST',
    statements: ['4.7-mode-3-open'],
    statement:
      'While a continuous feed is open, it sends a row for every changed document soon after the change, without a new request. This also holds after idle time and for repeated changes; intermediate states can be missing.',
    area: 'modes',
    source: ['4.7 mode 3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Limit', 'schemas/FeedEnd', 'schemas/ContinuousFeed'],
    id: 'continuous-limit',
    level: 'MUST',
    statements: ['2.7-end', '4.7-mode-3-limit'],
    statement:
      'A continuous feed with `limit=n` sends n rows (past or live changes), then one line with an object that has a `last_seq`, and ends. A request with that `last_seq` as `since` returns every other change, and on a target with a single copy none of the rows that were sent. A feed with a limit that its timeout ends earlier has that object, too.',
    area: 'modes',
    source: ['2.7', '4.7 mode 3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Timeout'],
    id: 'continuous-timeout',
    level: 'MUST',
    statements: ['4.5-timeout', '4.7-mode-3-open', '4.7-rule-1-timeout'],
    statement:
      'With `timeout=x` and without `heartbeat`, a continuous feed ends x ms after the last change that it sent, or x ms after its start if it sent none. Without `limit`, it may end with an object with `last_seq`; a change that the filter rejects may restart the wait.',
    area: 'modes',
    source: ['4.5', '4.7 mode 3', '4.7 rule 1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Heartbeat', 'schemas/ContinuousFeed'],
    id: 'heartbeat-lines',
    level: 'MUST',
    statements: ['4.5-heartbeat', '4.7-rule-1-heartbeat', '6-empty-line'],
    statement:
      'With `heartbeat=x`, an idle longpoll or continuous feed sends an empty line in every period of x ms, from the start of the wait, even while the filter rejects every change. Additional empty lines are allowed.',
    area: 'modes',
    source: ['4.5', '4.7 rule 1', '6'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Heartbeat', 'parameters/Timeout'],
    id: 'heartbeat-overrides',
    level: 'MUST',
    statements: ['4.5-heartbeat-overrides', '4.7-rule-1-overrides'],
    statement:
      'With both `heartbeat` and a shorter or longer `timeout`, a longpoll, continuous or eventsource feed stays open beyond the timeout, keeps sending heartbeats, and still sends a later change.',
    area: 'modes',
    source: ['4.5', '4.7 rule 1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Heartbeat'],
    id: 'heartbeat-true',
    level: 'MUST',
    statements: ['4.5-heartbeat-default', '8-heartbeat default'],
    statement:
      '`heartbeat=true` is accepted in longpoll, continuous and eventsource mode and selects the default period of 60000 ms: the server sends a heartbeat by the end of each period. An additional heartbeat at the start is allowed.',
    area: 'modes',
    source: ['4.5', '8'],
    gaps: [
      'true selects the default, 60000 ms: the whole period passes in the profile thorough only; the profile default finds a much shorter one',
    ],
  },
  {
    needs: ['config-write'],
    operations: ['getChanges', 'postChanges', 'putConfigKey'],
    components: ['parameters/Timeout', 'schemas/HttpSettings/properties/changes_timeout'],
    id: 'timeout-default',
    level: 'MUST',
    statements: ['2.8-chttpd/changes_timeout', '4.5-timeout-default', '8-timeout default maximum'],
    statement:
      'Without `timeout` and `heartbeat`, a longpoll, continuous or eventsource feed without a change ends after the time in `chttpd/changes_timeout` (in ms), if that is set.',
    area: 'modes',
    source: ['2.8', '4.5', '8'],
    gaps: ['its default is the setting chttpd/changes_timeout: the default without the setting is not shown'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Timeout'],
    id: 'timeout-maximum',
    level: 'MUST',
    statements: ['4.5-timeout-maximum', '8-timeout default maximum'],
    statement:
      'With the default configuration, a longpoll, continuous or eventsource feed without a change and with a `timeout` of more than 60000 ms ends after 60000 ms, not significantly earlier or later. A target may refuse such a `timeout`.',
    area: 'modes',
    source: ['4.5', '8'],
    gaps: [
      '60000 ms is also the default maximum: the whole period passes in the profile thorough only; how another maximum is configured is not shown',
    ],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Feed', 'schemas/EventStream'],
    id: 'eventsource-stream',
    level: 'MUST',
    since: '1.3.0',
    statements: [
      '1-modes',
      '4.5-feed',
      '4.5-response-events',
      '4.7-mode-4',
      '6-message',
      '9-1.3.0-eventsource',
    ],
    statement:
      'With `feed=eventsource`, the response has the media type `text/event-stream`, and a standard event stream parser reads one event of type `message` per change, whose data is one JSON row of the same form as in normal mode. Comments, other event types and any content of an `id` field are allowed. Anything else than events and comments is not part of an event stream, also at its end.',
    area: 'modes',
    source: ['1', '4.5', '4.7 mode 4', '6', '9'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'eventsource-live',
    level: 'MUST',
    since: '1.3.0',
    statements: ['4.7-mode-4'],
    statement:
      'An eventsource feed sends the same changes as a continuous feed in one response: first, immediately, the existing changes after `since`, then each change soon after it is made. Intermediate states can be missing.',
    area: 'modes',
    source: ['4.7 mode 4'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Heartbeat', 'schemas/EventStream'],
    id: 'eventsource-heartbeat',
    level: 'MUST',
    since: '1.3.0',
    statements: ['4.5-heartbeat', '6-heartbeat'],
    statement:
      'With `heartbeat=x`, an idle eventsource feed sends an event of type `heartbeat` in every period of x ms and no event of type `message`. The data of the event is up to the server; additional heartbeats are allowed.',
    area: 'modes',
    source: ['4.5', '6'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/LastEventIdHeader', 'parameters/LastEventId'],
    id: 'eventsource-last-event-id',
    level: 'MUST',
    since: '1.4.0',
    statements: ['4.5-Last-Event-ID', '4.5-last-event-id', '6-resume', '9-1.4.0'],
    statement:
      'In eventsource mode, each event with a row has an id: its own, or else that of the event before. That id, sent in the header `Last-Event-ID` or the query parameter `last-event-id`, resumes the feed after that event without loss and overrides `since`. The rule does not cover a request with both the header and the parameter; for other modes see feed-last-event-id.',
    area: 'modes',
    source: ['4.5', '6', '9'],
    gaps: [
      'the query parameter last-event-id is an alias of the header: which of the two counts in a request with both is not shown',
    ],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Timeout'],
    id: 'eventsource-limit-timeout',
    level: 'MUST',
    since: '1.3.0',
    statements: ['4.5-timeout', '4.7-mode-4', '4.7-rule-1-timeout'],
    statement:
      'An eventsource feed ends like a continuous feed: after `limit` rows or, with `timeout=x` and without `heartbeat`, x ms after the last change. A last event that is not a row may announce the end.',
    area: 'modes',
    source: ['4.5', '4.7 mode 4', '4.7 rule 1'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-parameters-in-every-mode',
    level: 'MUST',
    statements: [
      '4.5-doc_ids',
      '4.5-conflicts',
      '4.5-descending',
      '4.5-filter',
      '4.5-include_docs',
      '4.5-attachments',
      '4.5-att_encoding_info',
      '4.5-limit',
      '4.5-style',
      '4.5-view',
      '4.5-seq_interval',
    ],
    statement:
      'The parameters `attachments`, `att_encoding_info`, `conflicts`, `descending`, `doc_ids`, `filter`, `include_docs`, `limit`, `seq_interval`, `style` and `view` have the same effect in all four modes: a longpoll, continuous or eventsource feed returns the rows that normal mode returns for the same parameters. With `filter`, the other parameters have the same effect on the rows that remain. The rule does not cover changes that are made while a descending feed is open.',
    area: 'modes',
    source: ['4.5'],
    gaps: [
      'descending (default false) returns the most recent change first: the order is checked only on a target with a total order, since rows are partially ordered otherwise (4.7)',
      'with seq_interval, the sequence is computed only for every Nth row: the rows show which sequences were sent, not which were computed',
    ],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-live-converges',
    level: 'MUST',
    statements: ['4.7-rule-3-latest', '4.7-rule-4-consumers'],
    statement:
      'While several writers change documents, a consumer in any mode that applies rows idempotently, and that resumes from the last `seq` it read after a disconnect at any time, has the state of the database soon after the writes end: every document with its winning revision.',
    area: 'modes',
    source: ['4.7 rule 3', '4.7 rule 4'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/DocIds', 'parameters/Filter', 'schemas/ChangesRequest/properties/doc_ids'],
    id: 'filter-doc-ids',
    level: 'MUST',
    statements: ['1-filters', '4.5-doc_ids', '4.5-filter', '4.6-doc_ids', '4.8-_doc_ids'],
    statement:
      'With `filter=_doc_ids`, the rows are exactly those of the changed documents, including deleted ones, whose ids are in the query parameter `doc_ids` (a JSON array) or in the array `doc_ids` of a POST body. Unknown and duplicate ids have no effect, and an empty list returns no rows.',
    area: 'filters',
    source: ['1', '4.5', '4.6', '4.8'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['postChanges'],
    components: ['parameters/Filter', 'schemas/ChangesRequest/properties/selector'],
    id: 'filter-selector',
    level: 'MUST',
    since: '2.0.0',
    statements: ['1-filters', '4.5-filter', '4.6-selector', '4.8-_selector', '9-2.0.0-selector'],
    statement:
      'With `filter=_selector` and a `selector` in the POST body, the rows are exactly those of the changed documents whose winning revision matches the selector, with the semantics of the `_find` operators. It may name `_deleted` and `_attachments`. A deleted document whose deleted revision matches may be missing.',
    area: 'filters',
    source: ['1', '4.5', '4.6', '4.8', '9'],
    gaps: [
      'accepts only changes of documents that match the selector: whether the deletion of a document is a change of a document that matches is not shown',
    ],
  },
  {
    needs: ['design-documents'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-design',
    level: 'MUST',
    statements: ['1-filters', '4.5-filter', '4.8-_design'],
    statement:
      'With `filter=_design`, the rows are exactly those of the changed design documents (ids that start with `_design/`), including deleted ones.',
    area: 'filters',
    source: ['1', '4.5', '4.8'],
    gaps: [],
  },
  {
    needs: ['functions'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter', 'parameters/View'],
    id: 'filter-view',
    level: 'MUST',
    since: '1.2.0',
    statements: [
      '1-filters',
      '4.5-filter',
      '4.5-view',
      '4.8-_view',
      '4.8-_view-index',
      '4.8-_view-static',
      '4.8-_view-design',
      '9-1.2.0',
    ],
    statement:
      'With `filter=_view&view=<design_doc>/<view_name>`, the rows are exactly those of the changed documents, including design documents, for which the map function of the view emits at least once. The function sees `_deleted`, and stubs in `_attachments`. The result depends only on the document: view query parameters (such as `key` or `startkey`) and the user have no effect.',
    area: 'filters',
    source: ['1', '4.5', '4.8', '9'],
    gaps: [],
  },
  {
    needs: ['functions'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-function',
    level: 'MUST',
    statements: ['1-filters', '4.5-filter', '4.8-<design_doc>/<filter_name>'],
    statement:
      'With `filter=<design_doc>/<filter_name>`, the rows are exactly those of the changed documents for which the filter function, called with the document and the request, returns true. As in filters of replications, the document has `_id`, `_rev`, `_deleted`, stubs in `_attachments`, and `_revisions` that begins with its own revision. The request object has `method`, `path`, `requested_path`, `raw_path`, `query`, `headers`, `body`, `form`, `cookie`, `peer`, `info`, `id`, `uuid`, `userCtx` and `secObj`; query parameters without a meaning of their own are the strings of the URL. The rule does not cover results other than true and false.',
    area: 'filters',
    source: ['1', '4.5', '4.8'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-all-docs-skip',
    level: 'MUST',
    statements: ['4.8-rule-1'],
    statement:
      'With `style=all_docs` and a filter, a document without a leaf revision that passes the filter has no row.',
    area: 'filters',
    source: ['4.8 rule 1'],
    gaps: [],
  },
  {
    needs: ['conflicts'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-all-docs-revs',
    level: 'MUST',
    statements: ['4.8-rule-2'],
    statement:
      'With `style=all_docs` and a filter, the row of a document with at least one leaf revision that passes lists in `changes` exactly the leaf revisions that pass, even if the winning revision is not one of them.',
    area: 'filters',
    source: ['4.8 rule 2'],
    gaps: [],
  },
  {
    needs: ['conflicts'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-all-docs-doc',
    level: 'MUST',
    since: '0.11.0',
    statements: ['4.8-rule-3'],
    statement:
      'With `style=all_docs`, `include_docs=true` and a filter, the `doc` of a row is the winning revision, even if that revision does not pass the filter and is not in `changes`.',
    area: 'filters',
    source: ['4.8 rule 3'],
    gaps: [],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-in-every-mode',
    level: 'MUST',
    statements: ['1-filters', '4.8-modes'],
    statement:
      'A filter accepts and rejects the same documents in all four modes, both for past changes and for changes made while the feed is open. A change that the filter rejects does not end a longpoll request.',
    area: 'filters',
    source: ['1', '4.8'],
    gaps: [],
  },
  {
    needs: ['cluster'],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtKeys'],
    id: 'cluster-jwt-keys',
    level: 'MUST',
    statements: ['5.4-key-4'],
    statement:
      'A token that one node accepts is accepted by every node, with the same user name and the same roles.',
    area: 'cluster',
    source: ['5.4 key rule 4'],
    gaps: [],
  },
  {
    needs: ['cluster'],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'cluster-seq-portable',
    level: 'MUST',
    statements: ['4.7-rule-2', '4.7-rule-4-replicas'],
    statement:
      'A `seq` or `last_seq` from one node works as `since` on every other node: every document that changed after it eventually has a row there. Earlier rows may repeat.',
    area: 'cluster',
    source: ['4.7 rule 2', '4.7 rule 4'],
    gaps: [
      'if replicas are unavailable, others continue from a checkpoint, and rows may repeat: checks change between nodes and accept repeated rows, but cannot stop a node of the target',
    ],
  },
  {
    needs: ['cluster'],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'cluster-converges',
    level: 'MUST',
    statements: ['4.7-rule-3-latest', '4.7-rule-4-replicas', '4.7-rule-4-consumers'],
    statement:
      'With writers on all nodes, a consumer that applies rows idempotently and connects to another node after every disconnect has the state of the database soon after the writes end. Rows may repeat, arrive in any order, and show an older revision after a newer one if the latest one comes last.',
    area: 'cluster',
    source: ['4.7 rule 3', '4.7 rule 4'],
    gaps: [
      'if replicas are unavailable, others continue from a checkpoint, and rows may repeat: checks change between nodes and accept repeated rows, but cannot stop a node of the target',
    ],
  },
];
