/** Probes which optional capabilities a target has, and records how the suite knows. */
import type { Capability } from '../../../openapi/generated/rules.js';
import { asObject, parseJson } from '../../http/parse-json.js';
import { orUnanswered, Unanswered } from '../../http/unanswered.js';
import { type Blocked, Unreachable } from '../../engine/outcomes.js';
import { Oversized } from '../../http/oversized.js';
import type { Exchange, HttpClient } from '../../http/client.js';

export interface CapabilityStatus {
  name: Capability;
  available: boolean;
  /** A phrase for reports: what showed that the capability is there or missing. */
  how: string;
  /**
   * True if the target responds neither like a server that has the capability nor like one that lacks it, for example
   * with 500. Checks that need the capability are then blocked instead of skipped.
   */
  undecided?: boolean;
  /** The shortest way to make a missing capability available, such as `use --configure`. */
  remedy?: string;
}

export interface ProbeInput {
  client: HttpClient;
  hasAdmin: boolean;
  /** Number of nodes. */
  nodes: number;
  /** Capabilities that the selected checks need or may use. Expensive probes run only for these. */
  relevant: ReadonlySet<Capability>;
  /**
   * An empty database that the suite created for the probes, if possible with one shard, or why it could not create one.
   */
  database:
    | {
        path: string;
        /** Whether it was created with `q=1`, since otherwise a database has more than one shard, or may have. */
        withQ: boolean;
        /** The response to `GET /{db}`, if there is one. */
        info?: Exchange;
      }
    | { refusal: Exchange }
    /** Without a response. */
    | { blocked: Blocked };
}

/** What the body of a POST of the feed may have without an effect: no filter knows it. */
export const unknownMember = { comment: 'docfeed' };

/** Sends requests to the target and writes to the given database only. */
export async function probeCapabilities(input: ProbeInput): Promise<CapabilityStatus[]> {
  const { relevant } = input;
  const probed = await Promise.all([
    decided('users', users(input)),
    ...(relevant.has('functions') ? [decided('functions', functions(input))] : []),
    ...(relevant.has('attachments') ? [decided('attachments', attachments(input))] : []),
    decided('total-order', totalOrder(input)),
  ]);
  return [admin(input), ...probed, singleCopy(input), cluster(input)];
}

const maxPhraseLength = 1000;

/** A response that is too long to read, or missing, shows neither that the target has the capability nor that it lacks it. */
async function decided(name: Capability, probe: Promise<CapabilityStatus>): Promise<CapabilityStatus> {
  try {
    return await probe;
  } catch (error) {
    if (error instanceof Oversized || error instanceof Unanswered)
      return capabilityStatus(name, undefined, error.message);
    throw error;
  }
}

/** @param available `undefined` if the target shows neither that it has the capability nor that it lacks it. */
export function capabilityStatus(
  name: Capability,
  available: boolean | undefined,
  how: string,
  remedy?: string,
): CapabilityStatus {
  return {
    name,
    available: available === true,
    // Some phrases quote the target.
    how: how.slice(0, maxPhraseLength),
    ...(available === undefined ? { undecided: true } : {}),
    ...(available === true || remedy === undefined ? {} : { remedy }),
  };
}

/** True for the response of a server that does not have the resource, method or feature at all. */
export const isMissing = ({ status }: Exchange): boolean => [404, 405, 501].includes(status);

/** True for the response of a server without a feature: it is missing, or refused with an error body (SERVICE 7). */
export function isUnsupported(exchange: Exchange): boolean {
  if (isMissing(exchange)) return true;
  const { error, reason } = asObject(parseJson(exchange.text));
  return [400, 403].includes(exchange.status) && typeof error === 'string' && typeof reason === 'string';
}

/** The status of a capability for which a request must succeed. @param request what was sent, as a noun phrase */
const statusFrom = (name: Capability, request: string, exchange: Exchange): CapabilityStatus =>
  capabilityStatus(
    name,
    exchange.status < 300 || (isUnsupported(exchange) ? false : undefined),
    `${request} returns ${exchange.status}`,
  );

function admin({ hasAdmin }: ProbeInput): CapabilityStatus {
  return capabilityStatus(
    'admin',
    hasAdmin,
    hasAdmin ? 'the given administrator credentials work' : 'no administrator credentials given',
    'use --admin',
  );
}

/**
 * Whether users can be created in the database `_users`. It is part of the service (SERVICE 4.4), and so is the login of
 * its users (SERVICE 4.3). Only a server without both does not offer users.
 */
async function users({ client, hasAdmin }: ProbeInput): Promise<CapabilityStatus> {
  const name = 'users';
  if (!hasAdmin)
    return capabilityStatus(name, false, 'only an administrator can create users', 'use --admin');
  const database = await client.request({ path: '/_users', as: 'admin' });
  const how = `GET /_users returns ${database.status}`;
  if (database.status === 200) return capabilityStatus(name, true, how);
  if (!isMissing(database)) return capabilityStatus(name, undefined, how);
  const json = { name: 'docfeed-probe', password: 'docfeed-probe' };
  const login = await client.request({ method: 'POST', path: '/_session', json });
  const loginHow = `POST /_session returns ${login.status}`;
  return isMissing(login)
    ? capabilityStatus(name, false, `${how}, and ${loginHow}`)
    : capabilityStatus(
        name,
        undefined,
        `${how}, but ${loginHow}: the target has a login without a users database`,
        'create the database _users, or use --lack users',
      );
}

/** Whether the target runs filter functions of design documents. Checks verify that it runs them correctly. */
async function functions(input: ProbeInput): Promise<CapabilityStatus> {
  const { client, database } = input;
  const name = 'functions';
  if (!('path' in database)) return withoutDatabase(input, name);
  const filters = { probe: 'function (doc, req) { return false; }' };
  const path = `${database.path}/_design/probe`;
  const written = await client.request({ method: 'PUT', path, json: { filters }, as: 'admin' });
  if (written.status >= 300) return statusFrom(name, 'PUT of a design document', written);
  const query = { filter: 'probe/probe' };
  const request = { path: `${database.path}/_changes`, as: 'admin' } as const;
  const feed = await client.request({ ...request, query });
  // What is not answered is known from then on, by the first request that has it. What is late once shows nothing.
  const post = { ...request, method: 'POST' };
  for (const one of [{ json: unknownMember }, { query, json: {} }, { query, json: unknownMember }])
    await orUnanswered(client.request({ ...post, ...one })).catch((error: unknown) => {
      if (!(error instanceof Unreachable)) throw error;
    });
  return statusFrom(name, 'a changes feed with a filter function', feed);
}

/** Whether the target keeps attachments. A server without them must refuse a document rather than drop its content. */
async function attachments(input: ProbeInput): Promise<CapabilityStatus> {
  const { client, database } = input;
  const name = 'attachments';
  if (!('path' in database)) return withoutDatabase(input, name);
  const path = `${database.path}/probe`;
  const json = { _attachments: { probe: { content_type: 'text/plain', data: 'cHJvYmU=' } } };
  const written = await client.request({ method: 'PUT', path, json, as: 'admin' });
  if (written.status >= 300) return statusFrom(name, 'PUT of a document with an attachment', written);
  const { status, text } = await client.request({ path, as: 'admin' });
  const isKept = 'probe' in asObject(asObject(parseJson(text))['_attachments']);
  return isKept
    ? capabilityStatus(name, true, 'a document written with an attachment has it when read')
    : capabilityStatus(
        name,
        undefined,
        status === 200
          ? 'the target accepts a document with an attachment, but the attachment is missing when read'
          : `GET of a document with an attachment returns ${status}`,
        'use --lack attachments if the target does not offer them',
      );
}

/**
 * Only a database with one shard has a total order of changes. A cluster reports the number of shards; of another target,
 * the feed shows whether it has the order of the writes.
 */
async function totalOrder(input: ProbeInput): Promise<CapabilityStatus> {
  const { database } = input;
  const name = 'total-order';
  if (!('path' in database)) return withoutDatabase(input, name);
  if (database.info && database.info.status >= 300)
    return statusFrom(name, 'GET of a database', database.info);
  const { q: shards } = clusterInfo(database);
  if (shards === undefined) return orderOfWrites(input.client, database.path);
  const created = database.withQ ? ' created with q=1' : '';
  const how = `a database${created} has ${JSON.stringify(shards)} shard${shards === 1 ? '' : 's'}`;
  return capabilityStatus(name, shards === 1, how);
}

/** In no order of ids, and so many that several shards would hardly send them in the order of the writes. */
const orderedIds = [7, 2, 11, 4, 9, 1, 12, 5, 8, 3, 10, 6].map((number) => `order-${number}`);

async function orderOfWrites(client: HttpClient, path: string): Promise<CapabilityStatus> {
  const name = 'total-order';
  const unknown = 'the database information does not include the number of shards';
  for (const id of orderedIds) {
    const written = await client.request({ method: 'PUT', path: `${path}/${id}`, json: {}, as: 'admin' });
    if (written.status >= 300) return statusFrom(name, `${unknown}, and PUT of a document`, written);
  }
  for (let read = 0; read < 3; read += 1) {
    const { text } = await client.request({ path: `${path}/_changes`, as: 'admin' });
    const { results } = asObject(parseJson(text));
    const ids = (Array.isArray(results) ? (results as unknown[]) : []).map((row) => asObject(row)['id']);
    const inOrder = ids.filter((id) => orderedIds.includes(id as string));
    if (inOrder.join() !== orderedIds.join())
      return capabilityStatus(
        name,
        false,
        `${unknown}, and the feed has not the order of the writes`,
        'use --have total-order if all calls return the changes in the order of the writes',
      );
  }
  return capabilityStatus(name, true, 'the feed has the order of the writes');
}

/** With several copies of a shard, a copy that lags behind may respond, and rows repeat (SERVICE 4.7 rule 4). */
function singleCopy({ database, nodes }: ProbeInput): CapabilityStatus {
  const { n: copies } = clusterInfo(database);
  return capabilityStatus(
    'single-copy',
    copies === undefined ? nodes === 1 : copies === 1,
    copies === undefined
      ? `the database information does not include the number of copies; ${urlCount(nodes)}`
      : `a database has ${JSON.stringify(copies)} ${copies === 1 ? 'copy' : 'copies'}`,
    'also check a single node',
  );
}

/** Whether the database has one shard, as far as the target tells it. */
export const hasOneShard = (database: ProbeInput['database']): boolean => clusterInfo(database).q === 1;

/** The number of copies of a database, if the target tells it. */
export function copiesOf(database: ProbeInput['database']): number | undefined {
  const { n } = clusterInfo(database);
  return typeof n === 'number' ? n : undefined;
}

function clusterInfo(database: ProbeInput['database']): { q?: unknown; n?: unknown } {
  return 'path' in database ? asObject(asObject(parseJson(database.info?.text ?? ''))['cluster']) : {};
}

/** The status of a capability whose probe needs a database. */
function withoutDatabase({ database, hasAdmin }: ProbeInput, name: Capability): CapabilityStatus {
  const status = 'refusal' in database ? database.refusal.status : undefined;
  const problem = 'blocked' in database ? database.blocked.obstacle : `PUT returns ${status}`;
  const how = `no database could be created to probe it: ${problem}`;
  const isForbidden = !hasAdmin && (status === 401 || status === 403);
  return capabilityStatus(
    name,
    isForbidden ? false : undefined,
    how,
    isForbidden ? 'use --admin' : undefined,
  );
}

function cluster({ nodes }: ProbeInput): CapabilityStatus {
  return capabilityStatus('cluster', nodes > 1, urlCount(nodes), 'pass the URLs of several nodes');
}

const urlCount = (nodes: number): string => (nodes > 1 ? `${nodes} URLs given` : 'only one URL given');
