/** What a run owes its target, and how it is paid: at the end of a check, at the end of the run, by `docfeed restore`. */
import pMap from 'p-map';
import type { Connection } from '../client/http.js';
import type { HttpClient } from '../client/client.js';
import { userPath } from '../client/users.js';
import { writeSetting } from './config-endpoint.js';
import type { CleanupTask } from './cleanup-task.js';
import type { Journal } from './journal.js';
import { releaseLock } from './lock.js';

/** How long the target has to remove one database or user, and to take back all settings, in milliseconds. */
const removalMs = 10_000;
const settingsMs = 30_000;

/** How many databases or users are removed beside each other. */
const concurrency = 8;

export class TargetCleanup {
  readonly #connection: Connection;
  readonly #journal: Pick<Journal, 'add' | 'markDone'> | undefined;
  readonly #open = new Set<CleanupTask>();
  readonly #underWay = new Map<CleanupTask, Promise<unknown>>();

  /** @param journal where tasks are written down before they are made. */
  constructor(connection: Connection, journal?: Pick<Journal, 'add' | 'markDone'>) {
    this.#connection = connection;
    this.#journal = journal;
  }

  /** To be called before the task is made: an answer that never arrives does not mean that nothing was made. */
  add<D extends CleanupTask>(task: D): D {
    this.#journal?.add(task);
    this.#open.add(task);
    return task;
  }

  /** The task is not paid before the target has answered whether it is made. */
  async whileCreating<T>(task: CleanupTask, answer: Promise<T>): Promise<T> {
    this.#underWay.set(task, answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(task);
    }
  }

  /** Nothing was made after all, or it is paid. */
  markDone(task: CleanupTask): void {
    this.#open.delete(task);
    this.#journal?.markDone(task);
  }

  get pending(): readonly CleanupTask[] {
    return [...this.#open];
  }

  /**
   * Pays what is owed, the latest first. Never throws: what resists stays open. The lock comes last, and stays as long
   * as a setting does: another run would take what it finds for what is to be put back.
   */
  async run(tasks: Iterable<CleanupTask> = this.#open): Promise<void> {
    const latestFirst = [...tasks].reverse();
    // Not the signal of a check: its time may be over, and what it made must still go.
    const clientFor = (ms: number): HttpClient => this.#connection.client(AbortSignal.timeout(ms), []);
    const one = async (task: CleanupTask, client?: HttpClient): Promise<void> => {
      await this.#underWay.get(task)?.catch(() => {});
      if (await cleanUp(client ?? clientFor(removalMs), task).catch(() => false)) this.markDone(task);
    };
    const made = latestFirst.filter(({ kind }) => kind === 'database' || kind === 'user');
    await pMap(made, (task) => one(task), { concurrency });
    const client = clientFor(settingsMs);
    for (const task of latestFirst.filter(({ kind }) => kind === 'setting')) await one(task, client);
    if (this.pending.some(({ kind }) => kind === 'setting')) return;
    for (const task of latestFirst.filter(({ kind }) => kind === 'lock')) await one(task, client);
  }
}

/** True when the target is as it was before. */
async function cleanUp(client: HttpClient, task: CleanupTask): Promise<boolean> {
  switch (task.kind) {
    case 'database': {
      const path = `/${encodeURIComponent(task.name)}`;
      const { status } = await client.request({ method: 'DELETE', path, as: 'admin' });
      return status < 300 || status === 404;
    }
    case 'user':
      return removeUser(client, task.name);
    case 'setting':
      return (await writeSetting(client, task.node, task.name, task.before)) === task.before;
    case 'lock':
      return releaseLock(client, task.run);
  }
}

async function removeUser(client: HttpClient, id: string): Promise<boolean> {
  const path = userPath(id);
  const found = await client.request({ path, as: 'admin' });
  if (found.status === 404) return true;
  if (found.status !== 200) return false;
  const { _rev: rev } = found.object();
  const { status } = await client.request({ method: 'DELETE', path, query: { rev }, as: 'admin' });
  return status < 300;
}
