/** What happens before the first check: who is there, are the credentials good, what is on offer. */
import { type Dialect, dialects } from '../../openapi/generated/dialects.js';
import type { Capability } from '../../openapi/generated/rules.js';
import type { Cleanup } from './cleanup.js';
import { readHandlers, readSettings } from '../client/authentication-capabilities.js';
import { type CapabilityStatus, probeCapabilities } from '../client/capabilities.js';
import { detect, type Identity, NotThisService } from '../client/detect.js';
import type { ProbeResults } from '../client/target-info.js';
import { asObject, parseJson } from '../client/json.js';
import { Settings } from '../client/settings.js';
import type { TargetOptions } from '../client/target-options.js';
import type { Credentials, HttpClient } from '../client/client.js';
import { asRefusal, Refusal } from '../verdict/refusal.js';
import { isClientError } from './scope.js';

/** Who answers at the URLs: one service, on all of them. */
export async function identify(
  client: HttpClient,
  urls: readonly URL[],
  wanted?: Dialect,
): Promise<Identity> {
  const identities: Identity[] = [];
  for (const [node, url] of urls.entries()) {
    try {
      identities.push(await detect(client, node, wanted));
    } catch (error) {
      if (error instanceof NotThisService) throw new Refusal('target', `${url.href} ${error.message}`);
      throw asRefusal(error, `${url.href}: `);
    }
  }
  const [first, ...others] = identities as [Identity, ...Identity[]];
  if (others.some(({ dialect }) => dialect !== first.dialect)) {
    throw new Refusal('usage', 'the URLs speak different dialects: they are not nodes of one cluster');
  }
  return first;
}

/** Whether the credentials are good, whether databases can be made, and what else the target offers. */
export async function probe(input: {
  client: HttpClient;
  cleanup: Cleanup;
  admin: Credentials | undefined;
  nodes: number;
  identity: Identity;
  told: TargetOptions;
  needed: ReadonlySet<Capability>;
  name: string;
}): Promise<{ findings: ProbeResults; warnings: string[] }> {
  const { client, cleanup, admin, nodes, identity, told } = input;
  const names = dialects[identity.dialect];
  try {
    if (admin) {
      const { status, text } = await client.request({ path: '/_session', as: 'admin' });
      if (status === 401 || status === 403) {
        throw new Refusal('credentials', `the target refuses the credentials of "${admin.name}" (${status})`);
      }
      if (isOfNobody(text)) {
        throw new Refusal(
          'credentials',
          `the target takes "${admin.name}" for nobody, as if it were sent no credentials: does a proxy keep the header Authorization for itself?`,
        );
      }
    }
    const database = cleanup.add({ kind: 'database', name: `docfeed-${input.name}` });
    const path = `/${database.name}`;
    const made = await client.request({ method: 'PUT', path, query: { q: 1 }, as: 'admin' });
    if (isClientError(made)) cleanup.markDone(database);
    const refused = made.status === 401 || made.status === 403;
    if (refused && admin) {
      throw new Refusal('credentials', `"${admin.name}" may not create databases (${made.status})`);
    }
    const facts = made.status < 300 ? await client.request({ path, as: 'admin' }) : undefined;
    const probed = await probeCapabilities({
      client,
      hasAdmin: admin !== undefined,
      nodes,
      needed: input.needed,
      ...(facts?.status === 200 ? { database: { path, facts: facts.text } } : {}),
    });
    const has = (wanted: Capability): boolean =>
      probed.some(({ name, available }) => name === wanted && available);
    const settings = has('config-read') ? await readSettings(client) : new Settings();
    const findings = {
      names,
      handlers: await readHandlers(client),
      settings: settings.with(told.settings, `as ${told.file} says`),
      keys: told.keys,
      probed: [...probed, secondFactor(identity, has('users'))],
      declared: told.declared,
    };
    const warnings = [
      ...(refused
        ? [
            'The target lets only administrators create databases: give --admin, or most rules cannot be judged.',
          ]
        : []),
      ...(admin && !has('users')
        ? ['The target has no users database: nothing is judged of users, passwords and cookies.']
        : []),
      ...contradictions(settings, told),
    ];
    return { findings, warnings };
  } catch (error) {
    throw asRefusal(error, 'the target: ');
  } finally {
    await cleanup.run();
  }
}

/** Whether a session is that of a caller without credentials. */
function isOfNobody(session: string): boolean {
  return asObject(asObject(parseJson(session))['userCtx'])['name'] === null;
}

/** Where a target file is out of date. */
function contradictions(settings: Settings, told: TargetOptions): string[] {
  return Object.entries(told.settings).flatMap(([name, value]) => {
    const actual = settings.get(name) ?? value;
    return actual === value
      ? []
      : [`${told.file} says otherwise of ${name} than the target's configuration.`];
  });
}

/** One-time codes are a part of the service that no request shows without a user to try them on (SERVICE 5.5). */
function secondFactor({ greeting, dialect }: Identity, users: boolean): CapabilityStatus {
  const word = dialects[dialect].greeting;
  const spoken = typeof greeting[word] === 'string';
  return {
    name: 'totp',
    available: spoken && users,
    how: !users
      ? 'users cannot be created'
      : `the greeting ${spoken ? `has "${word}", and one-time codes are a part of that service` : `lacks "${word}"`}`,
  };
}
