/** Creates the databases of a run: by `PUT /{db}`, or as the target file says. */
import { Blocked } from '../engine/outcomes.js';
import type { Exchange, HttpClient, TargetRequest } from '../http/client.js';
import type { Connection } from '../http/http.js';
import { type CreatedDatabase, type CreatedItem, namePrefix } from './cleanup/cleanup-task.js';
import type { TargetCleanup } from './cleanup/cleanup.js';
import { CommandFailed, type ShellCommand } from './database-command.js';

/** How databases are created, if not by `PUT /{db}` without a body. */
export interface DatabaseCreation {
  /** The JSON body of `PUT /{db}`, in which {@link nameInBody} stands for the name. */
  readonly body?: object | undefined;
  readonly commands?: { readonly create: ShellCommand; readonly remove: ShellCommand } | undefined;
}

export class Databases {
  readonly #connection: Connection;
  readonly #cleanup: TargetCleanup;
  readonly #how: DatabaseCreation;
  /** Why the first command failed. It would fail again for each check. */
  #failure: Blocked | undefined;
  #hasWorked = false;

  constructor(connection: Connection, cleanup: TargetCleanup, how: DatabaseCreation = {}) {
    this.#connection = connection;
    this.#cleanup = cleanup;
    this.#how = how;
  }

  /** Whether a request creates databases, which may say how many shards they have. */
  get areRequested(): boolean {
    return this.#how.commands === undefined;
  }

  /** A database that does not exist yet. */
  plan(uniqueName: string): CreatedDatabase {
    const { commands } = this.#how;
    return {
      kind: 'database',
      name: `${namePrefix}${uniqueName}`,
      ...(commands && { remove: commands.remove }),
    };
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
    item: CreatedDatabase,
    client: HttpClient,
    query?: TargetRequest['query'],
  ): Promise<Exchange | undefined> {
    const { commands } = this.#how;
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
}

/** A text in the body that stands for the name of the database, as the variable does in commands. */
const nameInBody = '$DOCFEED_DATABASE_NAME';

const withName = (body: object | undefined, name: string): unknown =>
  body &&
  JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(nameInBody, name) : value,
  );
