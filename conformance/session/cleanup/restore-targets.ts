/** Restores targets after runs that were killed, for `docfeed restore`. */
import { asRefusal, Refusal } from '../../engine/refusal.js';
import { connect, type Connection } from '../../http/http.js';
import { createRedactor } from '../../http/redact.js';
import type { Credentials, HttpClient } from '../../http/client.js';
import { type ChangedSetting, describeTask, type JournalTask } from './cleanup-task.js';
import { startDeadline } from '../../engine/deadlines.js';
import { Unreachable } from '../../engine/outcomes.js';
import { type AbandonedJournal, openJournal } from './journal.js';
import type { JournalHeader } from './journal-lines.js';
import { TargetCleanup } from './cleanup.js';
import { type LockHolder, lockHolder } from './lock.js';

/** The result for one journal, or for one lock. */
export interface RestoreResult<Header = JournalHeader> {
  readonly header: Header;
  /** Descriptions of finished tasks. */
  readonly done: readonly string[];
  /** Descriptions of tasks that failed. */
  readonly left: readonly string[];
}

/**
 * Runs the cleanup tasks in a journal and removes it if all succeed. Can be repeated safely.
 *
 * @param interruption ends it early; the journal then stays.
 * @returns `undefined` if the run is still active. Then nothing was done.
 * @throws Refusal if the file is not a journal, the target is unreachable, or it rejects the credentials.
 */
export async function restoreFrom(
  file: string,
  admin: Credentials | undefined,
  interruption: AbortSignal = new AbortController().signal,
): Promise<RestoreResult | undefined> {
  const journal = openJournal(file);
  if (!journal) return undefined;
  let isDone = false;
  try {
    const { done, left } = await runTasks(journal, admin, interruption);
    isDone = left.length === 0;
    return { header: journal.header, done, left };
  } finally {
    journal.close(isDone);
  }
}

type Outcome = Pick<RestoreResult, 'done' | 'left'>;

async function runTasks(
  { tasks, header }: AbandonedJournal,
  admin: Credentials | undefined,
  interruption: AbortSignal,
): Promise<Outcome> {
  if (tasks.length === 0) return { done: [], left: [] };
  const urls = header.urls.map((url) => new URL(url));
  return withConnection(urls, admin, interruption, async (connection, client) => {
    const holder = tasks.some(({ kind }) => kind === 'lock') ? await lockHolder(client) : undefined;
    const settings = holder?.run === header.run ? holder.settings : [];
    return undo(connection, tasks, settings, interruption);
  });
}

/**
 * Restores the settings that the lock of a target lists, and removes the lock.
 *
 * @returns the run that held it, or `undefined` if there was no lock. The lock stays while a setting is not restored.
 */
export function forceLock(
  url: URL,
  admin: Credentials | undefined,
  interruption: AbortSignal,
): Promise<RestoreResult<LockHolder> | undefined> {
  return withConnection([url], admin, interruption, async (connection, client) => {
    const holder = await lockHolder(client);
    if (holder === undefined) return undefined;
    const { run = 'unknown', settings, urls = [] } = holder;
    const lock: JournalTask = { kind: 'lock', run };
    const restore = async (nodes: Connection): Promise<RestoreResult<LockHolder>> => ({
      header: holder,
      ...(await undo(nodes, [lock], settings, interruption)),
    });
    if (settings.every(({ node }) => node === 0)) return restore(connection);
    // The other nodes have the addresses that the run knew.
    const nodes = [url, ...urls.slice(1).map((other) => new URL(other))];
    return withConnection(nodes, admin, interruption, restore);
  });
}

/** @param settings those that the lock of the target lists */
async function undo(
  connection: Connection,
  tasks: readonly JournalTask[],
  settings: readonly ChangedSetting[],
  interruption: AbortSignal,
): Promise<Outcome> {
  const cleanup = new TargetCleanup(connection);
  for (const task of tasks) cleanup.add(task);
  cleanup.addListed(settings);
  await cleanup.run(cleanup.pending, interruption);
  const left = cleanup.pending;
  const done = [...tasks, ...settings].filter((task) => !left.includes(task));
  return { done: done.map(describeTask), left: left.map(describeTask) };
}

/** Time for all requests except those of cleanup tasks, in milliseconds. */
const timeoutMs = 10_000;

async function withConnection<T>(
  urls: readonly URL[],
  admin: Credentials | undefined,
  interruption: AbortSignal,
  body: (connection: Connection, client: HttpClient) => Promise<T>,
): Promise<T> {
  const connection = connect(urls, admin, createRedactor([]));
  const tooSlow = new Unreachable(`no response within ${timeoutMs / 1000} s`);
  const deadline = startDeadline(interruption, timeoutMs, tooSlow, () => connection.rate.heldMs);
  try {
    const client = connection.client(deadline.signal, []);
    for (const [node, url] of urls.entries()) {
      const { status } = await client
        .request({ path: '/_session', as: 'admin', node })
        .catch((error: unknown) => {
          throw asRefusal(error, `${url.href}: `);
        });
      if (status === 401 || status === 403) {
        throw new Refusal('credentials', `${url.href} rejects the administrator credentials (${status})`);
      }
    }
    return await body(connection, client);
  } finally {
    deadline.clear();
    await connection.close();
  }
}
