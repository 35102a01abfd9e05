/** Derives which authentication capabilities a target has from its handlers, settings and keys. */
import type { Capability } from '../../openapi/generated/rules.js';
import { type Authentication, reasonInactive, keyTypes, type SigningKey } from './authentication.js';
import type { CapabilityStatus } from './capabilities.js';
import { asObject, parseJson } from './json.js';
import { Settings } from './settings.js';
import type { HttpClient } from './client.js';

/** The configuration sections that checks depend on. */
const sections = ['chttpd', 'chttpd_auth', 'jwt_auth', 'jwt_keys'] as const;

/** Reads the configuration as administrator. A section that cannot be read stays unknown. */
export async function readSettings(client: HttpClient, node = 0): Promise<Settings> {
  let settings = new Settings();
  for (const section of sections) {
    const path = `/_node/_local/_config/${section}`;
    const { status, text } = await client.request({ path, as: 'admin', node });
    const values = parseJson(text);
    if (status !== 200 || typeof values !== 'object' || values === null) continue;
    const strings = Object.entries(values).map(([key, value]) => [key, String(value)] as const);
    settings = settings.withSection(section, Object.fromEntries(strings), 'from its configuration');
  }
  return settings;
}

/** The active handlers that `/_session` lists, or `undefined` if it lists none. */
export async function readHandlers(client: HttpClient, node = 0): Promise<string[] | undefined> {
  const { text } = await client.request({ path: '/_session', as: 'admin', node });
  const handlers = asObject(asObject(parseJson(text))['info'])['authentication_handlers'];
  return Array.isArray(handlers) && handlers.every((name) => typeof name === 'string') ? handlers : undefined;
}

export function authenticationCapabilities(auth: Authentication): CapabilityStatus[] {
  return [...proxyCapabilities(auth), ...jwtCapabilities(auth)];
}

function proxyCapabilities(auth: Authentication): CapabilityStatus[] {
  const { tokenRequired, secret } = auth.proxy;
  const proxyProblem =
    reasonInactive(auth, 'proxy') ??
    (tokenRequired === undefined ? 'it is unknown whether proxies must send a token' : undefined) ??
    (tokenRequired && secret === undefined ? 'the secret of the proxy token is unknown' : undefined);
  const secretProblem =
    proxyProblem ?? (tokenRequired ? undefined : 'the target requires no token from proxies');
  const secretKnown = 'the secret of the proxy token is known';
  return [
    status('proxy', proxyProblem, tokenRequired ? secretKnown : 'the target requires no token from proxies'),
    status('proxy-secret', secretProblem, secretKnown),
  ];
}

function jwtCapabilities(auth: Authentication): CapabilityStatus[] {
  const { keys, requiredClaims } = auth.jwt;
  const handlerProblem = reasonInactive(auth, 'jwt');
  const claimsProblem =
    handlerProblem ??
    (keys.length === 0 ? 'no key that the target trusts is known' : undefined) ??
    (requiredClaims === undefined ? 'the required claims are unknown' : undefined) ??
    (requiredClaims?.length === 0 ? 'the target requires no claims' : undefined);
  return [
    ...keyTypes.map((type) => {
      const ofType = keys.filter((key) => key.type === type);
      const problem = handlerProblem ?? (ofType.length === 0 ? `no ${type} key is known` : undefined);
      return status(`jwt-${type}`, problem, describeKeys(ofType));
    }),
    status('jwt-required-claims', claimsProblem, (requiredClaims ?? []).map(({ name }) => name).join(', ')),
  ];
}

function status(name: Capability, problem: string | undefined, how: string): CapabilityStatus {
  return { name, available: problem === undefined, how: problem ?? how };
}

/** `hmac:a, hmac:_default (from docfeed.target.yaml); hmac:b (created by this run)`. */
function describeKeys(keys: readonly SigningKey[]): string {
  const sources = [...new Set(keys.map(({ source }) => source))];
  return sources
    .map((source) => {
      const names = keys
        .filter((key) => key.source === source)
        .map(({ type, kid }) => `${type}:${kid ?? '_default'}`);
      return `${names.join(', ')} (${source})`;
    })
    .join('; ');
}
