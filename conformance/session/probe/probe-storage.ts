/**
 * Probes what a target can store, and how it takes it. Each lack is one capability, so that histories do without it and
 * only the checks whose rule is about it are skipped.
 */
import type { Capability } from '../../../openapi/generated/rules.js';
import { Blocked, Inconclusive } from '../../engine/outcomes.js';
import type { Exchange, TargetRequest } from '../../http/client.js';
import { operationName } from '../../http/describe-response.js';
import { bulkRequest, documentPath, type SentDocument, singleRequest } from '../../http/document-requests.js';
import { asObject, feedObject, parseJson } from '../../http/parse-json.js';
import { type CapabilityStatus, capabilityStatus, copiesOf, type ProbeInput } from './capabilities.js';
import { ignoredParameters, type Obstacle, repeatedRows } from './obstacles.js';

/** What became of a document that was written. */
interface Written {
  /** The revision in the response. */
  readonly rev?: string;
  /** A clause that says what is wrong with the response. */
  readonly problem?: string;
  /** Whether the target refuses the document as one that has no such documents. */
  readonly isRefused?: boolean;
}

type Send = (document: SentDocument, options?: { newEdits?: boolean; single?: boolean }) => Promise<Written>;

/** Reads from the database. Without a response, the target has shown nothing. */
type Read = (request: TargetRequest) => Promise<Exchange | undefined>;

interface Storage {
  readonly send: Send;
  readonly read: Read;
}

/** Documents with two branches each. */
const conflicting = ['storage-conflict', 'storage-conflict-2'];

/** Documents of which two revisions come in one request. */
const together = ['storage-together', 'storage-together-2'];

export const storageCapabilities = [
  'bulk-docs',
  'new-edits',
  'conflicts',
  'conflict-edits',
  'recreation',
  'deleted-bodies',
  'design-documents',
  'bulk-design-documents',
  'bulk-revisions',
  'unusual-ids',
  'exact-numbers',
] as const satisfies readonly Capability[];

const severalCopies = 'a copy may lag behind a write';

/** Nothing shows that the target lacks it, so histories have it. */
const assumed = (name: Capability, why: string): CapabilityStatus =>
  capabilityStatus(name, true, `assumed, since ${why}`);

/** How the target took the first document. */
interface FirstWrites {
  readonly bulk: Written;
  /** Without `_bulk_docs`. */
  readonly single: Written | undefined;
}

/** Writes a document to the database, if there is one. What the target does not answer is known to other probes then. */
export async function writeFirst(input: ProbeInput): Promise<FirstWrites | undefined> {
  const { database } = input;
  if (!('path' in database)) return undefined;
  const read = readerOf(input, database.path);
  const bulk = await senderOf(read, true)({ _id: 'storage' });
  return {
    bulk,
    single: bulk.rev === undefined ? await senderOf(read, false)({ _id: 'storage' }) : undefined,
  };
}

export async function probeStorage(
  input: ProbeInput,
  written: FirstWrites | undefined,
): Promise<{ capabilities: CapabilityStatus[]; obstacles: Obstacle[] }> {
  const { database } = input;
  const nothingKnown = (why: string) => ({
    capabilities: storageCapabilities.map((name) => assumed(name, why)),
    obstacles: [],
  });
  if (!('path' in database) || !written) return nothingKnown('no database could be created to probe it');
  const { bulk, single } = written;
  if (single && single.rev === undefined) return nothingKnown(`${bulk.problem}, and ${single.problem}`);
  const read = readerOf(input, database.path);
  const storage = { read, send: senderOf(read, single === undefined) };
  const hasOneCopy = (copiesOf(database) ?? input.nodes) === 1;
  const probed = await Promise.all([
    designDocuments(storage, single === undefined),
    revisions(storage, hasOneCopy),
    deletions(storage, hasOneCopy),
    unusualIds(storage),
    exactNumbers(storage),
  ]);
  const capabilities = [
    statusOf('bulk-docs', bulk, 'POST /{db}/_bulk_docs writes documents'),
    ...probed.flat(),
  ];
  const has = (wanted: Capability): boolean =>
    capabilities.some(({ name, available }) => name === wanted && available);
  const ofRevisions = await revisionsTogether(storage, hasOneCopy && has('new-edits'), has('bulk-docs'));
  return {
    capabilities: [...capabilities, ofRevisions.capability],
    obstacles: [
      ...ofRevisions.obstacles,
      ...(hasOneCopy && has('conflicts') ? await leafObstacles(storage) : []),
    ],
  };
}

const readerOf =
  ({ client }: ProbeInput, path: string): Read =>
  (request) =>
    client.request({ as: 'admin', ...request, path: path + request.path }).catch((error: unknown) => {
      if (error instanceof Blocked || error instanceof Inconclusive) return undefined;
      throw error;
    });

/** @param isBulk whether the target takes documents with `_bulk_docs` */
const senderOf =
  (read: Read, isBulk: boolean): Send =>
  async (document, { newEdits = true, single = !isBulk } = {}) => {
    const request = single ? singleRequest(document, newEdits) : bulkRequest([document], newEdits);
    const exchange = await read(request);
    const operation = operationName(request.method!, `/docfeed-probe${request.path}`);
    if (!exchange) return { problem: `${operation} is not answered` };
    const { status, text } = exchange;
    if (status >= 300) return { problem: `${operation} returns ${status}`, isRefused: status < 500 };
    const body = parseJson(text);
    const { rev, error } = asObject(Array.isArray(body) ? (body as unknown[])[0] : body);
    if (error !== undefined)
      return { problem: `${operation} refuses the document with ${JSON.stringify(error)}`, isRefused: true };
    if (typeof rev === 'string') return { rev };
    return newEdits ? { problem: `${operation} returns no revision` } : {};
  };

function statusOf(name: Capability, { problem, isRefused }: Written, how: string): CapabilityStatus {
  if (problem === undefined) return capabilityStatus(name, true, how);
  return capabilityStatus(name, isRefused ? false : undefined, problem);
}

async function designDocuments({ send }: Storage, hasBulk: boolean): Promise<CapabilityStatus[]> {
  const document = { _id: '_design/storage', value: 1 };
  const how = 'a document whose id begins with _design/ is written';
  const usual = await send(document);
  if (usual.problem === undefined || !hasBulk)
    return [
      statusOf('design-documents', usual, how),
      hasBulk
        ? capabilityStatus('bulk-design-documents', true, how)
        : capabilityStatus('bulk-design-documents', false, 'documents are written one by one'),
    ];
  return [
    statusOf('design-documents', await send(document, { single: true }), how),
    statusOf('bulk-design-documents', usual, how),
  ];
}

const revOf = (digit: string, generation = 1): string => `${generation}-${digit.repeat(32)}`;

/** @param digits that of each revision, from the newest to the first. */
const withRevision = (id: string, ...digits: readonly [string, ...string[]]): SentDocument => ({
  _id: id,
  _rev: revOf(digits[0], digits.length),
  _revisions: { start: digits.length, ids: digits.map((digit) => digit.repeat(32)) },
});

async function revisions(storage: Storage, hasOneCopy: boolean): Promise<CapabilityStatus[]> {
  const { send } = storage;
  const chosen = await send(withRevision('storage-revision', 'e'), { newEdits: false });
  const shown = chosen.problem === undefined ? await shownRevisions(storage, 'storage-revision', 1) : [];
  const isIgnored = shown.length > 0 && !shown.includes(revOf('e'));
  const newEdits = isIgnored
    ? capabilityStatus(
        'new-edits',
        false,
        '`new_edits: false` is ignored: the target makes its own revisions',
      )
    : statusOf('new-edits', chosen, 'a document keeps the revision that it brings');
  if (!newEdits.available) return [newEdits];
  const ofConflicts = hasOneCopy
    ? await conflicts(storage)
    : [assumed('conflicts', severalCopies), assumed('conflict-edits', severalCopies)];
  return [newEdits, ...ofConflicts];
}

async function conflicts(storage: Storage): Promise<CapabilityStatus[]> {
  const { read, send } = storage;
  const [id] = conflicting as [string];
  let written: Written = {};
  for (const one of conflicting)
    for (const digit of ['b', 'a'])
      if (written.problem === undefined) written = await send(withRevision(one, digit), { newEdits: false });
  const shown = written.problem === undefined ? await shownRevisions(storage, id, 2) : [];
  const isLost = written.problem === undefined && shown.length < 2;
  const kept = isLost
    ? capabilityStatus(
        'conflicts',
        false,
        'of two conflicting revisions of a document, the target shows only one',
      )
    : statusOf('conflicts', written, 'a document keeps two conflicting revisions');
  if (!kept.available) return [kept];
  const winning = asObject(parseJson((await read({ path: documentPath(id) }))?.text ?? ''))['_rev'];
  const losing = shown.find((rev) => rev !== winning);
  const edited =
    typeof winning === 'string' && losing !== undefined ? await send({ _id: id, _rev: losing }) : {};
  return [kept, statusOf('conflict-edits', edited, 'a revision that does not win can be edited')];
}

/** Whether a document can be written with several of its revisions in one request, and then has one row. */
async function revisionsTogether(
  { read }: Storage,
  isKnown: boolean,
  hasBulk: boolean,
): Promise<{ capability: CapabilityStatus; obstacles: Obstacle[] }> {
  const name = 'bulk-revisions';
  const withObstacles = (capability: CapabilityStatus, ...obstacles: Obstacle[]) => ({
    capability,
    obstacles,
  });
  if (!hasBulk) return withObstacles(capabilityStatus(name, false, 'documents are written one by one'));
  if (!isKnown) return withObstacles(assumed(name, 'only chosen revisions on a single copy show it'));
  const documents = together.flatMap((id) => [withRevision(id, 'a'), withRevision(id, 'b', 'a')]);
  const written = await read(bulkRequest(documents, false));
  const refused = listOf(parseJson(written?.text ?? ''))
    .map(asObject)
    .find(({ error }) => error !== undefined);
  if (refused)
    return withObstacles(
      capabilityStatus(
        name,
        false,
        `POST /{db}/_bulk_docs refuses the second revision of a document with ${JSON.stringify(refused['error'])}`,
      ),
    );
  const feed = await read({ path: '/_changes' });
  const rows = (feedObject(parseJson(feed?.text ?? '')).results ?? []).map(asObject);
  const areRepeated = together.every((id) => rows.filter((row) => row['id'] === id).length > 1);
  if (!feed || !areRepeated)
    return withObstacles(capabilityStatus(name, true, 'a document takes two revisions in one request'));
  const how = 'a document has two rows if two of its revisions come in one request';
  return withObstacles(capabilityStatus(name, false, how), repeatedRows(feed, how, together[0]!));
}

/** Whether the feed shows one revision of each document that has two. A row that is missing is a matter of other rules. */
async function leafObstacles({ read }: Storage): Promise<Obstacle[]> {
  const exchange = await read({ path: '/_changes', query: { style: 'all_docs' } });
  if (!exchange) return [];
  const shown = conflicting.map((id) => leavesInFeed(parseJson(exchange.text), id));
  return shown.every(({ length }) => length === 1) ? [ignoredParameters(exchange, ['style=all_docs'])] : [];
}

/** @returns the leaf revisions of a document that any of the target's reads shows, until there are so many */
async function shownRevisions({ read }: Storage, id: string, enough: number): Promise<readonly string[]> {
  const path = documentPath(id);
  const reads: readonly (readonly [TargetRequest, (body: unknown) => readonly unknown[]])[] = [
    [{ path, query: { conflicts: true } }, leavesOfDocument],
    [
      { path, query: { open_revs: 'all' }, headers: { accept: 'application/json' } },
      (body) => listOf(body).map((one) => asObject(asObject(one)['ok'])['_rev']),
    ],
    [{ path: '/_changes', query: { style: 'all_docs' } }, (body) => leavesInFeed(body, id)],
  ];
  const found = new Set<string>();
  for (const [request, revisionsIn] of reads) {
    const exchange = await read(request);
    const body = exchange && exchange.status < 300 ? parseJson(exchange.text) : undefined;
    for (const rev of revisionsIn(body)) if (typeof rev === 'string') found.add(rev);
    if (found.size >= enough) break;
  }
  return [...found];
}

const leavesInFeed = (feed: unknown, id: string): readonly unknown[] =>
  (feedObject(feed).results ?? [])
    .map(asObject)
    .filter((row) => row['id'] === id)
    .flatMap(({ changes }) => listOf(changes).map((change) => asObject(change)['rev']));

function leavesOfDocument(body: unknown): readonly unknown[] {
  const { _rev: rev, _conflicts: conflicts } = asObject(body);
  return [rev, ...listOf(conflicts)];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

async function deletions({ read, send }: Storage, hasOneCopy: boolean): Promise<CapabilityStatus[]> {
  const id = 'storage-deletion';
  const document = { _id: id, value: 1 };
  const { rev } = await send(document);
  const deleting = { _id: id, _rev: rev, _deleted: true };
  const whole = await send({ ...deleting, value: 1 });
  const deleted = whole.rev === undefined ? await send(deleting) : whole;
  if (deleted.rev === undefined) {
    const why = `a document cannot be deleted: ${deleted.problem}`;
    return [assumed('deleted-bodies', why), assumed('recreation', why)];
  }
  const isDropped = (stored: Readonly<Record<string, unknown>>): boolean =>
    stored['_deleted'] === true && !('value' in stored);
  const path = documentPath(id);
  const exchange = await read({ path, query: { rev: deleted.rev }, echoesTarget: true });
  // Not every target returns a deleted document.
  const stored = exchange?.status === 200 ? asObject(parseJson(exchange.text)) : await docInFeed(read, id);
  return [
    isDropped(stored)
      ? capabilityStatus('deleted-bodies', false, 'the target keeps nothing of the body of a deletion')
      : statusOf('deleted-bodies', whole, 'a deletion keeps its body'),
    hasOneCopy
      ? statusOf('recreation', await send(document), 'a deleted document can be made again')
      : assumed('recreation', severalCopies),
  ];
}

async function docInFeed(read: Read, id: string): Promise<Readonly<Record<string, unknown>>> {
  const feed = await read({ path: '/_changes', query: { include_docs: true } });
  const rows = (feedObject(parseJson(feed?.text ?? '')).results ?? []).map(asObject);
  return asObject(rows.findLast((row) => row['id'] === id)?.['doc']);
}

/** Of each kind of ids that need escaping, or that are long, one. */
const unusual = ['a/b', '/', ' ', 'a+b', '100%', '%2F', '?a=b&c#d', '😀', '"quoted"', '\\', 'é', 'e\u0301'];
const unusualAsWell = ['x'.repeat(200), ' _design/a', 'x_local/a', 'org.couchdb.user:storage'];

async function unusualIds({ send }: Storage): Promise<CapabilityStatus[]> {
  const all = await Promise.all(
    [...unusual, ...unusualAsWell].map(async (id) => ({ id, written: await send({ _id: id }) })),
  );
  const refused = all.find(({ written }) => written.problem !== undefined);
  const written = refused
    ? { ...refused.written, problem: `the id ${JSON.stringify(refused.id)}: ${refused.written.problem}` }
    : {};
  return [statusOf('unusual-ids', written, 'documents with unusual ids are written')];
}

/** Numbers that only all their digits tell from others. */
const numbers = [0.1 + 0.2, Number.MAX_SAFE_INTEGER, 123_456_789.123_456_79, -1e-7, 2 / 3];

async function exactNumbers({ read, send }: Storage): Promise<CapabilityStatus[]> {
  const name = 'exact-numbers';
  const id = 'storage-numbers';
  const { problem } = await send({ _id: id, numbers });
  const exchange = await read({ path: documentPath(id) });
  if (problem !== undefined || exchange?.status !== 200)
    return [assumed(name, problem ?? 'the document with the numbers cannot be read')];
  const stored = listOf(asObject(parseJson(exchange.text))['numbers']);
  const changed = numbers.findIndex((number, index) => stored[index] !== number);
  return [
    changed < 0
      ? capabilityStatus(name, true, 'a document keeps numbers of 17 digits')
      : capabilityStatus(
          name,
          false,
          `a document has ${JSON.stringify(stored[changed])} for ${numbers[changed]}`,
        ),
  ];
}
