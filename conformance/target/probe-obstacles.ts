/** Probes once, before the first check, which parts of the service a target does not have: see {@link Obstacle}. */
import type { Exchange, HttpClient, TargetRequest } from '../http/client.js';
import { asObject, parseJson } from '../http/json.js';
import { startDeadline } from '../engine/deadlines.js';
import { Blocked, Inconclusive } from '../engine/outcomes.js';
import { copiesOf, isMissing, type ProbeInput } from './capabilities.js';
import {
  feedWithoutRows,
  ignoredParameters,
  missingEndpoint,
  notJson,
  sameResponse,
  type Obstacle,
  withoutConflicts,
  withoutReplication,
  writesWithoutRevisions,
} from './obstacles.js';

/** Time for all probes, in milliseconds. What they have not shown by then counts as there. */
const probeMs = 5_000;

/** Round trips after which a feed that is still open is waiting. */
const trips = 10;

const modes = ['longpoll', 'continuous', 'eventsource'] as const;

const documents = [{ _id: 'a' }, { _id: 'b' }];

/** Writes two revisions of one document. */
const conflictOf = (id: string) => ({
  docs: ['b', 'a'].map((digit) => ({
    _id: id,
    _rev: `1-${digit.repeat(32)}`,
    _revisions: { start: 1, ids: [digit.repeat(32)] },
  })),
  new_edits: false,
});

/** A parameter that leaves out rows, and a request in which it must. */
const leavesOut = [
  { parameter: 'limit', query: { limit: 1 } },
  { parameter: 'filter=_doc_ids', query: { filter: '_doc_ids', doc_ids: ['none'] } },
  { parameter: 'filter=_design', query: { filter: '_design' } },
];

/** Sends a request. Without a response, the target has shown nothing. */
type Ask = (request: TargetRequest) => Promise<Exchange | undefined>;

/**
 * @param database where to write. Without one, only what needs no database is probed.
 * @returns what is missing. The first that explains a response is the cause.
 */
export async function probeObstacles(
  client: HttpClient,
  database: ProbeInput['database'],
): Promise<readonly Obstacle[]> {
  const tooSlow = new Inconclusive('The probes of what the target has took too long.');
  const deadline = startDeadline(AbortSignal.any([]), probeMs, tooSlow);
  const ask: Ask = (request) =>
    client.request({ as: 'admin', signal: deadline.signal, ...request }).catch((error: unknown) => {
      if (error instanceof Blocked || error instanceof Inconclusive) return undefined;
      throw error;
    });
  try {
    const session = await ask({ path: '/_session' });
    return [
      ...('path' in database
        ? await probeDatabase(database, ask, { session, signal: deadline.signal })
        : missing(database.refusal)),
      ...missing(session),
    ];
  } finally {
    deadline.clear();
  }
}

/** @returns the endpoint of the request, if the target does not have it. */
const missing = (exchange: Exchange | undefined): Obstacle[] =>
  exchange && isMissing(exchange) ? [missingEndpoint(exchange)] : [];

async function probeDatabase(
  database: Extract<ProbeInput['database'], { path: string }>,
  ask: Ask,
  { session, signal }: { session: Exchange | undefined; signal: AbortSignal },
): Promise<Obstacle[]> {
  const { path } = database;
  const write = (json: object): ReturnType<Ask> => ask({ method: 'POST', path: `${path}/_bulk_docs`, json });
  const read = (query: TargetRequest['query'] = {}): ReturnType<Ask> =>
    ask({ path: `${path}/_changes`, query });
  const written = await write({ docs: documents });
  await write(conflictOf('c'));
  const [feed, posted, now] = await Promise.all([
    read(),
    ask({ method: 'POST', path: `${path}/_changes`, json: {} }),
    read({ since: 'now' }),
  ]);
  const inMode = now && isOk(now) ? await ignoredModes(now, path, ask, signal) : new Map<string, Exchange>();
  const ignored = [...inMode.keys()];
  const [unreadable, ...others] = [written, feed, posted, session].flatMap((exchange) =>
    exchange && isOk(exchange) && !isReadable(exchange) ? [exchange] : [],
  );
  if (feed && isOk(feed) && isSame(feed, written) && isSame(feed, session)) return [sameResponse(session!)];
  const rows = rowsOf(feed);
  const hasOneCopy = (copiesOf(database) ?? 1) === 1;
  return [
    ...missing(written),
    ...(unreadable ? [notJson([unreadable, ...others], ignored)] : []),
    ...(isReadable(written) && !returnsRevisions(written) ? [writesWithoutRevisions(written)] : []),
    ...missing(feed),
    ...(isReadable(feed) && !rows ? [feedWithoutRows(feed, ignored)] : []),
    ...missing(posted),
    ...(rows ? await probeParameters(rows, read) : []),
    ...ignoredIn([...inMode].map(([mode, exchange]) => [`feed=${mode}`, exchange])),
    // Last, since it explains the least of a response.
    ...(rows && hasOneCopy ? await probeReplication(read, write) : []),
  ];
}

async function probeParameters(
  all: readonly unknown[],
  read: (query: TargetRequest['query']) => ReturnType<Ask>,
): Promise<Obstacle[]> {
  const [withDocs, ...others] = await Promise.all([
    read({ include_docs: true }),
    ...leavesOut.map(async ({ parameter, query }): Promise<Ignored[]> => {
      const exchange = await read(query);
      const rows = rowsOf(exchange);
      return exchange && rows && rows.length > 1 && rows.length === all.length ? [[parameter, exchange]] : [];
    }),
  ]);
  const rows = rowsOf(withDocs) ?? [];
  const isIgnored = rows.length > 0 && rows.every((row) => !('doc' in asObject(row)));
  const left = others.flat();
  const filters = left.filter(([parameter]) => parameter.startsWith('filter='));
  const [filter] = filters;
  return ignoredIn([
    ...(isIgnored && withDocs ? [['include_docs', withDocs] as const] : []),
    ...left.filter((one) => !filters.includes(one)),
    ...(filter && filters.length > 1 ? [['filter', filter[1]] as const] : filters),
  ]);
}

/** What the target ignores, with a response that shows it. */
type Ignored = readonly [parameter: string, shownBy: Exchange];

function ignoredIn(all: readonly Ignored[]): Obstacle[] {
  const [first] = all;
  return first
    ? [
        ignoredParameters(
          first[1],
          all.map(([parameter]) => parameter),
        ),
      ]
    : [];
}

async function probeReplication(
  read: (query?: TargetRequest['query']) => ReturnType<Ask>,
  write: (json: object) => ReturnType<Ask>,
): Promise<Obstacle[]> {
  const rev = `1-${'e'.repeat(32)}`;
  const written = await write({ docs: [{ _id: 'e', _rev: rev }], new_edits: false });
  if (!written || isMissing(written)) return [];
  const rows = rowsOf(await read());
  if (!rows) return [];
  const changes = rows.map(asObject).find(({ id }) => id === 'e')?.['changes'];
  const isStored = JSON.stringify(changes ?? []).includes(JSON.stringify(rev));
  return isStored ? probeConflict(read, write) : [withoutReplication(written)];
}

async function probeConflict(
  read: (query: TargetRequest['query']) => ReturnType<Ask>,
  write: (json: object) => ReturnType<Ask>,
): Promise<Obstacle[]> {
  /** A response that shows one revision of a document that has two. */
  const withOne = async (wanted: string): Promise<Exchange | undefined> => {
    const exchange = await read({ style: 'all_docs' });
    const changes = (rowsOf(exchange) ?? []).map(asObject).find(({ id }) => id === wanted)?.['changes'];
    return Array.isArray(changes) && changes.length === 1 ? exchange : undefined;
  };
  if (!(await withOne('c'))) return [];
  // An earlier read may have changed what the target shows of a document, so another one is read for the first time.
  await write(conflictOf('d'));
  const shownBy = await withOne('d');
  return shownBy ? [withoutConflicts(shownBy)] : [];
}

/**
 * The modes that the target answers at once like the normal one, although there is nothing to send.
 *
 * @param now the response of normal mode with `since=now`
 */
async function ignoredModes(
  now: Exchange,
  path: string,
  ask: Ask,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Exchange>> {
  const responses = new Map<string, Exchange>();
  if ((rowsOf(now) ?? []).length > 0) return responses;
  const closing = new AbortController();
  const over = AbortSignal.any([signal, closing.signal]);
  const reading = modes.map(async (mode) => {
    const query = { feed: mode, since: 'now' };
    const headers = { accept: '*/*' };
    const exchange = await ask({ path: `${path}/_changes`, query, headers, signal: over });
    if (exchange?.status === now.status && formOf(exchange.text) === formOf(now.text))
      responses.set(mode, exchange);
  });
  const waiting = async (): Promise<void> => {
    for (let trip = 0; trip < trips; trip += 1) await ask({ path, signal: over });
  };
  // A connection that breaks shows nothing, like one that stays open.
  await Promise.race([waiting(), Promise.all(reading)]);
  closing.abort(new Blocked('The probe has ended.'));
  await Promise.all(reading);
  return new Map(modes.flatMap((mode) => (responses.has(mode) ? [[mode, responses.get(mode)!]] : [])));
}

/** The members of an object, or a text that is not JSON. */
function formOf(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : Object.keys(asObject(value)).sort().join();
}

const isSame = ({ status, text }: Exchange, other: Exchange | undefined): boolean =>
  other?.status === status && other.text === text;

const isOk = ({ status }: Exchange): boolean => status >= 200 && status < 300;

const isReadable = (exchange: Exchange | undefined): exchange is Exchange =>
  exchange !== undefined && isOk(exchange) && parseJson(exchange.text) !== undefined;

function rowsOf(exchange: Exchange | undefined): readonly unknown[] | undefined {
  const { results } = isReadable(exchange) ? asObject(parseJson(exchange.text)) : {};
  return Array.isArray(results) ? results : undefined;
}

function returnsRevisions({ text }: Exchange): boolean {
  const results = parseJson(text);
  return Array.isArray(results) && results.every((result) => typeof asObject(result)['rev'] === 'string');
}
