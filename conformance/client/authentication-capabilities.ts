/** Which ways of saying who asks a target offers, as far as the kit can use them, and how the kit knows. */
import type { Capability } from '../../openapi/generated/rules.js';
import { type Authentication, reasonInactive, keyTypes, type SigningKey } from './authentication.js';
import type { CapabilityStatus } from './capabilities.js';
import { asObject, parseJson } from './json.js';
import { Settings } from './settings.js';
import type { HttpClient } from './client.js';

/** The sections of the configuration that a check may have to know. */
const sections = ['chttpd', 'chttpd_auth', 'jwt_auth', 'jwt_keys'] as const;

/** Reads what an administrator may read of the configuration. A section that cannot be read stays unknown. */
export async function readSettings(client: HttpClient, node = 0): Promise<Settings> {
  let settings = new Settings();
  for (const section of sections) {
    const path = `/_node/_local/_config/${section}`;
    const { status, text } = await client.request({ path, as: 'admin', node });
    const values = status === 200 ? stringsIn(text) : undefined;
    if (values) settings = settings.withSection(section, values, 'as its configuration says');
  }
  return settings;
}

/** The active handlers as `/_session` lists them, where it does. */
export async function readHandlers(client: HttpClient, node = 0): Promise<string[] | undefined> {
  const { text } = await client.request({ path: '/_session', as: 'admin', node });
  const listed = asObject(asObject(parseJson(text))['info'])['authentication_handlers'];
  return Array.isArray(listed) && listed.every((name) => typeof name === 'string') ? listed : undefined;
}

/** The capabilities that follow from what is known. */
export function authenticationCapabilities(auth: Authentication): CapabilityStatus[] {
  const { proxy, jwt } = auth;
  const claim = (name: Capability, lack: string | undefined, how: string): CapabilityStatus => ({
    name,
    available: lack === undefined,
    how: lack ?? how,
  });

  const noProxy =
    reasonInactive(auth, 'proxy') ??
    (proxy.tokenRequired === undefined ? 'whether it takes proxy headers is not known' : undefined) ??
    (proxy.tokenRequired && proxy.secret === undefined
      ? 'the secret of its proxy tokens is not known'
      : undefined);
  const noToken = noProxy ?? (proxy.tokenRequired ? undefined : 'it demands no token of a proxy');
  const noJwt = reasonInactive(auth, 'jwt');
  const noKeys = noJwt ?? (jwt.keys.length === 0 ? 'no key that it trusts is known' : undefined);
  const required = jwt.requiredClaims;
  const noRequired =
    noKeys ??
    (required === undefined ? 'which claims it requires is not known' : undefined) ??
    (required?.length === 0 ? 'it requires no claims' : undefined);

  return [
    claim('proxy', noProxy, proxy.secret === undefined ? 'it demands no token' : 'the secret is known'),
    claim('proxy-secret', noToken, 'the secret is known'),
    ...keyTypes.map((type) => {
      const keys = jwt.keys.filter((key) => key.type === type);
      const noKey = noJwt ?? (keys.length === 0 ? `no ${type} key is known` : undefined);
      return claim(`jwt-${type}`, noKey, keysText(keys));
    }),
    claim('jwt-required-claims', noRequired, (required ?? []).map(({ name }) => name).join(', ')),
  ];
}

/** `hmac:a, hmac:_default (in docfeed.target.yaml); hmac:b (made by this run)`. */
function keysText(keys: readonly SigningKey[]): string {
  const sources = [...new Set(keys.map(({ source: from }) => from))];
  return sources
    .map((source) => {
      const names = keys
        .filter(({ source: from }) => from === source)
        .map(({ type, kid }) => `${type}:${kid ?? '_default'}`);
      return `${names.join(', ')} (${source})`;
    })
    .join('; ');
}

function stringsIn(text: string): Record<string, string> | undefined {
  try {
    const values = JSON.parse(text) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
  } catch {
    return undefined;
  }
}
