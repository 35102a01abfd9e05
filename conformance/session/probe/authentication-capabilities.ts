/** Derives which authentication capabilities a target has from its handlers, settings and keys. */
import type { Capability } from '../../../openapi/generated/rules.js';
import {
  type Authentication,
  reasonInactive,
  keyTypes,
  type SigningKey,
} from '../settings/authentication.js';
import { type CapabilityStatus, capabilityStatus, isUnsupported } from './capabilities.js';
import { orUnanswered, Unanswered } from '../../http/unanswered.js';
import { handlerList, handlersOfService } from '../settings/handler-list.js';
import { asObject, parseJson } from '../../http/parse-json.js';
import { Settings } from '../settings/settings.js';
import type { Exchange, HttpClient } from '../../http/client.js';
import type { Dialect } from '../../../openapi/generated/dialects.js';

/** The configuration sections that checks depend on. */
const sections = ['chttpd', 'chttpd_auth', 'jwt_auth', 'jwt_keys'] as const;

/** Reads the configuration as administrator. A section that cannot be read stays unknown. */
export async function readConfiguration(
  client: HttpClient,
  hasAdmin: boolean,
): Promise<{ settings: Settings; status: CapabilityStatus }> {
  let settings = new Settings();
  if (!hasAdmin) {
    const how = 'only an administrator can read the configuration';
    return { settings, status: capabilityStatus('config-read', false, how, 'use --admin') };
  }
  const pathOf = (section: string): string => `/_node/_local/_config/${section}`;
  let status = capabilityStatus('config-read', true, `GET ${pathOf(sections[0])} returns 200`);
  for (const section of sections) {
    const path = pathOf(section);
    const exchange = await orUnanswered(client.request({ path, as: 'admin' }));
    if (exchange instanceof Unanswered) {
      status = capabilityStatus('config-read', undefined, exchange.obstacle!);
      break;
    }
    const values = parseJson(exchange.text);
    if (exchange.status === 200 && typeof values === 'object' && values !== null) {
      const strings = Object.entries(values).map(([key, value]) => [key, String(value)] as const);
      settings = settings.withSection(section, Object.fromEntries(strings), 'from its configuration');
      continue;
    }
    // Some servers have `null` for a section that they do not know.
    const isUnknown = exchange.status === 200 && values === null;
    const isRefused =
      isUnknown || isUnsupported(exchange) || exchange.status === 401 || exchange.status === 403;
    // A single section that is refused stays unknown.
    if (isRefused && section !== sections[0]) continue;
    const how = `GET ${path} returns ${exchange.status}${isUnknown ? ' with null' : exchange.status === 200 ? ' without a JSON object' : ''}`;
    status = capabilityStatus('config-read', isRefused ? false : undefined, how);
    break;
  }
  return { settings, status };
}

/** The active handlers of a node, or `undefined` if it lists none. */
export async function readHandlers(client: HttpClient, node: number): Promise<string[] | undefined> {
  const session = await orUnanswered(client.request({ path: '/_session', as: 'admin', node }));
  return session instanceof Unanswered ? undefined : handlersIn(session);
}

/** The active handlers that `/_session` lists, or `undefined` if it lists none. */
export function handlersIn({ text }: Exchange): string[] | undefined {
  const handlers = asObject(asObject(parseJson(text))['info'])['authentication_handlers'];
  return Array.isArray(handlers) && handlers.every((name) => typeof name === 'string') ? handlers : undefined;
}

/** @param probed status of the capabilities `config-read` and `config-write`, if known. */
export function authenticationCapabilities(
  auth: Authentication,
  probed: readonly CapabilityStatus[],
  dialect: Dialect,
): CapabilityStatus[] {
  const find = (wanted: Capability): CapabilityStatus | undefined =>
    probed.find(({ name }) => name === wanted);
  const configRead = find('config-read');
  const canConfigure = configRead?.available && find('config-write')?.available === false;
  return [...proxyCapabilities(auth, dialect), ...jwtCapabilities(auth, dialect)].map(
    ({ name, problem, how }) => {
      if (problem === undefined) return capabilityStatus(name, true, how);
      const { reason, remedy, isUnknown = false, isStatic = false } = problem;
      return isUnknown && configRead?.undecided
        ? capabilityStatus(name, undefined, `${reason}, because ${configRead.how}`)
        : capabilityStatus(name, false, reason, canConfigure && !isStatic ? 'use --configure' : remedy);
    },
  );
}

/** Why a capability is missing. */
interface Problem {
  reason: string;
  /** The shortest way to make it available. */
  remedy: string;
  /** The suite lacks a value that the configuration may have. */
  isUnknown?: boolean;
  /** True if `--configure` cannot make it available. */
  isStatic?: boolean;
}

interface Finding {
  name: Capability;
  problem: Problem | undefined;
  /** How the suite knows that the capability is available. */
  how: string;
}

const useTargetFile = 'use --target with the files of `docfeed setup`';

const unknown = (reason: string): Problem => ({ reason, remedy: useTargetFile, isUnknown: true });

function handlerProblem(auth: Authentication, handler: string, dialect: Dialect): Problem | undefined {
  const reason = reasonInactive(auth, handler);
  if (reason === undefined) return undefined;
  const line = `authentication_handlers = ${handlerList(handlersOfService, dialect)}`;
  const remedy = `set "${line}" in the section [chttpd] of the target (docfeed setup)`;
  // CouchDB reads this setting only when it starts.
  return { reason, remedy, isStatic: dialect === 'couchdb' };
}

function proxyCapabilities(auth: Authentication, dialect: Dialect): Finding[] {
  const { tokenRequired, secret } = auth.proxy;
  const noToken = 'the target requires no token from proxies';
  const proxyProblem =
    handlerProblem(auth, 'proxy', dialect) ??
    (tokenRequired === undefined ? unknown('it is unknown whether proxies must send a token') : undefined) ??
    (tokenRequired && secret === undefined ? unknown('the secret of the proxy token is unknown') : undefined);
  const secretProblem =
    proxyProblem ??
    (tokenRequired
      ? undefined
      : {
          reason: noToken,
          remedy: 'set "proxy_use_secret = true" in the section [chttpd_auth] of the target',
        });
  const secretKnown = 'the secret of the proxy token is known';
  return [
    { name: 'proxy', problem: proxyProblem, how: tokenRequired ? secretKnown : noToken },
    { name: 'proxy-secret', problem: secretProblem, how: secretKnown },
  ];
}

function jwtCapabilities(auth: Authentication, dialect: Dialect): Finding[] {
  const { keys, requiredClaims } = auth.jwt;
  const inactive = handlerProblem(auth, 'jwt', dialect);
  const claimsProblem =
    inactive ??
    (keys.length === 0 ? unknown('no key that the target trusts is known') : undefined) ??
    (requiredClaims === undefined ? unknown('the required claims are unknown') : undefined) ??
    (requiredClaims?.length === 0
      ? {
          reason: 'the target requires no claims',
          remedy: 'set "required_claims = exp" in the section [jwt_auth] of the target',
          isStatic: true,
        }
      : undefined);
  return [
    ...keyTypes.map((type): Finding => {
      const ofType = keys.filter((key) => key.type === type);
      const problem = inactive ?? (ofType.length === 0 ? unknown(`no ${type} key is known`) : undefined);
      return { name: `jwt-${type}`, problem, how: describeKeys(ofType) };
    }),
    {
      name: 'jwt-required-claims',
      problem: claimsProblem,
      how: (requiredClaims ?? []).map(({ name }) => name).join(', '),
    },
  ];
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
