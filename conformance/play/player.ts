/** Writes histories to a database over HTTP, in as few calls as they allow. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  emptyState,
  planWrite,
  type DatabaseState,
  type History,
  type PlannedWrite,
  type Write,
} from '../model/history.js';
import { emptyTree, leaves, type RevisionTree } from '../model/revisions.js';
import { Blocked } from '../verdict/outcomes.js';
import { asObject } from '../client/json.js';
import type { TargetRequest, DatabaseClient } from '../client/client.js';
import { expectJson } from './expect-json.js';

/** What makes databases: the context of a check. */
interface Creator {
  createDatabase(options?: { query?: TargetRequest['query'] }): Promise<DatabaseClient>;
}

/** A new database in which the history has been played. */
export async function playNew(
  context: Creator,
  history: History,
  options?: Parameters<Creator['createDatabase']>[0],
): Promise<{ database: DatabaseClient; state: DatabaseState }> {
  const database = await context.createDatabase(options);
  return { database, state: await play(database, history) };
}

/** How often in a row the feed must show all: of three copies any may answer, and the slowest may be far behind. */
const looks = { inARow: 10, atMost: 200, pauseMs: 20 };

/**
 * Waits until the feed shows what was written, which it may do late where there are several copies. When it never
 * does, that is for the check to judge.
 */
async function waitUntilVisible(database: DatabaseClient, state: DatabaseState): Promise<void> {
  const revs = [...state.values()].flatMap((tree) => leaves(tree).map(({ rev }) => rev));
  for (let look = 0, seen = 0; look < looks.atMost && seen < looks.inARow; look += 1) {
    const { text } = await database.request({ path: '/_changes', query: { style: 'all_docs' } });
    const isThere = revs.every((rev) => text.includes(`"${rev}"`));
    seen = isThere ? seen + 1 : 0;
    if (!isThere) await wait(looks.pauseMs);
  }
}

/**
 * Plays a history and tells what the database holds then. Returns when the feed shows it, unless it never does.
 *
 * @param before what it holds now, where other histories were played before.
 * @throws Blocked when the server refuses a write: no rule of the feed says that it must not.
 */
export async function play(
  database: DatabaseClient,
  history: History,
  before: DatabaseState = emptyState,
): Promise<DatabaseState> {
  const state = new Map(before);
  const lives = history.map(({ id, writes }) => ({ id, writes: [...writes] }));
  while (lives.some(({ writes }) => writes.length > 0)) {
    for (const newEdits of [true, false]) {
      const batch: { id: string; write: PlannedWrite }[] = [];
      for (const { id, writes } of lives) {
        for (const write of nextWrites(id, writes, newEdits, state)) batch.push({ id, write });
      }
      if (batch.length === 0) continue;
      const revs = await bulk(database, newEdits, batch);
      if (newEdits) for (const { id, write } of batch) state.set(id, write.grow(revs.get(id)));
    }
  }
  if (!database.hasOneCopy && history.length > 0) await waitUntilVisible(database, state);
  return state;
}

/**
 * Takes from `writes` what can go into one call: a single edit, since the next may build on the revision that the
 * server answers with; or all grafts up to the next edit, which the state learns at once.
 */
function* nextWrites(
  id: string,
  writes: Write[],
  newEdits: boolean,
  state: Map<string, RevisionTree>,
): Generator<PlannedWrite> {
  while (writes[0] && newEdits === (writes[0].kind !== 'graft')) {
    const tree = state.get(id) ?? emptyTree;
    const write = planWrite(id, tree, writes.shift()!);
    if (!write) continue;
    yield write;
    if (newEdits) return;
    state.set(id, write.grow());
  }
}

/** One `_bulk_docs` call; the revisions that the server chose, by document id. */
async function bulk(
  database: DatabaseClient,
  newEdits: boolean,
  batch: readonly { id: string; write: PlannedWrite }[],
): Promise<ReadonlyMap<string, string>> {
  const docs = await Promise.all(batch.map(({ id, write }) => withStubs(database, id, write.document)));
  const exchange = await database.request({
    method: 'POST',
    path: '/_bulk_docs',
    json: { docs, ...(!newEdits && { new_edits: false }) },
    echoesTarget: true,
  });
  const answers = expectJson(exchange, [201, 202]);
  const revs = new Map<string, string>();
  for (const answer of Array.isArray(answers) ? (answers as unknown[]) : []) {
    const { id, rev, error } = (answer ?? {}) as Record<string, unknown>;
    if (error !== undefined) throw new Blocked(`_bulk_docs refused a document: ${JSON.stringify(answer)}`);
    if (typeof id === 'string' && typeof rev === 'string') revs.set(id, rev);
  }
  const unanswered = newEdits && batch.find(({ id }) => !revs.has(id));
  if (unanswered) throw new Blocked(`_bulk_docs gave no revision for ${JSON.stringify(unanswered.id)}`);
  return revs;
}

/** A stub is sent as the server shows it: some find the attachment by what else is in there. */
async function withStubs(
  database: DatabaseClient,
  id: string,
  document: PlannedWrite['document'],
): Promise<PlannedWrite['document']> {
  const { _attachments: sent = {}, _rev: rev } = document as { _attachments?: object; _rev?: string };
  const kept = Object.entries(sent).filter(([, attachment]) => 'stub' in (attachment as object));
  if (kept.length === 0) return document;
  const base = expectJson(
    await database.request({ path: documentPath(id), query: { rev }, echoesTarget: true }),
    [200],
  );
  const stubs = asObject(asObject(base)['_attachments']);
  const shown = Object.fromEntries(kept.map(([name, stub]) => [name, stubs[name] ?? stub]));
  return { ...document, _attachments: { ...sent, ...shown } };
}

/** The path of a document below its database. The slash of a design document is a part of the path. */
export function documentPath(id: string): string {
  const design = '_design/';
  return id.startsWith(design)
    ? `/${design}${encodeURIComponent(id.slice(design.length))}`
    : `/${encodeURIComponent(id)}`;
}
