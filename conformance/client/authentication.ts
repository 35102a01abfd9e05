/** How a target finds out who asks: what checks of proxies and tokens need to know of it (SERVICE 5.3, 5.4). */
import { createSecretKey, getHashes, type KeyObject } from 'node:crypto';
import type { DialectNames } from '../../openapi/generated/dialects.js';
import type { Settings } from './settings.js';

export const keyTypes = ['hmac', 'rsa', 'ec'] as const;
export type KeyType = (typeof keyTypes)[number];

/** A key that signs tokens which the target trusts. */
export interface SigningKey {
  readonly type: KeyType;
  /** Missing for the key of tokens without `kid`, `_default`. */
  readonly kid?: string;
  /** The shared secret or the private key, for node:crypto and jose. `createPublicKey` gives the public half. */
  readonly key: KeyObject;
  /** The `alg` of the tokens that it signs: HS256, RS256, or for an elliptic curve the one that fits the curve. */
  readonly alg: string;
  /** A phrase that says how it is known. */
  readonly source: string;
  /** This run has put it into `jwt_keys`, in its documented form. */
  readonly configured: boolean;
}

export interface RequiredClaim {
  readonly name: string;
  /** The only value that is right, where the setting has one, as in `{iss, "issuer"}`. */
  readonly value?: string;
}

export interface Authentication {
  /** The active handlers in order (`cookie`, `proxy`, `jwt`, `default`); missing when the target does not list them. */
  readonly handlers?: readonly string[];
  /** Why handlers that are missing there stay so, after an attempt to add them. */
  readonly handlersStay?: string;
  readonly proxy: {
    /** The names of the request headers. */
    readonly headers: { readonly userName: string; readonly roles: string; readonly token: string };
    /** Whether a token must be sent (`proxy_use_secret`); missing when this is not known. */
    readonly tokenRequired?: boolean;
    /** The secret of tokens; missing when the kit does not know it. */
    readonly secret?: string;
    /** What `hash_algorithms` allows, by the names of node:crypto; missing when this is not known. */
    readonly algorithms?: readonly string[];
  };
  readonly jwt: {
    readonly keys: readonly SigningKey[];
    /** Missing when this is not known: then a token should carry all registered claims with valid values. */
    readonly requiredClaims?: readonly RequiredClaim[];
    /** Where the roles are: the name of the claim, or the names on the way to it. */
    readonly rolesClaim: readonly string[];
  };
}

/** Why nobody is authenticated by this handler: it is not active. `undefined` when it is, or when this is not known. */
export function reasonInactive(
  { handlers, handlersStay }: Pick<Authentication, 'handlers' | 'handlersStay'>,
  handler: string,
): string | undefined {
  if (handlers === undefined || handlers.includes(handler)) return undefined;
  const unlisted = `/_session lists no handler "${handler}"`;
  return handlersStay === undefined ? unlisted : `${unlisted}, and ${handlersStay}`;
}

/** What follows from the settings and from the keys that do not stand in them. */
export function authenticationOf(input: {
  handlers: readonly string[] | undefined;
  handlersStay?: string;
  settings: Settings;
  keys: readonly SigningKey[];
  names: DialectNames;
}): Authentication {
  const { handlers, handlersStay, settings, keys, names } = input;
  const text = (name: string): string | undefined => settings.get(name) ?? undefined;
  const proxyUseSecret = settings.get('chttpd_auth/proxy_use_secret');
  const algorithms = text('chttpd_auth/hash_algorithms');
  const requiredClaims = text('jwt_auth/required_claims');
  const secret = text('chttpd_auth/secret');
  const path = text('jwt_auth/roles_claim_path');
  return {
    ...(handlers === undefined ? {} : { handlers }),
    ...(handlersStay === undefined ? {} : { handlersStay }),
    proxy: {
      headers: {
        userName: text('chttpd_auth/x_auth_username') ?? names.proxyUserName,
        roles: text('chttpd_auth/x_auth_roles') ?? names.proxyRoles,
        token: text('chttpd_auth/x_auth_token') ?? names.proxyToken,
      },
      ...(proxyUseSecret === undefined ? {} : { tokenRequired: proxyUseSecret === 'true' }),
      ...(secret === undefined ? {} : { secret }),
      ...(algorithms === undefined ? {} : { algorithms: digestNames(algorithms) }),
    },
    jwt: {
      keys: [...keys, ...readableKeys(settings, keys)],
      ...(requiredClaims === undefined ? {} : { requiredClaims: claimsIn(requiredClaims) }),
      rolesClaim:
        path === undefined ? [text('jwt_auth/roles_claim_name') ?? names.rolesClaim] : namesOnPath(path),
    },
  };
}

/** The `alg` that a key signs with. */
export function algOf(type: KeyType, key: KeyObject): string {
  if (type === 'hmac') return 'HS256';
  if (type === 'rsa') return 'RS256';
  const curves: Readonly<Record<string, string>> = {
    prime256v1: 'ES256',
    secp384r1: 'ES384',
    secp521r1: 'ES512',
  };
  return curves[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'ES256';
}

/** A shared secret that `jwt_keys` shows is a key to sign with; of the other kinds it shows the public half. */
function readableKeys(settings: Settings, known: readonly SigningKey[]): SigningKey[] {
  return settings.section('jwt_keys').flatMap(([name, value]) => {
    const kid = /^hmac:(.+)$/.exec(name)?.[1];
    const secret = Buffer.from(value, 'base64');
    const isDefault = kid === '_default';
    const same = ({ type, kid: other }: SigningKey): boolean =>
      type === 'hmac' && (isDefault ? other === undefined : other === kid);
    if (kid === undefined || secret.length === 0 || known.some(same)) return [];
    return [
      {
        type: 'hmac' as const,
        ...(isDefault ? {} : { kid }),
        key: createSecretKey(secret),
        alg: 'HS256',
        source: settings.sourceOf(`jwt_keys/${name}`)!,
        configured: false,
      },
    ];
  });
}

/** The names of the setting in those of node:crypto; what that does not know nobody here can use. */
function digestNames(setting: string): string[] {
  const renamed: Readonly<Record<string, string>> = {
    sha: 'sha1',
    blake2b: 'blake2b512',
    blake2s: 'blake2s256',
  };
  const known = new Set(getHashes().map((name) => name.toLowerCase()));
  return listed(setting)
    .map((name) => renamed[name] ?? name.replace('_', '-'))
    .filter((name) => known.has(name));
}

/** `exp, nbf, {iss, "issuer"}`. */
function claimsIn(setting: string): RequiredClaim[] {
  const claim = /\{\s*([^,{}\s]+)\s*,\s*"([^"]*)"\s*\}|([^,{}\s]+)/g;
  return [...setting.matchAll(claim)].map(([, pair, value, name]) =>
    name === undefined ? { name: pair!, value: value! } : { name },
  );
}

/** Names joined by dots; a backslash takes its meaning from the dot after it. */
function namesOnPath(path: string): string[] {
  return (path.match(/(?:\\.|[^.\\])+/g) ?? []).map((name) => name.replaceAll('\\.', '.'));
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
