/** What a target offers beyond what every target must, and how the kit knows. */
import type { Capability } from '../../openapi/generated/rules.js';
import { asObject, parseJson } from './json.js';
import type { HttpClient } from './client.js';

export interface CapabilityStatus {
  name: Capability;
  available: boolean;
  /** One phrase: what showed it, or why it is taken as missing. */
  how: string;
}

export interface ProbeInput {
  client: HttpClient;
  hasAdmin: boolean;
  nodes: number;
  /** What the checks of the run need: a probe that takes the target some work is made for these only. */
  needed: ReadonlySet<Capability>;
  /** An empty database that was created for the probes with one shard asked for, if creating one worked. */
  database?: {
    path: string;
    /** The body of `GET /{db}`. */
    facts: string;
  };
}

/** Asks the target, and writes to the given database only. Capabilities that are not in the list are not claimed. */
export async function probeCapabilities(input: ProbeInput): Promise<CapabilityStatus[]> {
  const { needed } = input;
  const asked = await Promise.all([
    users(input),
    configRead(input),
    ...(needed.has('functions') ? [functions(input)] : []),
    ...(needed.has('attachments') ? [attachments(input)] : []),
  ]);
  return [admin(input), ...asked, totalOrder(input), singleCopy(input), cluster(input)];
}

function admin({ hasAdmin }: ProbeInput): CapabilityStatus {
  return {
    name: 'admin',
    available: hasAdmin,
    how: hasAdmin
      ? 'administrator credentials were given and work'
      : 'no administrator credentials were given',
  };
}

async function users({ client, hasAdmin }: ProbeInput): Promise<CapabilityStatus> {
  if (!hasAdmin) {
    return { name: 'users', available: false, how: 'only an administrator can create users' };
  }
  const { status } = await client.request({ path: '/_users', as: 'admin' });
  return { name: 'users', available: status === 200, how: `GET /_users is answered with ${status}` };
}

async function configRead({ client, hasAdmin }: ProbeInput): Promise<CapabilityStatus> {
  if (!hasAdmin) {
    return { name: 'config-read', available: false, how: 'only an administrator can read the configuration' };
  }
  const path = '/_node/_local/_config/chttpd';
  const { status } = await client.request({ path, as: 'admin' });
  return { name: 'config-read', available: status === 200, how: `GET ${path} is answered with ${status}` };
}

/** Whether a filter function of a design document is run at all; whether it is run rightly is for the checks. */
async function functions({ client, database }: ProbeInput): Promise<CapabilityStatus> {
  const name = 'functions';
  if (!database) return { name, available: false, how: 'no database could be created to try a filter in' };
  const filters = { probe: 'function (doc, req) { return false; }' };
  const path = `${database.path}/_design/probe`;
  const written = await client.request({ method: 'PUT', path, json: { filters }, as: 'admin' });
  if (written.status >= 300) {
    return { name, available: false, how: `a design document is refused with ${written.status}` };
  }
  const query = { filter: 'probe/probe' };
  const { status } = await client.request({ path: `${database.path}/_changes`, query, as: 'admin' });
  return { name, available: status === 200, how: `a filter function is answered with ${status}` };
}

/** Whether a document with an attachment is taken, and then shows that it has one. */
async function attachments({ client, database }: ProbeInput): Promise<CapabilityStatus> {
  const name = 'attachments';
  if (!database) {
    return { name, available: false, how: 'no database could be created to try an attachment in' };
  }
  const path = `${database.path}/probe`;
  const json = { _attachments: { probe: { content_type: 'text/plain', data: 'cHJvYmU=' } } };
  const written = await client.request({ method: 'PUT', path, json, as: 'admin' });
  if (written.status >= 300) {
    return { name, available: false, how: `a document with an attachment is refused with ${written.status}` };
  }
  const { text } = await client.request({ path, as: 'admin' });
  const shown = text.includes('"_attachments"');
  return {
    name,
    available: shown,
    how: `a document written with an attachment shows ${shown ? 'it' : 'none'}`,
  };
}

/** Only a database of one shard orders its changes totally; a cluster says how many shards one has. */
function totalOrder({ database }: ProbeInput): CapabilityStatus {
  const shards = clusterOf(database?.facts).q;
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
function singleCopy({ database, nodes }: ProbeInput): CapabilityStatus {
  const { n: copies } = clusterOf(database?.facts);
  return {
    name: 'single-copy',
    available: copies === undefined ? nodes === 1 : copies === 1,
    how:
      copies === undefined
        ? `the facts of a database do not say how many copies it has, and ${nodes === 1 ? 'one URL was' : `${nodes} URLs were`} given`
        : `a database has ${JSON.stringify(copies)} ${copies === 1 ? 'copy' : 'copies'}`,
  };
}

function clusterOf(facts = '{}'): { q?: unknown; n?: unknown } {
  return asObject(asObject(parseJson(facts))['cluster']);
}

function cluster({ nodes }: ProbeInput): CapabilityStatus {
  return {
    name: 'cluster',
    available: nodes > 1,
    how: nodes > 1 ? `${nodes} URLs were given` : 'one URL was given',
  };
}
