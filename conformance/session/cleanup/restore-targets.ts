/** Restores targets after runs that were killed, for `docfeed restore`. */
import { asRefusal, Refusal } from '../../engine/refusal.js';
import { connect, type Connection } from '../../http/http.js';
import { createRedactor } from '../../http/redact.js';
import type { Credentials, HttpClient } from '../../http/client.js';
import { type CleanupTask, describeTask } from './cleanup-task.js';
import { startDeadline } from '../../engine/deadlines.js';
import { Unreachable } from '../../engine/outcomes.js';
import { type AbandonedJournal, openJournal } from './journal.js';
import type { JournalHeader } from './journal-lines.js';
import { TargetCleanup } from './cleanup.js';
import { breakLock, lockHolder } from './lock.js';

/** The result for one journal. */
export interface RestoreResult {
  readonly header: JournalHeader;
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
    const left = await runTasks(journal, admin, interruption);
    isDone = left.length === 0;
    const done = journal.tasks.filter((task) => !left.includes(task));
    return { header: journal.header, done: done.map(describeTask), left: left.map(describeTask) };
  } finally {
    journal.close(isDone);
  }
}

/** @returns the tasks that failed. */
async function runTasks(
  journal: AbandonedJournal,
  admin: Credentials | undefined,
  interruption: AbortSignal,
): Promise<readonly CleanupTask[]> {
  if (journal.tasks.length === 0) return [];
  return withConnection(
    journal.header.urls.map((url) => new URL(url)),
    admin,
    interruption,
    async (connection) => {
      const cleanup = new TargetCleanup(connection);
      for (const task of journal.tasks) cleanup.add(task);
      await cleanup.run(cleanup.pending, interruption);
      return cleanup.pending;
    },
  );
}

/**
 * Removes the lock of a target.
 *
 * @returns the id of the run that held it, or `undefined` if there was no lock.
 */
export function forceLock(
  url: URL,
  admin: Credentials | undefined,
  interruption: AbortSignal,
): Promise<string | undefined> {
  return withConnection([url], admin, interruption, async (_, client) => {
    const holder = await lockHolder(client);
    if (holder === undefined) return undefined;
    if (!(await breakLock(client)))
      throw new Refusal('target', `${url.href}: the target refuses to remove the lock`);
    return holder.run ?? 'unknown';
  });
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
