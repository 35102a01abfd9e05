/** Restores and removes what a run changed: after a check, at the end of the run, and for `docfeed restore`. */
import pMap from 'p-map';
import type { Connection } from '../../http/http.js';
import type { Exchange, HttpClient, TargetRequest } from '../../http/client.js';
import { abortAfter } from '../../engine/deadlines.js';
import { userPath } from './user-requests.js';
import { writeSetting } from './config-endpoint.js';
import type { CleanupTask, CreatedItem } from './cleanup-task.js';
import type { RunJournal } from './journal.js';
import { releaseLock } from './lock.js';

/** Time to remove one database or user, in milliseconds. */
const removalMs = 10_000;
/** Time to restore all settings, in milliseconds. */
const settingsMs = 30_000;

/** Number of databases and users that are removed concurrently. */
const concurrency = 8;

export class TargetCleanup {
  readonly #connection: Connection;
  readonly #journal: Pick<RunJournal, 'add' | 'markDone'> | undefined;
  readonly #pending = new Set<CleanupTask>();
  /** Requests that have created an item, or may still do so. */
  readonly #creating = new Map<CleanupTask, Set<Promise<Exchange>>>();

  /** @param journal stores each task before the run creates or changes something. */
  constructor(connection: Connection, journal?: Pick<RunJournal, 'add' | 'markDone'>) {
    this.#connection = connection;
    this.#journal = journal;
  }

  /** Call this before the request that changes something: a lost response does not mean that nothing has changed. */
  add<Task extends CleanupTask>(task: Task): Task {
    this.#journal?.add(task);
    this.#pending.add(task);
    return task;
  }

  /**
   * Sends a request that may create an item, which becomes a task. If the target refuses, there is nothing to remove. The
   * removal waits for the response.
   */
  async create(item: CreatedItem, client: HttpClient, request: TargetRequest): Promise<Exchange> {
    if (!this.#pending.has(item)) this.add(item);
    const requests = this.#creating.get(item) ?? new Set();
    const response = client.request(request);
    this.#creating.set(item, requests.add(response));
    const exchange = await response;
    if (await hasRefused(client, request, exchange)) {
      requests.delete(response);
      if (requests.size === 0) this.markDone(item);
    }
    return exchange;
  }

  /** The task is done, or there is nothing to do. */
  markDone(task: CleanupTask): void {
    this.#pending.delete(task);
    this.#creating.delete(task);
    this.#journal?.markDone(task);
  }

  get pending(): readonly CleanupTask[] {
    return [...this.#pending];
  }

  /**
   * Runs tasks, the latest first. Never throws: tasks that fail stay pending. The lock is last and stays while a setting
   * is not restored, since another run would take the current values for the original ones.
   *
   * @param interruption ends the clean-up early; the other tasks stay pending.
   */
  async run(
    tasks: Iterable<CleanupTask> = this.#pending,
    interruption: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    const latestFirst = [...tasks].filter((task) => this.#pending.has(task)).reverse();
    // Independent of the signal of a check, whose deadline may have passed.
    const { rate } = this.#connection;
    const clientFor = (ms: number): HttpClient =>
      this.#connection.client(
        abortAfter(ms, interruption, () => rate.heldMs),
        [],
      );
    const runTask = async (task: CleanupTask, client?: HttpClient): Promise<void> => {
      await Promise.allSettled([...(this.#creating.get(task) ?? [])]);
      if (await cleanUp(client ?? clientFor(removalMs), task).catch(() => false)) this.markDone(task);
    };
    const created = latestFirst.filter(({ kind }) => kind === 'database' || kind === 'user');
    await pMap(created, (task) => runTask(task), { concurrency });
    const client = clientFor(settingsMs);
    for (const task of latestFirst.filter(({ kind }) => kind === 'setting')) await runTask(task, client);
    if (this.pending.some(({ kind }) => kind === 'setting')) return;
    for (const task of latestFirst.filter(({ kind }) => kind === 'lock')) await runTask(task, client);
  }
}

/** @returns true if the target is as it was before. */
async function cleanUp(client: HttpClient, task: CleanupTask): Promise<boolean> {
  switch (task.kind) {
    case 'database': {
      const path = `/${encodeURIComponent(task.name)}`;
      const { status } = await client.request({ method: 'DELETE', path, as: 'admin' });
      if (status < 300 || status === 404) return true;
      // A server may lack the means to remove what it has never created.
      return (await client.request({ path, as: 'admin' })).status === 404;
    }
    case 'user':
      return removeUser(client, task.name);
    case 'setting':
      return (await writeSetting(client, task.node, task.name, task.before)) === task.before;
    case 'lock':
      return releaseLock(client, task.run);
  }
}

/**
 * Whether the target has created nothing. After a failure of the target, or if the item is there, although only this run
 * uses its name, a look at the item decides. A gateway that had no answer knows nothing.
 */
async function hasRefused(
  client: HttpClient,
  { path }: TargetRequest,
  { status }: Exchange,
): Promise<boolean> {
  if (status < 300) return false;
  if (status < 500 && status !== 409 && status !== 412) return true;
  const found = await client.request({ path, as: 'admin', background: true });
  return found.status >= 300 && found.status !== 502 && found.status !== 504;
}

async function removeUser(client: HttpClient, id: string): Promise<boolean> {
  const path = userPath(id);
  const read = await client.request({ path, as: 'admin' });
  if (read.status === 404) return true;
  if (read.status !== 200) return false;
  const { _rev: rev } = read.object();
  const { status } = await client.request({ method: 'DELETE', path, query: { rev }, as: 'admin' });
  return status < 300;
}
