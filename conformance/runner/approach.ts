/** What happens before the first check: who is there, are the credentials good, what is on offer. */
import type { Dialect } from '../../openapi/generated/dialects.js';
import { type Claim, probeCapabilities } from '../target/capabilities.js';
import { detect, type Identity, NotSuchService } from '../target/detect.js';
import type { Credentials, HttpClient } from '../target/target.js';
import { Refusal } from './refusal.js';
import type { Leftovers } from './scope.js';
import { Inconclusive } from './verdict.js';

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
      if (error instanceof NotSuchService) throw new Refusal('target', `${url.href} ${error.message}`);
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
  leftovers: Leftovers;
  admin: Credentials | undefined;
  nodes: number;
  name: string;
}): Promise<{ claims: Claim[]; warnings: string[] }> {
  const { client, leftovers, admin, nodes } = input;
  try {
    if (admin) {
      const { status } = await client.request({ path: '/_session', as: 'admin' });
      if (status === 401 || status === 403) {
        throw new Refusal('credentials', `the target refuses the credentials of "${admin.name}" (${status})`);
      }
    }
    const database = { kind: 'database', name: `docfeed-${input.name}` } as const;
    leftovers.add(database);
    const path = `/${database.name}`;
    const made = await client.request({ method: 'PUT', path, query: { q: 1 }, as: 'admin' });
    const refused = made.status === 401 || made.status === 403;
    if (refused && admin) {
      throw new Refusal('credentials', `"${admin.name}" may not create databases (${made.status})`);
    }
    const facts = made.status < 300 ? await client.request({ path, as: 'admin' }) : undefined;
    const claims = await probeCapabilities({
      client,
      hasAdmin: admin !== undefined,
      nodes,
      ...(facts?.status === 200 ? { database: facts.text } : {}),
    });
    const warnings = refused
      ? [
          'The target lets only administrators create databases: give --admin, or most rules cannot be judged.',
        ]
      : [];
    return { claims, warnings };
  } catch (error) {
    throw asRefusal(error);
  } finally {
    await leftovers.remove();
  }
}

/** A connection that breaks, or a run interrupted, before there is anything to report. */
function asRefusal(error: unknown, where = ''): unknown {
  return error instanceof Inconclusive
    ? new Refusal('target', `${where}${error.message}`, { cause: error })
    : error;
}
