/** What a target offers beyond what every target must, and how the kit knows. */
import type { Capability } from '../../openapi/generated/rules.js';
import type { HttpClient } from './target.js';

export interface Claim {
  name: Capability;
  available: boolean;
  /** One phrase: what showed it, or why it is taken as missing. */
  how: string;
}

export interface ProbeInput {
  client: HttpClient;
  hasAdmin: boolean;
  nodes: number;
  /** The body of `GET /{db}` for a database that was created with one shard asked for, if creating one worked. */
  database?: string;
}

/** Asks the target, and changes nothing. Capabilities that are not in the list are not claimed. */
export async function probeCapabilities(input: ProbeInput): Promise<Claim[]> {
  const claims = [
    admin(input),
    await users(input),
    await configRead(input),
    totalOrder(input),
    singleCopy(input),
    cluster(input),
  ];
  return claims;
}

function admin({ hasAdmin }: ProbeInput): Claim {
  return {
    name: 'admin',
    available: hasAdmin,
    how: hasAdmin
      ? 'administrator credentials were given and work'
      : 'no administrator credentials were given',
  };
}

async function users({ client, hasAdmin }: ProbeInput): Promise<Claim> {
  if (!hasAdmin) {
    return { name: 'users', available: false, how: 'only an administrator can create users' };
  }
  const { status } = await client.request({ path: '/_users', as: 'admin' });
  return { name: 'users', available: status === 200, how: `GET /_users is answered with ${status}` };
}

async function configRead({ client, hasAdmin }: ProbeInput): Promise<Claim> {
  if (!hasAdmin) {
    return { name: 'config-read', available: false, how: 'only an administrator can read the configuration' };
  }
  const path = '/_node/_local/_config/chttpd/authentication_handlers';
  const { status } = await client.request({ path, as: 'admin' });
  return { name: 'config-read', available: status === 200, how: `GET ${path} is answered with ${status}` };
}

/** Only a database of one shard orders its changes totally; a cluster says how many shards one has. */
function totalOrder({ database }: ProbeInput): Claim {
  const shards = clusterOf(database).q;
  return {
    name: 'total-order',
    available: shards === 1,
    how:
      shards === undefined
        ? 'the facts of a database do not say how many shards it has'
        : `a database created with q=1 has ${JSON.stringify(shards)} shards`,
  };
}

/** Where a shard has several copies, one that is behind may answer, and rows are repeated (SERVICE 4.7 rule 4). */
function singleCopy({ database, nodes }: ProbeInput): Claim {
  const { n: copies = 1 } = clusterOf(database);
  return {
    name: 'single-copy',
    available: copies === 1 && nodes === 1,
    how:
      copies === 1 && nodes > 1
        ? `${nodes} URLs were given`
        : `a database has ${JSON.stringify(copies)} ${copies === 1 ? 'copy' : 'copies'}`,
  };
}

function clusterOf(facts = '{}'): { q?: unknown; n?: unknown } {
  try {
    return (JSON.parse(facts) as { cluster?: { q?: unknown; n?: unknown } } | null)?.cluster ?? {};
  } catch {
    return {};
  }
}

function cluster({ nodes }: ProbeInput): Claim {
  return {
    name: 'cluster',
    available: nodes > 1,
    how: nodes > 1 ? `${nodes} URLs were given` : 'one URL was given',
  };
}
