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
/** What a target may have to offer for a rule to be checked. */
export type Capability = (typeof capabilities)[number];

/** A rule with its defaults applied. */
export interface Rule
  extends Readonly<Required<Omit<RuleEntry, 'id' | 'since'>>>, Readonly<Pick<RuleEntry, 'since'>> {
  readonly id: RuleId;
  /** The sections, or items of sections, of the service document that state the rule. */
  readonly source: readonly string[];
}

export const rules: readonly Rule[] = [
  {
    needs: [],
    operations: ['getRoot'],
    components: ['schemas/Greeting', 'schemas/Greeting/properties/service'],
    id: 'root-greeting',
    level: 'MUST',
    statement:
      "`GET /` answers 200 with an object whose greeting field (`service`, or the dialect's own word) is a string, `uuid` is a string of hexadecimal digits (hyphens may separate them), `version` is a string and `vendor` is an object. It does so without an `Authorization` header as well as with right credentials. Further fields are allowed.",
    source: ['1', '2.1', '4.1', '9'],
  },
  {
    needs: [],
    operations: ['getRoot'],
    components: ['schemas/Vendor'],
    id: 'root-vendor',
    level: 'MUST',
    statement:
      'In the greeting, `vendor.name` and `vendor.version` are both present and strings. Further fields are allowed.',
    source: ['2.1'],
  },
  {
    needs: [],
    operations: [],
    components: ['schemas/Error'],
    id: 'error-shape',
    level: 'MUST',
    statement:
      'Every response with a status of 400 or above and a JSON body, from any operation used during the run, is an object with the strings `error` and `reason`. Further fields are allowed; a HEAD response has no body to judge.',
    source: ['7'],
  },
  {
    needs: [],
    operations: [],
    components: [],
    id: 'response-schema',
    level: 'MUST',
    statement:
      'Every response of the run that the description lists for its operation, status and media type fits the schema given there, and its JSON can be parsed. A status that the description does not list is judged as an error body (see error-shape), and fields that the description does not name are allowed.',
    source: ['1', '2.3', '4.5', '9'],
  },
  {
    needs: [],
    operations: ['postChanges'],
    components: ['schemas/ChangesRequest/properties/selector'],
    id: 'error-selector-missing',
    level: 'MUST',
    since: '2.0.0',
    statement:
      '`POST /{db}/_changes?filter=_selector` with a JSON object that has no `selector` member is refused with 400, an `error` of "bad request" (blank or underscore) and a `reason` that speaks of the selector, such as "Selector must be specified in POST payload". For an entirely empty body the reason may be that of another bad request.',
    source: ['7'],
  },
  {
    needs: [],
    operations: ['postChanges'],
    components: ['schemas/ChangesRequest/properties/selector'],
    id: 'error-selector-not-object',
    level: 'MUST',
    since: '2.0.0',
    statement:
      'With `filter=_selector`, a `selector` that is a string, number, boolean, null or array is refused with 400, an `error` of "bad request" (blank or underscore) and a `reason` that speaks of the selector, such as "Selector error: expected a JSON object".',
    source: ['7'],
  },
  {
    needs: [],
    operations: ['postChanges'],
    components: ['schemas/ChangesRequest/properties/selector'],
    id: 'error-selector-invalid',
    level: 'MUST',
    since: '2.0.0',
    statement:
      'With `filter=_selector`, a `selector` object that is no valid expression (for instance an unknown `$` operator, or a known one with an argument of the wrong kind) is refused with 400 and an `error` of "bad request" (blank or underscore). The wording of the `reason` is free as long as it speaks of the selector or of what is wrong in it.',
    source: ['7'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['schemas/UserContext', 'schemas/Session'],
    id: 'session-shape',
    level: 'MUST',
    statement:
      '`GET /_session` without a body answers 200 with `ok: true`, an object `userCtx` that holds `name` and an array `roles` of strings, and an object `info`. For an authenticated caller `name` is a string; for an anonymous one it may be null.',
    source: ['1', '2.2', '4.2'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['schemas/SessionInfo/properties/authentication_db'],
    id: 'session-info-db',
    level: 'MUST',
    statement:
      'The `info` object of the session has `authentication_db`, the name of the users database: the string `_users`.',
    source: ['2.2'],
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
    statement:
      '`info.authentication_handlers` of the session lists the handlers that are configured in `chttpd/authentication_handlers`, each once and in the configured order, by their short names (`cookie`, `proxy`, `jwt`, `default`) whichever spelling the configuration uses.',
    source: ['2.2', '2.8', '5'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['schemas/SessionInfo/properties/authenticated'],
    id: 'session-authenticated-by',
    level: 'MUST',
    statement:
      'For an authenticated request `info.authenticated` names the handler that did it: `proxy` for proxy headers, `jwt` for a bearer token, `cookie` for the session cookie, and for basic authentication `default`. The value is always a member of `info.authentication_handlers`.',
    source: ['1', '2.2'],
  },
  {
    needs: ['users'],
    operations: ['postSession'],
    components: ['schemas/LoginResult'],
    id: 'login-result',
    level: 'MUST',
    statement:
      '`POST /_session` with a JSON body holding the right `name` and `password` of a user succeeds with `ok: true`, that `name`, and as `roles` an array with exactly the roles of the user document, in any order.',
    source: ['2.3', '4.3'],
  },
  {
    needs: ['users'],
    operations: ['postSession'],
    components: ['headers/SetCookie'],
    id: 'login-cookie',
    level: 'MUST',
    statement:
      'The response to a successful `POST /_session` has a `Set-Cookie` header that sets a non-empty cookie named `AuthSession`. Its attributes and lifetime are free.',
    source: ['4.3', '5.2'],
  },
  {
    needs: [],
    operations: ['postSession', 'getSession'],
    components: [],
    id: 'login-rejects',
    level: 'MUST',
    statement:
      '`POST /_session` with a wrong password, or with a name that no user has, yields no cookie that authenticates anybody at `GET /_session`. The status is free, and so is a `Set-Cookie` that empties the cookie.',
    source: ['4.3'],
  },
  {
    needs: ['users'],
    operations: ['postSession', 'getSession'],
    components: ['securitySchemes/cookie'],
    id: 'cookie-authenticates',
    level: 'MUST',
    statement:
      "The `AuthSession` cookie of a login, sent back in a `Cookie` header alone or among other cookies, makes later requests run as that user: `GET /_session` shows the user's name and roles, without any other credentials.",
    source: ['4.2', '4.3', '5.2'],
  },
  {
    needs: ['users'],
    operations: ['postSession', 'getSession'],
    components: ['securitySchemes/cookie'],
    id: 'cookie-tampered',
    level: 'MUST',
    statement:
      "An `AuthSession` cookie in which the bytes of the user's name, of the time or of the signature differ anywhere from what the server issued, or which is cut short, does not authenticate as that user nor as the one it then names. The status is free. A change of the text that decodes to the same bytes (unused bits of base64) is no change.",
    source: ['5.2'],
  },
  {
    needs: ['users'],
    operations: ['getSession'],
    components: ['securitySchemes/basic'],
    id: 'basic-accepts',
    level: 'MUST',
    statement:
      '`Authorization: Basic` followed by the base64 of `name:password` authenticates that user with the roles of the user document. The password is everything after the first colon, so it may hold colons; non-ASCII characters are sent as UTF-8.',
    source: ['4.2', '5.1'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/basic'],
    id: 'basic-rejects',
    level: 'MUST',
    statement:
      'A basic header with a wrong password, an unknown user, text that is not base64, or no colon after decoding authenticates nobody. Whether the request is then refused or served as anonymous is free.',
    source: ['5.1'],
  },
  {
    needs: ['users'],
    operations: ['getSession'],
    components: ['headers/SetCookie', 'securitySchemes/basic'],
    id: 'basic-set-cookie',
    level: 'MUST',
    since: '3.4',
    statement:
      'The response to a request that succeeded with basic authentication has a `Set-Cookie` header with a cookie.',
    source: ['5.1', '9'],
  },
  {
    needs: ['users'],
    operations: ['getSession'],
    components: ['securitySchemes/basic'],
    id: 'basic-cookie-usable',
    level: 'MUST',
    since: '3.4',
    statement:
      'The cookie that a successful basic authentication set, sent back without an `Authorization` header, authenticates the same user with the same roles. A response without that cookie is a matter for basic-set-cookie.',
    source: ['5.1', '9'],
  },
  {
    needs: ['users'],
    operations: ['putUser', 'postSession'],
    components: ['schemas/User'],
    id: 'users-create',
    level: 'MUST',
    statement:
      'An administrator can create the document `org.service.user:<name>` (with the dialect\'s prefix) from `name`, `password`, `type: "user"` and `roles`, an array that may be empty. After that the user can log in with this password and has these roles.',
    source: ['2.4', '4.4'],
  },
  {
    needs: ['users'],
    operations: ['putUser', 'getDocument'],
    components: ['schemas/User'],
    id: 'users-stored',
    level: 'MUST',
    statement:
      'A user that was created is a document of the database `_users`: an administrator who reads it there finds its id, `name`, `type: "user"` and `roles` as written. The password need not be readable, and other fields may be added.',
    source: ['2.4'],
  },
  {
    needs: ['admin', 'users'],
    operations: ['putUser', 'postSession'],
    components: [],
    id: 'users-admin-only',
    level: 'MUST',
    statement:
      'A `PUT` of a user document with roles by somebody who is no administrator (anonymous or an ordinary user) never brings about a user who can log in with those roles. The status is free, and so is creating a user without roles.',
    source: ['4.4'],
  },
  {
    needs: ['users'],
    operations: ['putUser'],
    components: ['parameters/Username', 'schemas/User/properties/_id'],
    id: 'users-id-form',
    level: 'MUST',
    statement:
      "A user document whose id is not the prefix `org.service.user:` (or the dialect's) directly followed by its `name` is refused with a status of 400 or above and not stored, also for an administrator. Design documents of `_users` are not meant.",
    source: ['2.4'],
  },
  {
    needs: ['proxy'],
    operations: ['getSession'],
    components: ['securitySchemes/proxyUserName', 'securitySchemes/proxyRoles'],
    id: 'proxy-userctx',
    level: 'MUST',
    statement:
      'With valid proxy headers (user name, comma-separated roles, and a token where one is required), the user context has exactly that name and, in any order, those roles. An absent roles header gives no roles.',
    source: ['4.2', '5.3'],
  },
  {
    needs: ['proxy'],
    operations: ['getSession', 'getChanges'],
    components: ['securitySchemes/proxyUserName'],
    id: 'proxy-authenticated',
    level: 'MUST',
    statement:
      'A request with valid proxy headers is authenticated by itself: `GET /_session` shows `info.authenticated` as `proxy`, and a first request to any other resource, such as a `_changes` feed open to that user, is served without an earlier session request.',
    source: ['2.2', '4.2', '5.3'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/proxyUserName'],
    id: 'proxy-handler-required',
    level: 'MUST',
    statement:
      'Where `proxy` is not among the active handlers that `/_session` lists, proxy headers of any content, with or without a token, are ignored: they authenticate nobody.',
    source: ['5.3'],
  },
  {
    needs: ['proxy'],
    operations: ['getSession'],
    components: ['securitySchemes/proxyToken', 'schemas/AuthenticationSettings/properties/proxy_use_secret'],
    id: 'proxy-secret-recommended',
    level: 'SHOULD',
    statement:
      'A server that offers proxy authentication should demand a token (`proxy_use_secret`): user name and roles headers without a token authenticate nobody.',
    source: ['2.8'],
  },
  {
    needs: ['proxy-secret'],
    operations: ['getSession'],
    components: ['securitySchemes/proxyToken', 'schemas/AuthenticationSettings/properties/hash_algorithms'],
    id: 'proxy-token-accepted',
    level: 'MUST',
    statement:
      "The lower-case hexadecimal HMAC of the user name's UTF-8 bytes, keyed with the shared secret and made with any one of the algorithms in `chttpd_auth/hash_algorithms`, is a valid token for that user name.",
    source: ['2.8', '5.3'],
  },
  {
    needs: ['proxy-secret'],
    operations: ['getSession'],
    components: ['securitySchemes/proxyToken', 'schemas/AuthenticationSettings/properties/proxy_use_secret'],
    id: 'proxy-token-required',
    level: 'MUST',
    statement:
      'Where `proxy_use_secret` is set, proxy headers with no token, an empty one, a wrong one, one that is cut short or lengthened, one keyed with another secret, or the token of another user name are not authenticated.',
    source: ['2.8', '5.3'],
  },
  {
    needs: ['proxy-secret'],
    operations: ['getSession'],
    components: ['securitySchemes/proxyToken', 'schemas/AuthenticationSettings/properties/hash_algorithms'],
    id: 'proxy-token-algorithms',
    level: 'MUST',
    statement:
      'Where `proxy_use_secret` is set, an HMAC of the right user name and secret made with an algorithm that is not in `chttpd_auth/hash_algorithms` is not authenticated.',
    source: ['2.8', '5.3'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-accepts',
    level: 'MUST',
    statement:
      'For each kind of key that the target trusts (hmac, rsa, ec), `Authorization: Bearer` with a token that is signed by that key, names its `alg` and `kid`, and carries `sub` and every required claim with a valid value is accepted.',
    source: ['4.2', '5.4'],
  },
  {
    needs: [],
    operations: ['getSession', 'getChanges'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-authenticated',
    level: 'MUST',
    statement:
      'A request with a valid bearer token is authenticated by itself: `GET /_session` shows `info.authenticated` as `jwt`, and a first request to any other resource, such as a `_changes` feed open to that user, is served without an earlier session request.',
    source: ['2.2', '4.2', '5.4'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-handler-required',
    level: 'MUST',
    statement:
      'Where `jwt` is not among the active handlers that `/_session` lists, bearer tokens are ignored: even one signed by a key in `jwt_keys` authenticates nobody.',
    source: ['5.4'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-sub-name',
    level: 'MUST',
    statement:
      'The `sub` of an accepted token is the user name in the user context, unchanged, for any non-empty string, including non-ASCII characters, blanks, colons and commas.',
    source: ['5.4 rule 2'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-sub-required',
    level: 'MUST',
    statement: 'A token without a `sub` claim is not authenticated, even if everything else in it is valid.',
    source: ['5.4 rule 2'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-alg-required',
    level: 'MUST',
    statement:
      'A token whose header has no `alg` is not authenticated, even if a trusted key made its signature.',
    source: ['5.4 rule 1'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-alg-none',
    level: 'MUST',
    statement:
      'A token whose `alg` is `none`, in any mixture of upper and lower case and with an empty, absent or otherwise valid signature part, is not authenticated.',
    source: ['5.4'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-signature',
    level: 'MUST',
    statement:
      "A token signed by a key that the server does not trust, or whose signature is empty, cut short or different in any byte, is not authenticated. A change of the signature's text that decodes to the same bytes (unused bits of base64url) is no change.",
    source: ['2.8', '5.4'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-payload-bound',
    level: 'MUST',
    statement:
      'A token whose header or payload was replaced or changed after signing, the signature being kept, is not authenticated: neither as the old user nor as the new one.',
    source: ['5.4'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-alg-bound',
    level: 'MUST',
    statement:
      'An algorithm works only with keys of its own kind. In particular a token with an HMAC `alg`, signed with the text of a trusted rsa or ec public key (PEM as configured or with real line feeds) as the secret, is not authenticated with any `kid` or none.',
    source: ['5.4 key rule 1'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtKeys'],
    id: 'jwt-kid-selects',
    level: 'MUST',
    statement:
      "The kind of `alg` and the `kid` together select the key named `<alg_type>:<kid>`: a token signed by a trusted key is accepted under that key's own `kid` and not authenticated under the `kid` of a different trusted key.",
    source: ['5.4 rule 1', '5.4 key rule 1'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-kid-unknown',
    level: 'MUST',
    statement:
      "A token whose `kid` names no configured key of its algorithm's kind is not authenticated, even if it is signed by a trusted key.",
    source: ['5.4 key rule 1'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtKeys'],
    id: 'jwt-default-key',
    level: 'MUST',
    statement:
      'A token without `kid` is validated against the key `<alg_type>:_default` and no other: signed by that key it is accepted, signed by any other trusted key, or where no such default is configured, it is not authenticated.',
    source: ['5.4 key rule 2'],
  },
  {
    needs: ['jwt-required-claims'],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtSettings/properties/required_claims'],
    id: 'jwt-required-missing',
    level: 'MUST',
    statement:
      'An otherwise valid token that lacks any one of the claims named in `required_claims` is answered with status 400. The body is free.',
    source: ['2.8', '5.4 rule 3', '7'],
  },
  {
    needs: ['jwt-required-claims'],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtSettings/properties/required_claims'],
    id: 'jwt-required-validated',
    level: 'MUST',
    statement:
      'A required claim is validated: where `exp` is required a token with an `exp` in the past, and where `nbf` is required one with an `nbf` in the future, is not authenticated. A minute of clock difference is allowed for.',
    source: ['5.4 rule 4'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtSettings/properties/required_claims'],
    id: 'jwt-unrequired-ignored',
    level: 'MUST',
    statement:
      'A claim that is neither required nor given a meaning (`sub`, the roles claim) has no influence whatever its value: a past `exp`, a future `nbf`, unknown names, null, numbers, arrays and nested objects leave a valid token valid and the user context unchanged.',
    source: ['5.4 rule 4'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-roles-array',
    level: 'MUST',
    statement:
      "The roles claim (`_service.roles`, or the dialect's name, unless configured otherwise) as an array of strings gives exactly those roles, in any order. An empty array gives none.",
    source: ['5.4 rule 5'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-roles-string',
    level: 'MUST',
    since: '3.3.2',
    statement:
      'The roles claim as a string gives the roles between its commas, in any order. Blanks around a comma are not part of a role.',
    source: ['5.4 rule 5', '9'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-roles-equivalent',
    level: 'MUST',
    since: '3.3.2',
    statement:
      'Two tokens that differ only in the form of the roles claim, an array or the same roles joined by commas, give the same user context. Judged for roles that are not empty and hold no comma and no blank at either end.',
    source: ['5.4 rule 5', '9'],
  },
  {
    needs: [],
    operations: ['getSession'],
    components: ['securitySchemes/bearer'],
    id: 'jwt-roles-absent',
    level: 'MUST',
    statement:
      "A valid token without the roles claim is accepted with no roles; claims of similar names (`roles`, `role`, `groups`, `scope`, or the claim's parts as nested objects) give none.",
    source: ['5.4 rule 5'],
  },
  {
    needs: ['config-write'],
    operations: ['getSession', 'putConfigKey'],
    components: ['securitySchemes/bearer', 'schemas/JwtSettings/properties/roles_claim_name'],
    id: 'jwt-roles-claim-name',
    level: 'MUST',
    statement:
      'With `roles_claim_name` set to another claim, the roles come from that claim and no longer from the default one.',
    source: ['2.8', '5.4 rule 5'],
  },
  {
    needs: ['config-write'],
    operations: ['getSession', 'putConfigKey'],
    components: ['securitySchemes/bearer', 'schemas/JwtSettings/properties/roles_claim_path'],
    id: 'jwt-roles-claim-path',
    level: 'MUST',
    since: '3.3',
    statement:
      'With `roles_claim_path` set, roles come from the claim at that path, also when `roles_claim_name` is set as well. The service document does not show the format of a path, so a check uses only what real servers share: names joined by dots, a dot inside a name escaped by a backslash, and tokens in which the path exists.',
    source: ['2.8', '5.4 rule 6', '9'],
  },
  {
    needs: ['config-write'],
    operations: ['getSession', 'putConfigKey'],
    components: ['securitySchemes/bearer', 'schemas/JwtKeys'],
    id: 'jwt-key-forms',
    level: 'MUST',
    statement:
      'A key put into `jwt_keys` is trusted in its documented form: for `hmac:` the base64 of the secret, `=` padding included; for `rsa:` and `ec:` the public key as PEM with each line feed written as the two characters `\\n`.',
    source: ['2.8', '5.4 key rule 3'],
  },
  {
    needs: ['config-write'],
    operations: ['getSession', 'putConfigKey'],
    components: ['securitySchemes/bearer', 'schemas/JwtKeys'],
    id: 'jwt-key-name-equals',
    level: 'MUST',
    since: '3.3',
    statement:
      'The name of a key in `jwt_keys` may hold `=`: a token whose `kid` holds that character is accepted by the key of that name.',
    source: ['5.4 key rule 5', '9'],
  },
  {
    needs: ['totp'],
    operations: ['putUser', 'postSession'],
    components: ['schemas/Credentials/properties/token', 'schemas/TotpSettings'],
    id: 'totp-login',
    level: 'MUST',
    statement:
      'A user whose document has `totp.key`, base32 text over A to Z and 2 to 7 such as 32 characters, logs in with `name`, `password` and, as the string `token`, the current one-time code (RFC 6238 with SHA-1, six digits, 30 seconds).',
    source: ['2.4', '4.3', '4.4', '5.5 step 1', '5.5 step 2', '5.5 step 4'],
  },
  {
    needs: ['totp'],
    operations: ['postSession', 'getSession'],
    components: ['schemas/Credentials/properties/token', 'schemas/TotpSettings'],
    id: 'totp-token-required',
    level: 'MUST',
    statement:
      "For a user with `totp.key` the right password alone does not do: no token, wrong digits, a code of ten minutes ago or the code of another user's key yields no cookie that authenticates, and basic authentication does not get round the code. The status is free, and so is a tolerance of a few periods for the clock.",
    source: ['4.3', '5.5 step 4'],
  },
  {
    needs: ['totp'],
    operations: ['postSession', 'getSession'],
    components: [],
    id: 'totp-cookie',
    level: 'MUST',
    statement:
      'The `AuthSession` cookie of a login with a one-time code authenticates that user on later requests without a further code.',
    source: ['5.5 step 5'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangesResponse'],
    id: 'feed-shape',
    level: 'MUST',
    statement:
      'In normal and long polling mode the answer is one JSON object with an array `results`, a `last_seq` (any JSON value but null) and a number `pending`. Further fields are allowed.',
    source: ['2.5', '4.5'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangeRevision', 'schemas/ChangeRow'],
    id: 'feed-row-shape',
    level: 'MUST',
    statement:
      'Each row is an object with a string `id`, a `seq`, and a non-empty array `changes` of objects with a string `rev` of the form `<n>-<hash>`, n being a positive integer and the hash not empty. `deleted` is a boolean where present; further fields are allowed.',
    source: ['2.6'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangeRow'],
    id: 'feed-latest',
    level: 'MUST',
    statement:
      'Once writing has ended, the row of a document shows its state at that moment: its first `rev` with `main_only` is the winning revision. Intermediate states may be missing; an outdated state may only be followed by the current one in a later row.',
    source: ['2.6', '4.7 rule 3'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-complete',
    level: 'MUST',
    statement:
      'Without filter and limit, every document of the database that was created, updated or deleted after `since` has a row, design documents included. Local documents (`_local/`) have none.',
    source: ['1', '4.7 mode 1'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-nothing-extra',
    level: 'MUST',
    statement:
      "A feed has no row for an id that was never written to this very database, and lists no revision that is not in that document's history there; a database of another name never shows through.",
    source: ['1', '4.5', '4.7 mode 1'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangeRow'],
    id: 'feed-one-row',
    level: 'MUST',
    statement:
      'One answer in normal mode has at most one row for each document, however often it was changed and whatever conflicts it has. On a cluster, or after a replica was lost, a document may repeat.',
    source: ['2.5', '4.7 rule 3'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangeRow/properties/deleted'],
    id: 'feed-deleted',
    level: 'MUST',
    statement:
      'The row of a document whose winning revision is a deletion has `deleted: true`; the row of any other document has no member `deleted` (not `false` either).',
    source: ['2.6', '3'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Style', 'schemas/ChangeRow/properties/deleted'],
    id: 'feed-deleted-winner',
    level: 'MUST',
    statement:
      "With `style=all_docs` a row's `deleted` speaks of the winning revision alone: a live winner beside deleted leaves has no `deleted`, and a document whose leaves are all deleted has `deleted: true`.",
    source: ['2.6'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-last-seq',
    level: 'MUST',
    statement:
      '`last_seq` equals, as a JSON value, the `seq` of the last row of the same answer, with or without `limit`, `descending` or a filter. For an answer without rows, or whose last `seq` is null under `seq_interval`, nothing is said.',
    source: ['2.5'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ChangesResponse/properties/pending'],
    id: 'feed-pending',
    level: 'MUST',
    statement:
      '`pending` is an integer of 0 or more, and 0 when nothing follows the answer. Without a filter, on a database at rest and in ascending order, it is the number of rows that a call with `since=last_seq` would give; with a filter anything from the number of matching rows left to the number of all rows left is right.',
    source: ['2.5'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Since'],
    id: 'feed-since-excludes',
    level: 'MUST',
    statement:
      'With `since`, no row whose change lies at or before the given sequence is returned. On several nodes, and on a target that lost a replica, rows seen before may appear again.',
    source: ['4.5', '4.7 rule 2'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Since'],
    id: 'feed-since-resume',
    level: 'MUST',
    statement:
      "Resuming from any row loses nothing: for every row of an answer, a call with that row's `seq` as `since` returns every document that had its row after it in that answer, and every document changed since.",
    source: ['4.5', '4.7 rule 2', '4.7 rule 3'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Since'],
    id: 'feed-since-default',
    level: 'MUST',
    statement:
      'Without `since` the feed is the same as with `since=0`: every document has its row. The order of rows and the text of their `seq` may differ.',
    source: ['4.5', '8'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Since'],
    id: 'feed-since-now',
    level: 'MUST',
    since: '1.3.0',
    statement:
      'With `since=now` in normal mode a database at rest gives no row, and the `last_seq` of that answer, used as `since` later, gives exactly the documents changed after it.',
    source: ['4.5', '9'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Since', 'schemas/UpdateSequence'],
    id: 'feed-seq-any-json',
    level: 'MUST',
    since: '2.0.0',
    statement:
      'Whatever JSON value a `seq` or `last_seq` is (string, number, array or object), it is understood when it is sent back as `since`: a string as its bare text, any other value as its JSON text. Clients need not look into it, and null is no such value.',
    source: ['2.5', '2.6', '9'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Limit'],
    id: 'feed-limit',
    level: 'MUST',
    statement:
      'With `limit=n`, n being 1 or more, an answer has at most n rows, and exactly n when n or more match. There is no limit without the parameter. `limit=0` is not judged.',
    source: ['4.5', '8'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Limit'],
    id: 'feed-paging',
    level: 'MUST',
    statement:
      'On a database at rest, calls with `limit` that each continue from the `last_seq` before come to an end with an empty answer, having shown every document exactly once, in its current state. On several nodes repeats are allowed.',
    source: ['2.5', '4.5'],
  },
  {
    needs: ['total-order'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Descending'],
    id: 'feed-descending',
    level: 'MUST',
    statement:
      'With `descending=true` the rows come most recent first: on a database at rest they are the ascending rows reversed, and with `limit=n` the n newest of them. How it combines with `since` is not judged, nor is the order on a target without a total order.',
    source: ['4.5'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/IncludeDocs', 'schemas/Document'],
    id: 'feed-include-docs',
    level: 'MUST',
    since: '0.11.0',
    statement:
      'With `include_docs=true` each row has a `doc`: the winning revision with `_id`, `_rev` and every field as it was written, for a deleted document at least with `_deleted: true`, and only that one revision also when there are conflicts. Without the parameter, or with `false`, rows have no `doc`.',
    source: ['2.6', '4.5', '9'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Conflicts', 'schemas/Document/properties/_conflicts'],
    id: 'feed-conflicts',
    level: 'MUST',
    since: '0.11.0',
    statement:
      'With `include_docs=true&conflicts=true` the `doc` of a document with live leaves beside its winner has `_conflicts`, an array of exactly those revisions, in any order; a document without them has no `_conflicts` or an empty one. Without `include_docs`, `conflicts` changes nothing.',
    source: ['4.5'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Style', 'schemas/ChangeRow/properties/changes'],
    id: 'feed-style-main',
    level: 'MUST',
    statement:
      'With `style=main_only`, and without `style`, the `changes` of a row hold one element: the winning revision.',
    source: ['2.6', '4.5'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Style', 'schemas/ChangeRow/properties/changes'],
    id: 'feed-style-all',
    level: 'MUST',
    statement:
      'With `style=all_docs` and no filter, the `changes` of a row hold exactly the leaf revisions of the document, each once: winner, conflicts and deleted leaves; no inner revision. Their order is free.',
    source: ['2.6', '4.5'],
  },
  {
    needs: ['attachments'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Attachments', 'schemas/Attachments'],
    id: 'feed-attachments',
    level: 'MUST',
    since: '1.6.0',
    statement:
      'With `include_docs=true&attachments=true` each attachment of an included document has `data`, Base64 that decodes to the bytes written, and is no stub. Without `attachments` the attachments are stubs without `data`; without `include_docs` the parameter changes nothing.',
    source: ['4.5', '9'],
  },
  {
    needs: ['attachments'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/AttEncodingInfo', 'schemas/Attachments'],
    id: 'feed-att-encoding',
    level: 'MUST',
    since: '1.6.0',
    statement:
      "With `include_docs=true&att_encoding_info=true` the stub of an attachment that the server stores compressed names its `encoding` and its `encoded_length`; one that is not compressed names neither. Which ones are compressed is the server's choice; without `include_docs` the parameter changes nothing.",
    source: ['4.5', '9'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/SeqInterval'],
    id: 'feed-seq-interval',
    level: 'MUST',
    since: '2.0.0',
    statement:
      'With `seq_interval=n` the rows are the same as without it; among any n neighbouring rows at least one has a `seq` that can be resumed from, and the others have one too or null. `last_seq` can always be resumed from.',
    source: ['4.5', '8', '9'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-defaults',
    level: 'MUST',
    statement:
      'A parameter given with the default value that the table of 4.5 states (`feed=normal`, `style=main_only`, `since=0`, and `false` for `conflicts`, `descending`, `include_docs`, `attachments` and `att_encoding_info`), alone or together with others, gives the same rows as without it.',
    source: ['4.5', '8'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Accept'],
    id: 'feed-accept',
    level: 'MUST',
    statement:
      'An `Accept` header with a media type that suits the mode (`application/json` for normal and long polling, `text/plain` for continuous, `text/event-stream` for event source) leaves the request accepted and its rows unchanged. What a server does with one that does not suit the mode is not judged.',
    source: ['4.5'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-post-same',
    level: 'MUST',
    statement:
      '`POST /{db}/_changes` with `Content-Type: application/json`, an empty object as body and the same query parameters gives the same rows, in any lawful order, and the same members as `GET`.',
    source: ['4.6'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-partial-order',
    level: 'MUST',
    statement:
      'Repeated calls on a database at rest give the same set of rows, compared by `id`, `changes` and `deleted`. Their order, the text of each `seq` and that of `last_seq` may differ from call to call.',
    source: ['4.7 rule 3'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-idempotent',
    level: 'MUST',
    statement:
      'A consumer that keeps for each id the latest row it read, and may restart from any `seq` or `last_seq` it was given and see rows again, ends with the state of the database: every document with its winning revision.',
    source: ['4.7 rule 3', '4.7 rule 4'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Feed'],
    id: 'normal-immediate',
    level: 'MUST',
    statement:
      'In normal mode the answer comes and ends at once with all past changes after `since`, also when there are none, and also with `timeout` or `heartbeat`, which do not apply to this mode: it never waits and has no empty lines for heartbeats.',
    source: ['1', '4.5', '4.7 mode 1'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Feed'],
    id: 'longpoll-waits',
    level: 'MUST',
    statement:
      'With `feed=longpoll` and nothing after `since` that the filter accepts, the request stays open until there is a change or its time is up. Headers, the beginning of the JSON and empty lines may be sent meanwhile.',
    source: ['4.7 mode 2'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'longpoll-delivers',
    level: 'MUST',
    statement:
      'A waiting long poll is answered soon after the first change that its filter accepts: with a row for that change, as one JSON object of the form of normal mode (leading or inner white space aside), after which the response ends.',
    source: ['1', '4.5', '4.7 mode 2'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'longpoll-behind',
    level: 'MUST',
    statement:
      'A long poll that starts behind, changes after `since` that its filter accepts being there already, is answered at once with what normal mode would give, and ends.',
    source: ['4.7 mode 2'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Timeout'],
    id: 'longpoll-timeout',
    level: 'MUST',
    statement:
      'With `timeout=x` and no `heartbeat`, a long poll without a change ends after x ms, not markedly earlier, with status 200, empty `results` and a `last_seq` from which a later call loses nothing.',
    source: ['4.5', '4.7 rule 1'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Feed', 'schemas/ContinuousFeed'],
    id: 'continuous-lines',
    level: 'MUST',
    statement:
      'With `feed=continuous` the body is lines: each is empty or one JSON row of the form of normal mode. The only other line is the object with `last_seq` that may end the feed, as the last one.',
    source: ['1', '4.5', '4.7 mode 3'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['schemas/ContinuousFeed'],
    id: 'continuous-crlf',
    level: 'MUST',
    statement:
      'In a continuous feed every line that holds a row ends with CR LF. Empty lines of a heartbeat may be a line feed alone.',
    source: ['4.7 mode 3'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'continuous-behind',
    level: 'MUST',
    statement:
      'A continuous feed first delivers, at once, the rows that normal mode gives for the same parameters: the changes after `since` that are there already; then it stays open.',
    source: ['4.5', '4.7 mode 3'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'continuous-live',
    level: 'MUST',
    statement:
      'While a continuous feed is open, every document changed gets a row on it soon after, without a new request, also after a time without changes and more than once. Intermediate states may be left out.',
    source: ['4.7 mode 3'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Limit', 'schemas/FeedEnd', 'schemas/ContinuousFeed'],
    id: 'continuous-limit',
    level: 'MUST',
    statement:
      'A continuous feed with `limit=n` delivers n rows, past or live, then one line with an object that holds a `last_seq` to resume from, and ends.',
    source: ['2.7', '4.7 mode 3'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Timeout'],
    id: 'continuous-timeout',
    level: 'MUST',
    statement:
      'With `timeout=x` and no `heartbeat`, a continuous feed ends x ms after the last change, or after its start when there is none; each change that it delivers starts the wait anew. It may end with an object that holds `last_seq`. Whether a change that the filter rejects restarts the wait is free.',
    source: ['4.5', '4.7 mode 3', '4.7 rule 1'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Heartbeat', 'schemas/ContinuousFeed'],
    id: 'heartbeat-lines',
    level: 'MUST',
    statement:
      'With `heartbeat=x` an idle long poll or continuous feed gets an empty line in every period of x ms, from the start of the wait on and also while a filter rejects every change. Additional empty lines are allowed.',
    source: ['4.5', '4.7 rule 1', '6'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Heartbeat', 'parameters/Timeout'],
    id: 'heartbeat-overrides',
    level: 'MUST',
    statement:
      'With both `heartbeat` and a shorter or longer `timeout`, a feed in long polling, continuous or event source mode stays open beyond the timeout, keeps sending its heartbeats, and still delivers a change that comes after.',
    source: ['4.5', '4.7 rule 1'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Heartbeat'],
    id: 'heartbeat-true',
    level: 'MUST',
    statement:
      '`heartbeat=true` is accepted in long polling, continuous and event source mode and means the default period of 60000 ms: a heartbeat by the end of each such period. A heartbeat at the very start is allowed as well.',
    source: ['4.5', '8'],
  },
  {
    needs: ['config-write'],
    operations: ['getChanges', 'postChanges', 'putConfigKey'],
    components: ['parameters/Timeout', 'schemas/HttpSettings/properties/changes_timeout'],
    id: 'timeout-default',
    level: 'MUST',
    statement:
      'Without `timeout` and `heartbeat`, a long poll or continuous feed without a change ends after the time in `chttpd/changes_timeout` (ms); 60000 where that is not set.',
    source: ['2.8', '4.5', '8'],
  },
  {
    needs: ['config-write'],
    operations: ['getChanges', 'postChanges', 'putConfigKey'],
    components: ['parameters/Timeout', 'schemas/HttpSettings/properties/changes_timeout'],
    id: 'timeout-maximum',
    level: 'MUST',
    statement:
      'A `timeout` longer than the maximum is shortened to it, the request being accepted: with a small `chttpd/changes_timeout` a feed without a change ends after that time. The maximum is 60000 where nothing else is configured.',
    source: ['4.5', '8'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Feed', 'schemas/EventStream'],
    id: 'eventsource-stream',
    level: 'MUST',
    since: '1.3.0',
    statement:
      'With `feed=eventsource` the response has the media type `text/event-stream`, and a standard event stream parser gets from it one event of type `message` for each change, whose data is one JSON row of the form of normal mode. Comments, other event types, and any content of the id field are allowed.',
    source: ['1', '4.5', '4.7 mode 4', '6', '9'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'eventsource-live',
    level: 'MUST',
    since: '1.3.0',
    statement:
      'An event source feed delivers what a continuous one does: first, at once, the changes after `since` that are there already, then each change soon after it is made, on the same response. Intermediate states may be left out.',
    source: ['4.7 mode 4'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Heartbeat', 'schemas/EventStream'],
    id: 'eventsource-heartbeat',
    level: 'MUST',
    since: '1.3.0',
    statement:
      'With `heartbeat=x` an idle event source feed gets an event of type `heartbeat` in every period of x ms, and none of type `message`. Its data is free; additional heartbeats are allowed.',
    source: ['4.5', '6'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/LastEventIdHeader', 'parameters/LastEventId'],
    id: 'eventsource-last-event-id',
    level: 'MUST',
    since: '1.4.0',
    statement:
      'In event source mode the id of an event, sent in the header `Last-Event-ID` or the query parameter `last-event-id`, resumes the feed after that event and loses nothing. It overrides a `since` in the same request. Whether other modes honour it, and what happens when both are sent, is not judged.',
    source: ['4.5', '6', '9'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Timeout'],
    id: 'eventsource-limit-timeout',
    level: 'MUST',
    since: '1.3.0',
    statement:
      'An event source feed ends as a continuous one does: after `limit` rows, and with `timeout=x` and no `heartbeat` x ms after the last change. A last event that is no row may tell of the end.',
    source: ['4.5', '4.7 mode 4'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'feed-live-converges',
    level: 'MUST',
    statement:
      'While several writers change documents, a consumer in any mode that applies rows idempotently, and that after a disconnect at any moment continues from the last `seq` it read, has the state of the database soon after writing ends: every document with its winning revision.',
    source: ['4.7 rule 3', '4.7 rule 4'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/DocIds', 'parameters/Filter', 'schemas/ChangesRequest/properties/doc_ids'],
    id: 'filter-doc-ids',
    level: 'MUST',
    statement:
      'With `filter=_doc_ids` the rows are exactly those of the changed documents whose id is in the list, deleted ones too, whether the list is the query parameter `doc_ids` (a JSON array) or the array `doc_ids` of a POST body. Ids that do not exist and repeated ids are harmless, and an empty list gives no rows.',
    source: ['1', '4.5', '4.6', '4.8'],
  },
  {
    needs: [],
    operations: ['postChanges'],
    components: ['parameters/Filter', 'schemas/ChangesRequest/properties/selector'],
    id: 'filter-selector',
    level: 'MUST',
    since: '2.0.0',
    statement:
      'With `filter=_selector` and a `selector` in the POST body the rows are exactly those of the changed documents whose winning revision matches it, by the meaning of the `_find` operators. A deleted document is judged by the body of its deletion.',
    source: ['1', '4.5', '4.6', '4.8', '9'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-design',
    level: 'MUST',
    statement:
      'With `filter=_design` the rows are exactly those of the changed design documents, the ids that begin with `_design/`, deleted ones too.',
    source: ['1', '4.5', '4.8'],
  },
  {
    needs: ['functions'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter', 'parameters/View'],
    id: 'filter-view',
    level: 'MUST',
    since: '1.2.0',
    statement:
      'With `filter=_view&view=<design_doc>/<view_name>` the rows are exactly those of the changed documents for which the map function of that view emits at least once, design documents being put to it like any other. The result depends on nothing but the document: query parameters of views (such as `key` or `startkey`) and the user change nothing.',
    source: ['1', '4.5', '4.8', '9'],
  },
  {
    needs: ['functions'],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-function',
    level: 'MUST',
    statement:
      'With `filter=<design_doc>/<filter_name>` the rows are exactly those of the changed documents for which that filter function, called with the document and the request, returns true. The request object holds the query parameters as `req.query`. Results that are neither true nor false are not judged.',
    source: ['1', '4.5', '4.8'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-all-docs-skip',
    level: 'MUST',
    statement: 'With `style=all_docs` and a filter, a document of which no leaf revision passes has no row.',
    source: ['4.8 rule 1'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-all-docs-revs',
    level: 'MUST',
    statement:
      'With `style=all_docs` and a filter, a document of which at least one leaf revision passes has a row whose `changes` list all leaf revisions that pass and no other, also when the winning revision is not among them.',
    source: ['4.8 rule 2'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-all-docs-doc',
    level: 'MUST',
    since: '0.11.0',
    statement:
      'With `style=all_docs`, `include_docs=true` and a filter, the `doc` of a row is the winning revision, also when that revision does not pass the filter and is not in `changes`.',
    source: ['4.8 rule 3'],
  },
  {
    needs: [],
    operations: ['getChanges', 'postChanges'],
    components: ['parameters/Filter'],
    id: 'filter-in-every-mode',
    level: 'MUST',
    statement:
      'A filter accepts and rejects the same documents in all four modes, both among past changes and among those made while the feed is open. A long poll is not ended by a change that its filter rejects.',
    source: ['1', '4.8'],
  },
  {
    needs: ['cluster'],
    operations: ['getSession'],
    components: ['securitySchemes/bearer', 'schemas/JwtKeys'],
    id: 'cluster-jwt-keys',
    level: 'MUST',
    statement:
      'A token that one node accepts is accepted by every node, and gives the same user name and the same roles there.',
    source: ['5.4 key rule 4'],
  },
  {
    needs: ['cluster'],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'cluster-seq-portable',
    level: 'MUST',
    statement:
      'A `seq` or `last_seq` from one node can be used as `since` on any other: every document that changed after it has a row there in the end. Rows seen before may appear again.',
    source: ['4.7 rule 2', '4.7 rule 4'],
  },
  {
    needs: ['cluster'],
    operations: ['getChanges', 'postChanges'],
    components: [],
    id: 'cluster-converges',
    level: 'MUST',
    statement:
      'With writers on all nodes, a consumer that applies rows idempotently and goes to another node at every reconnect has the state of the database soon after writing ends. Rows may repeat, come in any order, and show an older revision after a newer one as long as the current one comes last.',
    source: ['4.7 rule 3', '4.7 rule 4'],
  },
];
