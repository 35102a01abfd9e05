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

  /** @param journal where debts are written down before they are made. */
  constructor(connection: Connection, journal?: Pick<Journal, 'add' | 'markDone'>) {
    this.#connection = connection;
    this.#journal = journal;
  }

  /** To be called before the debt is made: an answer that never arrives does not mean that nothing was made. */
  add<D extends CleanupTask>(debt: D): D {
    this.#journal?.add(debt);
    this.#open.add(debt);
    return debt;
  }

  /** The debt is not paid before the target has answered whether it is made. */
  async whileCreating<T>(debt: CleanupTask, answer: Promise<T>): Promise<T> {
    this.#underWay.set(debt, answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(debt);
    }
  }

  /** Nothing was made after all, or it is paid. */
  markDone(debt: CleanupTask): void {
    this.#open.delete(debt);
    this.#journal?.markDone(debt);
  }

  get pending(): readonly CleanupTask[] {
    return [...this.#open];
  }

  /**
   * Pays what is owed, the latest first. Never throws: what resists stays open. The lock comes last, and stays as long
   * as a setting does: another run would take what it finds for what is to be put back.
   */
  async run(debts: Iterable<CleanupTask> = this.#open): Promise<void> {
    const latestFirst = [...debts].reverse();
    // Not the signal of a check: its time may be over, and what it made must still go.
    const clientFor = (ms: number): HttpClient => this.#connection.client(AbortSignal.timeout(ms), []);
    const one = async (debt: CleanupTask, client?: HttpClient): Promise<void> => {
      await this.#underWay.get(debt)?.catch(() => {});
      if (await cleanUp(client ?? clientFor(removalMs), debt).catch(() => false)) this.markDone(debt);
    };
    const made = latestFirst.filter(({ kind }) => kind === 'database' || kind === 'user');
    await pMap(made, (debt) => one(debt), { concurrency });
    const client = clientFor(settingsMs);
    for (const debt of latestFirst.filter(({ kind }) => kind === 'setting')) await one(debt, client);
    if (this.pending.some(({ kind }) => kind === 'setting')) return;
    for (const debt of latestFirst.filter(({ kind }) => kind === 'lock')) await one(debt, client);
  }
}

/** True when the target is as it was before. */
async function cleanUp(client: HttpClient, debt: CleanupTask): Promise<boolean> {
  switch (debt.kind) {
    case 'database': {
      const path = `/${encodeURIComponent(debt.name)}`;
      const { status } = await client.request({ method: 'DELETE', path, as: 'admin' });
      return status < 300 || status === 404;
    }
    case 'user':
      return removeUser(client, debt.name);
    case 'setting':
      return (await writeSetting(client, debt.node, debt.name, debt.before)) === debt.before;
    case 'lock':
      return releaseLock(client, debt.run);
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
