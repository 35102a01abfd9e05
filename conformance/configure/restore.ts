/** `docfeed restore` as a function: pays what runs that were killed have left on their targets. */
import { asRefusal, Refusal } from '../verdict/refusal.js';
import { connect } from '../client/http.js';
import { createRedactor } from '../client/redact.js';
import type { Credentials } from '../client/client.js';
import { type CleanupTask, describeTask } from './cleanup-task.js';
import { type AbandonedJournal, openJournal } from './journal.js';
import { TargetCleanup } from './cleanup.js';
import { breakLock, lockHolder } from './lock.js';

/** What became of one journal. */
export interface RestoreResult {
  readonly file: string;
  /** What was put back or removed, and what could not be. */
  readonly done: readonly string[];
  readonly left: readonly string[];
  /** The run is going on: nothing was done. */
  readonly busy: boolean;
}

/**
 * Pays the tasks in a journal and removes it when all are paid. What is as it was before already stays so: to be
 * called again does no harm.
 *
 * @throws Refusal when the file is no journal, the target cannot be reached, or the credentials are refused.
 */
export async function restoreFrom(file: string, admin: Credentials | undefined): Promise<RestoreResult> {
  const journal = openJournal(file);
  if (!journal) return { file, done: [], left: [], busy: true };
  let allPaid = false;
  try {
    const left = await payAll(journal, admin);
    allPaid = left.length === 0;
    const done = journal.tasks.filter((task) => !left.includes(task));
    return { file, done: done.map(describeTask), left: left.map(describeTask), busy: false };
  } finally {
    journal.close(allPaid);
  }
}

async function payAll(
  journal: AbandonedJournal,
  admin: Credentials | undefined,
): Promise<readonly CleanupTask[]> {
  if (journal.tasks.length === 0) return [];
  return connected(
    journal.header.urls.map((url) => new URL(url)),
    admin,
    async (connection) => {
      const cleanup = new TargetCleanup(connection);
      for (const task of journal.tasks) cleanup.add(task);
      await cleanup.run();
      return cleanup.pending;
    },
  );
}

/**
 * Takes the lock of a target away from whoever has it.
 *
 * @returns whose it was, or `undefined` when nobody had it.
 */
export function forceLock(url: URL, admin: Credentials | undefined): Promise<string | undefined> {
  return connected([url], admin, async (connection) => {
    const client = connection.client(AbortSignal.timeout(answerMs), []);
    const holder = await lockHolder(client);
    if (holder === undefined) return undefined;
    if (!(await breakLock(client))) throw new Refusal('target', `${url.href}: the lock cannot be removed`);
    return holder.run ?? 'unknown';
  });
}

/** How long the target has to answer what comes before the payments, in milliseconds. */
const answerMs = 10_000;

async function connected<T>(
  urls: readonly URL[],
  admin: Credentials | undefined,
  body: (connection: ReturnType<typeof connect>) => Promise<T>,
): Promise<T> {
  const connection = connect(urls, admin, createRedactor([]));
  try {
    const client = connection.client(AbortSignal.timeout(answerMs), []);
    for (const [node, url] of urls.entries()) {
      const { status } = await client
        .request({ path: '/_session', as: 'admin', node })
        .catch((error: unknown) => {
          throw asRefusal(error, `${url.href}: `);
        });
      if (status === 401 || status === 403) {
        throw new Refusal(
          'credentials',
          `${url.href} refuses the credentials of an administrator (${status})`,
        );
      }
    }
    return await body(connection);
  } finally {
    await connection.close();
  }
}
