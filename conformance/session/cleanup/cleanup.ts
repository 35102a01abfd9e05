/** Restores and removes what a run changed: after a check, at the end of the run, and for `docfeed restore`. */
import pMap from 'p-map';
import type { Connection } from '../../http/http.js';
import type { Exchange, HttpClient, TargetRequest } from '../../http/client.js';
import { abortAfter } from '../../engine/deadlines.js';
import { baseUrl } from '../../http/base-url.js';
import { CommandFailed, runCommand, type ShellCommand } from '../database-command.js';
import { userPath } from './user-requests.js';
import { writeSetting } from './config-endpoint.js';
import type {
  ChangedSetting,
  CleanupTask,
  CreatedDatabase,
  CreatedDocuments,
  CreatedItem,
  JournalTask,
} from './cleanup-task.js';
import type { RunJournal } from './journal.js';
import { listInLock, releaseLock } from './lock.js';

/** Time to remove one database or user, in milliseconds. */
const removalMs = 10_000;
/** Time to restore all settings, in milliseconds. */
const settingsMs = 30_000;

/** Number of databases and users that are removed concurrently. */
const concurrency = 8;

export class TargetCleanup {
  readonly #connection: Connection;
  readonly #journal: Pick<RunJournal, 'add' | 'update' | 'markDone'> | undefined;
  readonly #pending = new Set<CleanupTask>();
  readonly #problems = new Map<CleanupTask, string>();
  /** Requests and commands that have created an item, or may still do so. */
  readonly #creating = new Map<CleanupTask, Set<Promise<unknown>>>();

  /** The lock lists the settings of one group of checks after those of another. */
  #listed: Promise<void> = Promise.resolve();

  /** @param journal stores each task before the run creates something, or takes the lock. */
  constructor(connection: Connection, journal?: Pick<RunJournal, 'add' | 'update' | 'markDone'>) {
    this.#connection = connection;
    this.#journal = journal;
  }

  /** Call this before the request that changes something: a lost response does not mean that nothing has changed. */
  add<Task extends JournalTask>(task: Task): Task {
    this.#journal?.add(task);
    this.#pending.add(task);
    return task;
  }

  /**
   * Call this before the requests that change settings. When it resolves, the lock on the target lists them.
   *
   * @throws Blocked if the target refuses. Then there is nothing to restore.
   */
  async addSettings(client: HttpClient, settings: readonly ChangedSetting[]): Promise<void> {
    this.addListed(settings);
    await this.#listSettings(client).catch((error: unknown) => {
      for (const setting of settings) this.#pending.delete(setting);
      throw error;
    });
  }

  /** Adds settings that the lock on the target lists already. */
  addListed(settings: readonly ChangedSetting[]): void {
    for (const setting of settings) this.#pending.add(setting);
  }

  #listSettings(client: HttpClient): Promise<void> {
    const [lock] = this.pending.filter((task) => task.kind === 'lock');
    if (!lock) return Promise.resolve();
    const listing = this.#listed.then(() =>
      listInLock(
        client,
        lock.run,
        this.pending.filter((task) => task.kind === 'setting'),
      ),
    );
    this.#listed = listing.catch(() => undefined);
    return listing;
  }

  /**
   * Sends a request that may create an item, which becomes a task. If the target refuses, there is nothing to remove. The
   * removal waits for the response.
   */
  async create(item: CreatedItem, client: HttpClient, request: TargetRequest): Promise<Exchange> {
    if (!this.#pending.has(item)) this.add(item);
    const response = client.request(request);
    const requests = this.#noteCreation(item, response);
    const exchange = await response;
    if (await hasRefused(client, request, exchange)) {
      requests.delete(response);
      if (requests.size === 0) this.markDone(item);
    }
    return exchange;
  }

  /**
   * Creates a database with a command, and keeps where it is. If the command fails, there is nothing to remove.
   *
   * @throws CommandFailed
   */
  async createWith(command: ShellCommand, item: CreatedDatabase): Promise<URL> {
    this.add(item);
    const creation = runCommand(command, environmentOf(item)).then((output) => {
      const url = urlIn(command, output);
      item.url = url.href;
      this.#journal?.update(item);
      return url;
    });
    this.#noteCreation(item, creation);
    return creation.catch((error: unknown) => {
      if (error instanceof CommandFailed && error.hasCreatedNothing) this.markDone(item);
      throw error;
    });
  }

  /** Keeps which documents a check is about to write. */
  noteDocuments(item: CreatedDocuments, ids: readonly string[]): void {
    const added = [...new Set(ids)].filter((id) => !item.ids.includes(id));
    if (added.length === 0) return;
    item.ids.push(...added);
    if (this.#pending.has(item)) this.#journal?.update(item);
    else this.add(item);
  }

  #noteCreation(item: CreatedItem, creation: Promise<unknown>): Set<Promise<unknown>> {
    const creations = this.#creating.get(item) ?? new Set();
    this.#creating.set(item, creations.add(creation));
    return creations;
  }

  /** The task is done, or there is nothing to do. */
  markDone(task: CleanupTask): void {
    this.#pending.delete(task);
    this.#creating.delete(task);
    if (task.kind !== 'setting') this.#journal?.markDone(task);
  }

  get pending(): readonly CleanupTask[] {
    return [...this.#pending];
  }

  /** Why commands could not remove what is pending. */
  get problems(): readonly string[] {
    return [...new Set(this.pending.flatMap((task) => this.#problems.get(task) ?? []))];
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
      const isDone = await cleanUp(client ?? clientFor(removalMs), task).catch((error: unknown) => {
        if (error instanceof CommandFailed) this.#problems.set(task, error.message);
        return false;
      });
      if (isDone) this.markDone(task);
    };
    const created = latestFirst.filter(({ kind }) => kind !== 'setting' && kind !== 'lock');
    await pMap(created, (task) => runTask(task), { concurrency });
    const client = clientFor(settingsMs);
    const settings = latestFirst.filter(({ kind }) => kind === 'setting');
    for (const task of settings) await runTask(task, client);
    const locks = latestFirst.filter(({ kind }) => kind === 'lock');
    const isOver = locks.length > 0 && !this.pending.some(({ kind }) => kind === 'setting');
    if (isOver) for (const task of locks) await runTask(task, client);
    // A setting that the lock still lists has its value of before.
    else if (settings.length > 0) await this.#listSettings(client).catch(() => undefined);
  }
}

/** What the commands of the target file find in their environment. */
const environmentOf = ({ name, url = '' }: CreatedDatabase) => ({
  DOCFEED_DATABASE_NAME: name,
  DOCFEED_DATABASE_URL: url,
});

/** The URL in the last line that a command has printed. */
function urlIn({ name }: ShellCommand, output: string): URL {
  const line = output.trimEnd().split('\n').at(-1)!.trim();
  try {
    return baseUrl(line);
  } catch (error) {
    const problem = `${name} must print the URL of the database in its last line: ${(error as Error).message}`;
    throw new CommandFailed(problem, { hasCreatedNothing: false });
  }
}

/** @returns true if the target is as it was before. */
async function cleanUp(client: HttpClient, task: CleanupTask): Promise<boolean> {
  switch (task.kind) {
    case 'database': {
      if (task.remove) {
        await runCommand(task.remove, environmentOf(task));
        return true;
      }
      const path = `/${encodeURIComponent(task.name)}`;
      const { status } = await client.request({ method: 'DELETE', path, as: 'admin' });
      if (status < 300 || status === 404) return true;
      // A server may lack the means to remove what it has never created.
      return (await client.request({ path, as: 'admin' })).status === 404;
    }
    case 'documents': {
      const paths = task.ids.map((id) => `/${encodeURIComponent(task.database)}/${documentPath(id)}`);
      const removed = await pMap(paths, (path) => removeDocument(client, path), { concurrency });
      return removed.every(Boolean);
    }
    case 'user':
      return removeDocument(client, userPath(task.name));
    case 'setting':
      return (await writeSetting(client, task.node, task.name, task.before)) === task.before;
    case 'lock':
      return releaseLock(client, task.run);
  }
}

/**
 * Whether the target has created nothing. After a failure of the target, or if the item is there, although only this run
 * uses its name, a look at the item decides.
 */
async function hasRefused(
  client: HttpClient,
  { path }: TargetRequest,
  { status }: Exchange,
): Promise<boolean> {
  if (status < 300) return false;
  if (status < 500 && status !== 409 && status !== 412) return true;
  const found = await client.request({ path, as: 'admin', background: true });
  return found.status >= 300;
}

/** Deletes a document with all its conflicts: each deletion makes another of them the winning revision. */
async function removeDocument(client: HttpClient, path: string): Promise<boolean> {
  for (let last: unknown; ;) {
    const read = await client.request({ path, as: 'admin' });
    if (read.status === 404) return true;
    if (read.status !== 200) return false;
    const { _rev: rev } = read.object();
    // Without end, if the target says that it has deleted a revision and still has it.
    if (rev === last) return false;
    last = rev;
    const { status } = await client.request({ method: 'DELETE', path, query: { rev }, as: 'admin' });
    if (status >= 300) return false;
  }
}

/** The path of a document below its database. */
function documentPath(id: string): string {
  const [, kind = '', name = id] = /^(_design\/|_local\/)(.*)$/s.exec(id) ?? [];
  return kind + encodeURIComponent(name);
}
