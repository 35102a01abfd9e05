/** Probes which optional capabilities a target has, and records how the kit knows. */
import type { Capability } from '../../openapi/generated/rules.js';
import { asObject, parseJson } from './json.js';
import type { HttpClient } from './client.js';

export interface CapabilityStatus {
  name: Capability;
  available: boolean;
  /** A phrase for reports: what showed that the capability is there or missing. */
  how: string;
}

export interface ProbeInput {
  client: HttpClient;
  hasAdmin: boolean;
  /** Number of nodes. */
  nodes: number;
  /** Capabilities that the selected checks need. Expensive probes run only for these. */
  needed: ReadonlySet<Capability>;
  /** An empty database that the kit created for the probes with `q=1`, unless creating it failed. */
  database?: {
    path: string;
    /** The body of `GET /{db}`. */
    info: string;
  };
}

/** Sends requests to the target and writes to the given database only. */
export async function probeCapabilities(input: ProbeInput): Promise<CapabilityStatus[]> {
  const { needed } = input;
  const probed = await Promise.all([
    users(input),
    configRead(input),
    ...(needed.has('functions') ? [functions(input)] : []),
    ...(needed.has('attachments') ? [attachments(input)] : []),
  ]);
  return [admin(input), ...probed, totalOrder(input), singleCopy(input), cluster(input)];
}

function admin({ hasAdmin }: ProbeInput): CapabilityStatus {
  return {
    name: 'admin',
    available: hasAdmin,
    how: hasAdmin ? 'the given administrator credentials work' : 'no administrator credentials given',
  };
}

async function users({ client, hasAdmin }: ProbeInput): Promise<CapabilityStatus> {
  if (!hasAdmin) return { name: 'users', available: false, how: 'only an administrator can create users' };
  const { status } = await client.request({ path: '/_users', as: 'admin' });
  return { name: 'users', available: status === 200, how: `GET /_users returns ${status}` };
}

async function configRead({ client, hasAdmin }: ProbeInput): Promise<CapabilityStatus> {
  if (!hasAdmin) {
    return { name: 'config-read', available: false, how: 'only an administrator can read the configuration' };
  }
  const path = '/_node/_local/_config/chttpd';
  const { status } = await client.request({ path, as: 'admin' });
  return { name: 'config-read', available: status === 200, how: `GET ${path} returns ${status}` };
}

/** Whether the target runs filter functions of design documents. Checks verify that it runs them correctly. */
async function functions({ client, database }: ProbeInput): Promise<CapabilityStatus> {
  const name = 'functions';
  if (!database)
    return { name, available: false, how: 'no database could be created to try a filter function' };
  const filters = { probe: 'function (doc, req) { return false; }' };
  const path = `${database.path}/_design/probe`;
  const written = await client.request({ method: 'PUT', path, json: { filters }, as: 'admin' });
  if (written.status >= 300) {
    return { name, available: false, how: `PUT of a design document returns ${written.status}` };
  }
  const query = { filter: 'probe/probe' };
  const { status } = await client.request({ path: `${database.path}/_changes`, query, as: 'admin' });
  return { name, available: status === 200, how: `a changes feed with a filter function returns ${status}` };
}

async function attachments({ client, database }: ProbeInput): Promise<CapabilityStatus> {
  const name = 'attachments';
  if (!database) return { name, available: false, how: 'no database could be created to try an attachment' };
  const path = `${database.path}/probe`;
  const json = { _attachments: { probe: { content_type: 'text/plain', data: 'cHJvYmU=' } } };
  const written = await client.request({ method: 'PUT', path, json, as: 'admin' });
  if (written.status >= 300) {
    return { name, available: false, how: `PUT of a document with an attachment returns ${written.status}` };
  }
  const { text } = await client.request({ path, as: 'admin' });
  const isKept = text.includes('"_attachments"');
  return {
    name,
    available: isKept,
    how: `a document written with an attachment ${isKept ? 'has it' : 'does not have it'} when read`,
  };
}

/** Only a database with one shard has a total order of changes. A cluster reports the number of shards. */
function totalOrder({ database }: ProbeInput): CapabilityStatus {
  const shards = clusterInfo(database?.info).q;
  return {
    name: 'total-order',
    available: shards === 1,
    how:
      shards === undefined
        ? 'the database information does not include the number of shards'
        : `a database created with q=1 has ${JSON.stringify(shards)} shard${shards === 1 ? '' : 's'}`,
  };
}

/** With several copies of a shard, a copy that lags behind may respond, and rows repeat (SERVICE 4.7 rule 4). */
function singleCopy({ database, nodes }: ProbeInput): CapabilityStatus {
  const { n: copies } = clusterInfo(database?.info);
  return {
    name: 'single-copy',
    available: copies === undefined ? nodes === 1 : copies === 1,
    how:
      copies === undefined
        ? `the database information does not include the number of copies; ${urlCount(nodes)}`
        : `a database has ${JSON.stringify(copies)} ${copies === 1 ? 'copy' : 'copies'}`,
  };
}

function clusterInfo(databaseInfo = '{}'): { q?: unknown; n?: unknown } {
  return asObject(asObject(parseJson(databaseInfo))['cluster']);
}

function cluster({ nodes }: ProbeInput): CapabilityStatus {
  return { name: 'cluster', available: nodes > 1, how: urlCount(nodes) };
}

const urlCount = (nodes: number): string => (nodes > 1 ? `${nodes} URLs given` : 'only one URL given');
