/**
 * Writes histories to a database over HTTP, in as few requests as possible, and without what the target cannot store: see
 * {@link storable}.
 */
import { setTimeout as wait } from 'node:timers/promises';
import pMap from 'p-map';
import {
  emptyState,
  newDocument,
  planWrite,
  type DatabaseState,
  type History,
  type PlannedWrite,
  type Write,
} from '../oracle/history.js';
import { isDesignId, storable } from '../oracle/storable.js';
import { emptyTree, leaves, withWinner, type Revision, type RevisionTree } from '../oracle/revisions.js';
import { Blocked, LaterFeature, Skip } from '../engine/outcomes.js';
import { asObject, parseJson } from '../http/parse-json.js';
import type { DatabaseClient, Exchange, TargetRequest } from '../http/client.js';
import { bulkRequest, documentPath, singleRequest } from '../http/document-requests.js';
import { operationName } from '../http/describe-response.js';
import { groupBy } from '../../reports/group.js';
import { expectJson } from './expect-json.js';
import { recordTrees, recordWrite } from './writes-record.js';
import { type Row, rowOf } from './read-feed.js';

/** The part of a check context that creates databases. */
interface DatabaseCreator {
  createDatabase(options?: { query?: TargetRequest['query'] }): Promise<DatabaseClient>;
}

/** Creates a database and plays the history in it. */
export async function playNew(
  context: DatabaseCreator,
  history: History,
  options?: Parameters<DatabaseCreator['createDatabase']>[0],
): Promise<{ database: DatabaseClient; state: DatabaseState }> {
  const database = await context.createDatabase(options);
  return { database, state: await play(database, history) };
}

/**
 * How often the feed is read. If there are several copies, it must be complete several times in a row, since any may answer
 * and the slowest one may be far behind.
 */
const reads = { inARow: 10, atMost: 200, pauseMs: 20 };

/**
 * Waits until the feed contains all writes, which may take a moment if the target has several copies. Gives up
 * silently: a missing row is for the check to find.
 *
 * @param hasAll whether these rows show all writes
 * @returns after how many milliseconds, if it does
 */
async function waitUntilVisible(
  database: DatabaseClient,
  hasAll: (rows: readonly Row[]) => boolean,
): Promise<number | undefined> {
  const from = performance.now();
  let enough = database.hasOneCopy ? 1 : reads.inARow;
  let visibleAt = from;
  for (let read = 0, inARow = 0; read < reads.atMost; read += 1) {
    const query = { style: 'all_docs' };
    const answer = await database
      .request({ path: '/_changes', query, background: true })
      .catch((error: unknown) => {
        if (!(error instanceof LaterFeature)) throw error;
      });
    // A target that somebody builds need not have the parameter yet.
    if (!answer) return undefined;
    const { results } = asObject(parseJson(answer.text));
    const rows: unknown[] = Array.isArray(results) ? results : [];
    const isComplete = hasAll(rows.flatMap((value) => rowOf(value, '') ?? []));
    // A row of a single copy that is gone again was not late: the feed loses it now and then, which is for checks to find.
    if (!isComplete && database.hasOneCopy && inARow > 0) return 0;
    if (isComplete && inARow === 0 && read > 0) visibleAt = performance.now();
    inARow = isComplete ? inARow + 1 : 0;
    if (inARow === enough) return visibleAt - from;
    if (isComplete) continue;
    // The first time that a row is late, it must stay from then on.
    if (!database.feedLag?.isBehind) enough = reads.inARow;
    await wait(reads.pauseMs);
  }
  return undefined;
}

/**
 * Waits for writes that others than {@link play} have sent, where the feed may be behind them.
 *
 * @param hasAll whether these rows show them
 */
export async function awaitRows(
  database: DatabaseClient,
  hasAll: (rows: readonly Row[]) => boolean,
): Promise<void> {
  if (!database.hasOneCopy) await waitUntilVisible(database, hasAll);
  else if (database.feedLag?.isWatched) database.feedLag.saw(await waitUntilVisible(database, hasAll));
}

/** Whether rows with all leaf revisions show these documents. Documents with the same content may have the same revision. */
function showing(state: DatabaseState): (rows: readonly Row[]) => boolean {
  const written = [...state].flatMap(([id, tree]) => leaves(tree).map(({ rev }) => `${rev} ${id}`));
  return (rows) => {
    const shown = new Set(rows.flatMap(({ id, revs }) => revs.map((rev) => `${rev} ${id}`)));
    return written.every((one) => shown.has(one));
  };
}

/**
 * Plays a history and returns the state of the database afterwards, without its winning revisions: see
 * {@link readWinners}. Resolves when the feed contains the writes, or after some attempts.
 *
 * @param before the state after the histories that were played before.
 * @throws Blocked if the server rejects a write, which no rule of the feed forbids.
 */
export async function play(
  database: DatabaseClient,
  history: History,
  before: DatabaseState = emptyState,
): Promise<DatabaseState> {
  const state = new Map(before);
  database.recorder.holds(() => recordTrees(state));
  const remaining = history.map(({ id, writes }) => ({ id, writes: [...writes] }));
  while (remaining.some(({ writes }) => writes.length > 0)) {
    // The target may continue the winning revision of a deleted document when it is created again.
    await addWinners(
      database,
      state,
      remaining
        .filter(({ id, writes }) => writes.length > 0 && leavesOf(state, id).every(({ deleted }) => deleted))
        .map(({ id }) => id),
    );
    for (const newEdits of [true, false]) {
      const batch = interleaved(
        remaining.map(({ id, writes }) =>
          [...nextWrites(database, { id, writes }, newEdits, state)].map((write) => ({ id, write })),
        ),
      );
      if (batch.length === 0) continue;
      const recreates = batch.some(({ id, write }) => state.has(id) && !('_rev' in write.document));
      // A copy that does not have the deletion yet would create an unrelated revision.
      if (newEdits && recreates && !database.hasOneCopy) await waitUntilVisible(database, showing(state));
      const revs = await sendBatch(database, newEdits, batch);
      if (newEdits) for (const { id, write } of batch) state.set(id, write.grow(revs.get(id)));
    }
  }
  if (history.length > 0) await awaitRows(database, showing(state));
  return state;
}

/**
 * The state with the winning revision of each document, which checks need that compare with it. Takes one request, or
 * none if no document has several leaves.
 */
export async function readWinners(database: DatabaseClient, state: DatabaseState): Promise<DatabaseState> {
  const known = new Map(state);
  await addWinners(database, known, [...state.keys()]);
  database.recorder.holds(() => recordTrees(known));
  return known;
}

const leavesOf = (state: DatabaseState, id: string): Revision[] => leaves(state.get(id) ?? emptyTree);

/**
 * Adds to the state which leaf of each of these documents wins, if there are several. A target without `_all_docs`, which
 * also shows deleted documents, must choose as CouchDB does; and so must one with several copies, since a copy may show
 * an earlier winner.
 */
async function addWinners(
  database: DatabaseClient,
  state: Map<string, RevisionTree>,
  ids: readonly string[],
): Promise<void> {
  const keys = ids.filter((id) => leavesOf(state, id).length > 1);
  if (keys.length === 0 || !database.hasOneCopy) return;
  const { text } = await database.request({ method: 'POST', path: '/_all_docs', json: { keys } });
  const { rows } = asObject(parseJson(text));
  for (const row of Array.isArray(rows) ? (rows as unknown[]) : []) {
    const { id, value } = asObject(row);
    const tree = typeof id === 'string' ? state.get(id) : undefined;
    if (tree) state.set(id as string, withWinner(tree, asObject(value)['rev']));
  }
}

/** The first of each list, then the second, and so on, so that changes of different documents follow each other. */
function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

/** Writes one document, for checks to which its content does not matter. Returns the state like {@link play}. */
export function putDocument(
  database: DatabaseClient,
  id: string,
  before?: DatabaseState,
): Promise<DatabaseState> {
  return play(database, [newDocument(id)], before);
}

/**
 * Writes a local document, which is no change of the database.
 *
 * @throws Skip if the target has no local documents.
 */
export async function putLocalDocument(database: DatabaseClient, id: string): Promise<void> {
  const path = `/_local/${encodeURIComponent(id)}`;
  const exchange = await database.request({ method: 'PUT', path, json: { value: 1 } });
  if ([404, 405, 501].includes(exchange.status)) throw new Skip('The target has no local documents.');
  expectJson(exchange);
}

/**
 * Removes from `writes` those that fit into one request: a single edit, since the next one may build on the revision
 * in the response; or all replicated writes up to the next edit, which are added to the state immediately.
 */
function* nextWrites(
  { lacks }: DatabaseClient,
  { id, writes }: { readonly id: string; readonly writes: Write[] },
  newEdits: boolean,
  state: Map<string, RevisionTree>,
): Generator<PlannedWrite> {
  while (writes[0]) {
    const tree = state.get(id) ?? emptyTree;
    const write = storable(id, tree, writes[0], lacks);
    if (write && newEdits !== (write.kind !== 'replicate')) return;
    writes.shift();
    const planned = write && planWrite(id, tree, write);
    if (!planned) continue;
    yield planned;
    if (newEdits) return;
    state.set(id, planned.grow());
  }
}

interface BatchWrite {
  readonly id: string;
  readonly write: PlannedWrite;
}

/** Sends the writes in as few requests as the target accepts. Returns the revisions in the responses, by document id. */
async function sendBatch(
  database: DatabaseClient,
  newEdits: boolean,
  batch: readonly BatchWrite[],
): Promise<ReadonlyMap<string, string>> {
  const { lacks } = database;
  const isSingle = ({ id }: BatchWrite): boolean =>
    lacks.has('bulk-docs') || (lacks.has('bulk-design-documents') && isDesignId(id));
  const together = batch.filter((one) => !isSingle(one));
  const revs = new Map<string, string>();
  for (const round of lacks.has('bulk-revisions') ? roundsOf(together) : [together])
    if (round.length > 0)
      for (const [id, rev] of await sendTogether(database, newEdits, round)) revs.set(id, rev);
  const alone = groupBy(batch.filter(isSingle), ({ id }) => id);
  await pMap(
    alone,
    async ([id, writes]) => {
      for (const one of writes) revs.set(id, await sendSingle(database, newEdits, one));
    },
    { concurrency: mostAtOnce },
  );
  return revs;
}

/** Splits a batch so that no part has several revisions of a document. */
function roundsOf(batch: readonly BatchWrite[]): BatchWrite[][] {
  const rounds: BatchWrite[][] = [];
  const seen = new Map<string, number>();
  for (const one of batch) {
    const round = seen.get(one.id) ?? 0;
    seen.set(one.id, round + 1);
    (rounds[round] ??= []).push(one);
  }
  return rounds;
}

/** How many documents are written at the same time, where each takes a request. */
const mostAtOnce = 8;

async function sendTogether(
  database: DatabaseClient,
  newEdits: boolean,
  batch: readonly BatchWrite[],
): Promise<ReadonlyMap<string, string>> {
  const docs = await Promise.all(batch.map((one) => toSend(database, one)));
  const { hasOneCopy, copies } = database;
  const exchange = await database.request({
    ...bulkRequest(docs, newEdits),
    // A copy without an earlier revision would create an unrelated one.
    ...(!hasOneCopy && copies !== undefined && { query: { w: copies } }),
  });
  const results = expectJson(exchange);
  const revs = new Map<string, string>();
  for (const result of Array.isArray(results) ? (results as unknown[]) : []) {
    const { id, rev, error } = asObject(result);
    if (error !== undefined) {
      throw new Blocked(`The target rejects a document in _bulk_docs: ${JSON.stringify(result)}`, {
        obstacle: `_bulk_docs rejects a document with the error ${JSON.stringify(error)}`,
      });
    }
    if (typeof id === 'string' && typeof rev === 'string') revs.set(id, rev);
  }
  record(database, exchange, batch, (id) => (newEdits ? revs.get(id) : undefined));
  const missing = newEdits && batch.find(({ id }) => !revs.has(id));
  if (missing) {
    throw new Blocked(`_bulk_docs returns no revision for ${JSON.stringify(missing.id)}.`, {
      obstacle: '_bulk_docs returns no revision for a document',
    });
  }
  return revs;
}

/** @returns the revision in the response */
async function sendSingle(database: DatabaseClient, newEdits: boolean, write: BatchWrite): Promise<string> {
  const exchange = await database.request(singleRequest(await toSend(database, write), newEdits));
  const { rev } = asObject(expectJson(exchange));
  if (typeof rev !== 'string') {
    const { method = 'GET', path } = exchange.request;
    const operation = operationName(method, path);
    throw new Blocked(`${operation} returns no revision for ${JSON.stringify(write.id)}.`, {
      obstacle: `${operation} returns no revision`,
    });
  }
  record(database, exchange, [write], () => (newEdits ? rev : undefined));
  return rev;
}

/** @param chosen the revision that the target has chosen for the document with an id, if it has */
function record(
  { recorder }: DatabaseClient,
  exchange: Exchange,
  batch: readonly BatchWrite[],
  chosen: (id: string) => string | undefined,
): void {
  recorder.wrote(
    exchange,
    batch.map(({ id, write: { document } }) => recordWrite(id, document, chosen(id))),
  );
}

/** Replaces stubs by those of the server: some servers use their other members to find the attachment. */
async function toSend(
  database: DatabaseClient,
  { id, write: { document } }: BatchWrite,
): Promise<PlannedWrite['document']> {
  const { _attachments: sent = {}, _rev: rev } = document as { _attachments?: object; _rev?: string };
  const stubs = Object.entries(sent).filter(([, attachment]) => 'stub' in (attachment as object));
  if (stubs.length === 0) return document;
  const base = expectJson(
    await database.request({ path: documentPath(id), query: { rev }, echoesTarget: true }),
  );
  const stored = asObject(asObject(base)['_attachments']);
  const replaced = Object.fromEntries(stubs.map(([name, stub]) => [name, stored[name] ?? stub]));
  return { ...document, _attachments: { ...sent, ...replaced } };
}
