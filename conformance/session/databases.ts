/** Gives a run its databases: by `PUT /{db}`, as the target file says, or a part of one that exists. */
import { startDeadline } from '../engine/deadlines.js';
import { Blocked, Inconclusive, Skip } from '../engine/outcomes.js';
import { Refusal } from '../engine/refusal.js';
import { translateOwn } from '../http/own-documents.js';
import { asObject, feedObject, parseFeed } from '../http/parse-json.js';
import type { Exchange, HttpClient, TargetRequest } from '../http/client.js';
import type { Connection } from '../http/http.js';
import {
  type CreatedDatabase,
  type CreatedDocuments,
  type CreatedItem,
  namePrefix,
} from './cleanup/cleanup-task.js';
import type { TargetCleanup } from './cleanup/cleanup.js';
import { CommandFailed, type ShellCommand } from './database-command.js';

/** How databases are created, if not by `PUT /{db}` without a body. */
export interface DatabaseCreation {
  /** The JSON body of `PUT /{db}`, in which {@link nameInBody} stands for the name. */
  readonly body?: object | undefined;
  readonly commands?: { readonly create: ShellCommand; readonly remove: ShellCommand } | undefined;
  /** A database that exists. Nothing is created: each check has its own documents there, and the feed from then on. */
  readonly existing?: string | undefined;
}

/** A part of a database that exists. */
interface Part {
  readonly item: CreatedDocuments;
  /** The position in the feed at which it begins; missing until it is known. */
  start?: unknown;
}

/** Time for a look at the feed of a database that exists, in milliseconds. */
const lookMs = 30_000;

export class Databases {
  readonly #connection: Connection;
  readonly #cleanup: TargetCleanup;
  readonly #how: DatabaseCreation;
  /** Why the first command failed. It would fail again for each check. */
  #failure: Blocked | undefined;
  #hasWorked = false;
  /** The part that a check uses, or is about to use. There is one at a time. */
  #part: Part | undefined;
  readonly #base: URL;

  /** @param base the base URL of the target */
  constructor(connection: Connection, cleanup: TargetCleanup, base: URL, how: DatabaseCreation = {}) {
    this.#connection = connection;
    this.#cleanup = cleanup;
    this.#base = base;
    this.#how = how;
  }

  /** Whether checks share a database that exists, so that they run one after the other. */
  get isShared(): boolean {
    return this.#how.existing !== undefined;
  }

  /** Whether a request creates databases, which may say how many shards they have. */
  get areRequested(): boolean {
    return this.#how.commands === undefined && !this.isShared;
  }

  /** A database that does not exist yet. */
  plan(uniqueName: string): CreatedDatabase | CreatedDocuments {
    const { commands, existing: database } = this.#how;
    const name = `${namePrefix}${uniqueName}`;
    if (database !== undefined) return { kind: 'documents', name, database, ids: [] };
    return { kind: 'database', name, ...(commands && { remove: commands.remove }) };
  }

  /** Adds what the target needs to a request that creates the item, perhaps again. */
  complete({ kind, name }: CreatedItem, request: TargetRequest): TargetRequest {
    return kind === 'database' ? { json: withName(this.#how.body, name), ...request } : request;
  }

  /**
   * Creates the database, which requests then find by its name. The clean-up removes it.
   *
   * @param client sends the request that creates it
   * @returns the response, unless a command has created it
   * @throws Blocked if the command fails
   */
  async create(
    item: CreatedDatabase | CreatedDocuments,
    client: HttpClient,
    query?: TargetRequest['query'],
  ): Promise<Exchange | undefined> {
    const { commands } = this.#how;
    if (item.kind === 'documents') {
      await this.#beginPart(item);
      return undefined;
    }
    if (!commands) {
      const request: TargetRequest = { method: 'PUT', path: `/${item.name}`, query, as: 'admin' };
      return this.#cleanup.create(item, client, this.complete(item, request));
    }
    if (this.#failure && !this.#hasWorked) throw this.#failure;
    try {
      this.#connection.locate(item.name, { url: await this.#cleanup.createWith(commands.create, item) });
      this.#hasWorked = true;
      return undefined;
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      this.#failure = new Blocked(`${error.message}.`, { obstacle: error.message });
      throw this.#failure;
    }
  }

  /**
   * Removes what a check has created, and ends its use of a part.
   *
   * @throws Inconclusive if somebody else has written to the database meanwhile
   */
  async remove(items: readonly CreatedItem[]): Promise<void> {
    const part = this.#part && items.includes(this.#part.item) ? this.#part : undefined;
    try {
      if (part?.start !== undefined) await this.#mustBeAlone(part);
    } finally {
      await this.#cleanup.run(items);
      // Its deletions must not be in the part of another check.
      if (part) this.#part = undefined;
    }
  }

  async #mustBeAlone(part: Part): Promise<void> {
    const { results } = await this.#look(part.item, part.start);
    const isOwn = (row: unknown): boolean => String(asObject(row)['id']).includes(markOf(part.item));
    if (!results.every(isOwn))
      throw new Inconclusive(`Somebody else wrote to the database ${part.item.database} meanwhile.`);
  }

  /** Ends the use of the part to which the probes have written. */
  endProbes(): void {
    this.#part = undefined;
  }

  async #beginPart(item: CreatedDocuments): Promise<void> {
    if (this.#part) throw new Skip('The check needs a database of its own: it uses several at a time.');
    const part: Part = { item };
    this.#part = part;
    part.start = (await this.#look(item, 'now')).lastSeq;
    const { results } = await this.#look(item, part.start);
    if (results.length > 0) {
      const problem = `the feed of ${item.database} since its last_seq is not empty`;
      throw new Blocked(`The database cannot be used: ${problem}.`, { obstacle: problem });
    }
    const { origin, pathname } = this.#base;
    const path = `${pathname.replace(/\/$/, '')}/${encodeURIComponent(item.database)}`;
    const translation = translateOwn({
      path: `/${item.name}`,
      mark: markOf(item),
      start: part.start,
      onWrite: (ids) => this.#cleanup.noteDocuments(item, ids),
    });
    this.#connection.locate(item.name, { url: new URL(origin + path), translation });
  }

  /** Reads the feed without a trace in the evidence of a check. */
  async #look(
    { database }: CreatedDocuments,
    since: unknown,
  ): Promise<{ results: readonly unknown[]; lastSeq: unknown }> {
    const tooSlow = new Inconclusive(`The feed of ${database} did not come within ${lookMs / 1000} s.`);
    const deadline = startDeadline(AbortSignal.any([]), lookMs, tooSlow);
    const path = `/${encodeURIComponent(database)}/_changes`;
    const client = this.#connection.client(deadline.signal, []);
    try {
      const { status, text } = await client.request({ path, query: { since }, as: 'admin' });
      if (status === 404) throw new Refusal('target', `the database ${database} does not exist`);
      const { results, lastSeq } = feedObject(parseFeed(text));
      if (status === 200 && results && lastSeq !== undefined) return { results, lastSeq };
      const problem = `the feed of ${database} cannot be read (${status})`;
      throw new Blocked(`The database cannot be used: ${problem}.`, { obstacle: problem });
    } finally {
      deadline.clear();
    }
  }
}

/** A text in the body that stands for the name of the database, as the variable does in commands. */
const nameInBody = '$DOCFEED_DATABASE_NAME';

const withName = (body: object | undefined, name: string): unknown =>
  body &&
  JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(nameInBody, name) : value,
  );

/** The beginning of the ids of documents. */
const markOf = ({ name }: CreatedDocuments): string => `${name}-`;
