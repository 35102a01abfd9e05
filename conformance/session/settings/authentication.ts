/** Describes how a target authenticates requests of proxies and requests with tokens (SERVICE 5.3, 5.4). */
import { createSecretKey, getHashes, type KeyObject } from 'node:crypto';
import type { DialectNames } from '../../../openapi/generated/dialects.js';
import type { Settings } from './settings.js';

export const keyTypes = ['hmac', 'rsa', 'ec'] as const;
export type KeyType = (typeof keyTypes)[number];

/** A key whose tokens the target trusts. */
export interface SigningKey {
  readonly type: KeyType;
  /** Missing for `_default`, the key for tokens without `kid`. */
  readonly kid?: string;
  /** The shared secret or the private key. */
  readonly key: KeyObject;
  /** The `alg` of the tokens that the key signs: HS256, RS256, or the one for its elliptic curve. */
  readonly alg: string;
  /** How the suite knows the key, as a phrase for reports. */
  readonly source: string;
  /** True if this run has added the key to `jwt_keys`. */
  readonly configured: boolean;
}

export interface RequiredClaim {
  readonly name: string;
  /** The required value, if the setting has one, as in `{iss, "issuer"}`. */
  readonly value?: string;
}

export interface Authentication {
  /** The active handlers in order (`cookie`, `proxy`, `jwt`, `default`); missing if the target does not list them. */
  readonly handlers?: readonly string[];
  /** Why the suite could not add missing handlers, as a clause for reports. */
  readonly handlersFixedReason?: string;
  readonly proxy: {
    /** Names of the request headers. */
    readonly headers: { readonly userName: string; readonly roles: string; readonly token: string };
    /** Whether proxies must send a token (`proxy_use_secret`); missing if unknown. */
    readonly tokenRequired?: boolean;
    /** The secret of the tokens; missing if unknown. */
    readonly secret?: string;
    /** What `hash_algorithms` allows, with the names of node:crypto; missing if unknown. */
    readonly algorithms?: readonly string[];
  };
  readonly jwt: {
    readonly keys: readonly SigningKey[];
    /** Missing if unknown: then a token should have all registered claims with valid values. */
    readonly requiredClaims?: readonly RequiredClaim[];
    /** The path of the claim with the roles: one name for a top-level claim. */
    readonly rolesClaim: readonly string[];
  };
}

/** @returns why the handler is inactive, or `undefined` if it is active or this is unknown. */
export function reasonInactive(
  { handlers, handlersFixedReason }: Pick<Authentication, 'handlers' | 'handlersFixedReason'>,
  handler: string,
): string | undefined {
  if (handlers === undefined || handlers.includes(handler)) return undefined;
  const reason = `/_session does not list the handler "${handler}"`;
  return handlersFixedReason === undefined ? reason : `${reason}, and ${handlersFixedReason}`;
}

/** Derives the authentication of the target from its settings and from keys that are not in them. */
export function authenticationOf(input: {
  handlers: readonly string[] | undefined;
  handlersFixedReason?: string;
  settings: Settings;
  keys: readonly SigningKey[];
  names: DialectNames;
}): Authentication {
  const { handlers, handlersFixedReason, settings, keys, names } = input;
  const text = (name: string): string | undefined => settings.get(name) ?? undefined;
  const proxyUseSecret = settings.get('chttpd_auth/proxy_use_secret');
  const algorithms = text('chttpd_auth/hash_algorithms');
  const requiredClaims = text('jwt_auth/required_claims');
  const secret = text('chttpd_auth/secret');
  const path = text('jwt_auth/roles_claim_path');
  return {
    ...(handlers === undefined ? {} : { handlers }),
    ...(handlersFixedReason === undefined ? {} : { handlersFixedReason }),
    proxy: {
      headers: {
        userName: text('chttpd_auth/x_auth_username') ?? names.proxyUserName,
        roles: text('chttpd_auth/x_auth_roles') ?? names.proxyRoles,
        token: text('chttpd_auth/x_auth_token') ?? names.proxyToken,
      },
      ...(proxyUseSecret === undefined ? {} : { tokenRequired: proxyUseSecret === 'true' }),
      ...(secret === undefined ? {} : { secret }),
      ...(algorithms === undefined ? {} : { algorithms: hashNames(algorithms) }),
    },
    jwt: {
      keys: [...keys, ...secretsInSettings(settings, keys)],
      ...(requiredClaims === undefined ? {} : { requiredClaims: parseRequiredClaims(requiredClaims) }),
      rolesClaim:
        path === undefined ? [text('jwt_auth/roles_claim_name') ?? names.rolesClaim] : splitClaimPath(path),
    },
  };
}

/** The `alg` of the tokens that a key signs. */
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

/** The keys in `jwt_keys` that can sign: shared secrets. Of other keys the setting has only the public half. */
function secretsInSettings(settings: Settings, otherKeys: readonly SigningKey[]): SigningKey[] {
  return settings.section('jwt_keys').flatMap(([name, value]) => {
    const kid = /^hmac:(.+)$/.exec(name)?.[1];
    const secret = Buffer.from(value, 'base64');
    const hasSameName = (key: SigningKey): boolean => key.type === 'hmac' && (key.kid ?? '_default') === kid;
    if (kid === undefined || secret.length === 0 || otherKeys.some(hasSameName)) return [];
    return [
      {
        type: 'hmac' as const,
        ...(kid === '_default' ? {} : { kid }),
        key: createSecretKey(secret),
        alg: 'HS256',
        source: settings.sourceOf(`jwt_keys/${name}`)!,
        configured: false,
      },
    ];
  });
}

/** Converts names of the setting to names of node:crypto, and leaves out those that Node.js does not support. */
function hashNames(setting: string): string[] {
  const renamed: Readonly<Record<string, string>> = {
    sha: 'sha1',
    blake2b: 'blake2b512',
    blake2s: 'blake2s256',
  };
  const supported = new Set(getHashes().map((name) => name.toLowerCase()));
  return setting
    .split(',')
    .map((part) => part.trim())
    .map((name) => renamed[name] ?? name.replace('_', '-'))
    .filter((name) => supported.has(name));
}

/** Parses `exp, nbf, {iss, "issuer"}`. */
function parseRequiredClaims(setting: string): RequiredClaim[] {
  const claim = /\{\s*([^,{}\s]+)\s*,\s*"([^"]*)"\s*\}|([^,{}\s]+)/g;
  return [...setting.matchAll(claim)].map(([, pair, value, name]) =>
    name === undefined ? { name: pair!, value: value! } : { name },
  );
}

/** Splits a path at its dots, except those escaped with a backslash. */
function splitClaimPath(path: string): string[] {
  return (path.match(/(?:\\.|[^.\\])+/g) ?? []).map((name) => name.replaceAll('\\.', '.'));
}
