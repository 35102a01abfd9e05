/** Creates the databases and users of a check, and removes them. */
import type { DatabaseClient, Exchange, HttpClient, TargetRequest, TestUser } from '../http/client.js';
import type { TrafficObserver } from '../http/traffic-observer.js';
import { putUser, userPath } from './users.js';
import { startDeadline } from '../engine/deadlines.js';
import { Blocked, Inconclusive } from '../engine/outcomes.js';
import { type CreatedItem, isClientError } from './created-items.js';
import type { TargetState } from './check-target.js';
import type { DatabaseLogs } from './database-log.js';
import type { Lag } from './lag.js';

/** Creates what a check needs on the target. */
export interface TestItems {
  /** Creates an empty database, which is removed afterwards. Throws Blocked if the target refuses. */
  createDatabase(options?: { query?: TargetRequest['query'] }): Promise<DatabaseClient>;
  /** A client of a database that exists, such as one that several checks share. */
  openDatabase(name: string): DatabaseClient;
  /** Creates a user, which is removed afterwards. Throws Blocked if the target refuses. */
  createUser(options?: UserOptions): Promise<TestUser>;
  /** Returns a user with an unused name. If the check creates it, it is removed afterwards. */
  planUser(options?: UserOptions): TestUser;
}

export interface UserOptions {
  /** The suffix of the name. */
  nameEnd?: string;
  /** Replaces the prefix of the document id, such as `org.couchdb.user:`. */
  idStart?: string;
  password?: string;
  roles?: readonly string[];
  /** The second factor. */
  totp?: { readonly key: string };
}

/** Time in which the target must create a database or user, in milliseconds. */
const createMs = 30_000;

export class TestData {
  /** The client of the check, which the databases use as well. */
  readonly client: HttpClient;
  readonly items: TestItems = {
    createDatabase: ({ query } = {}) => this.#createDatabase(query),
    openDatabase: (name) => this.#openDatabase(name),
    createUser: (options) => this.#createUser(options),
    planUser: (options) => this.#planUser(options),
  };
  readonly #environment: TargetState;
  readonly #signal: AbortSignal;
  readonly #observers: readonly TrafficObserver[];
  readonly #log: DatabaseLogs;
  readonly #items = new Map<string, CreatedItem>();

  /**
   * @param signal ends the requests of the check, except for those that create something.
   * @param options.isSettled whether reads wait until no copy can lag behind the writes before them.
   */
  constructor(
    environment: TargetState,
    signal: AbortSignal,
    options: {
      readonly observers: readonly TrafficObserver[];
      readonly log: DatabaseLogs;
      readonly lag: Lag;
      readonly isSettled: boolean;
    },
  ) {
    const { observers, log, lag, isSettled } = options;
    this.#environment = environment;
    this.#signal = signal;
    this.#observers = [environment.feed.guard, lag, ...observers];
    this.#log = log;
    const immediate = environment.connection.client(signal, this.#observers);
    const client = isSettled ? lag.settle(immediate, signal) : immediate;
    this.client = {
      ...client,
      request: (request) => {
        const item = request.method === 'PUT' ? this.#items.get(request.path) : undefined;
        return item ? this.#requestItem(item, request) : client.request(request);
      },
    };
  }

  async #createDatabase(query: TargetRequest['query']): Promise<DatabaseClient> {
    const name = `docfeed-${this.#environment.freshName()}`;
    await this.#create(
      { kind: 'database', name },
      { method: 'PUT', path: databasePath(name), query, as: 'admin' },
    );
    return this.#openDatabase(name);
  }

  #openDatabase(name: string): DatabaseClient {
    const { hasOneCopy, copies } = this.#environment.targetInfo;
    return databaseClient(this.client, name, {
      hasOneCopy,
      copies,
      recorder: this.#log.recorderFor(databasePath(name)),
    });
  }

  async #createUser(options?: UserOptions): Promise<TestUser> {
    const user = this.#newUser(options);
    await this.#create({ kind: 'user', name: user.id }, putUser(user));
    return user;
  }

  #planUser(options?: UserOptions): TestUser {
    const user = this.#newUser(options);
    this.#add({ kind: 'user', name: user.id }, userPath(user.id));
    return user;
  }

  removeAll(): Promise<void> {
    return this.#environment.cleanup.run(this.#items.values());
  }

  #newUser({ nameEnd = '', idStart, password, roles = [], totp }: UserOptions = {}): TestUser {
    const unique = this.#environment.freshName();
    const name = `docfeed-${unique}${nameEnd}`;
    return {
      name,
      password: password ?? `Pass-${unique}-word`,
      roles,
      ...(totp && { totp }),
      id: (idStart ?? this.#environment.names.userIdPrefix) + name,
    };
  }

  #add(item: CreatedItem, path: string): CreatedItem {
    // The check may go on for a moment after its end, when nothing is removed any more.
    this.#signal.throwIfAborted();
    this.#items.set(path, item);
    return this.#environment.cleanup.add(item);
  }

  async #create(item: CreatedItem, request: TargetRequest): Promise<void> {
    const response = await this.#requestItem(this.#add(item, request.path), request);
    if (isClientError(response)) {
      this.#items.delete(request.path);
      this.#environment.cleanup.markDone(item);
    }
    if (response.status >= 300) {
      const { method, status, text } = response;
      throw new Blocked(
        `Cannot create a ${item.kind}: ${method} returns ${status} ${text.slice(0, 200).trim()}.`,
        { obstacle: `Cannot create a ${item.kind}: ${method} returns ${status}` },
      );
    }
  }

  /** Sends a request that may create an item. */
  async #requestItem(item: CreatedItem, request: TargetRequest): Promise<Exchange> {
    const { connection, cleanup } = this.#environment;
    const tooSlow = new Inconclusive(`The target did not create a ${item.kind} within ${createMs / 1000} s.`);
    // Independent of the signal of the check: the target may create the item after the check has ended, and then the
    // item must be removed.
    const deadline = startDeadline(AbortSignal.any([]), createMs, tooSlow);
    try {
      const client = connection.client(deadline.signal, this.#observers);
      return await cleanup.whileCreating(item, client.request(request));
    } finally {
      deadline.clear();
    }
  }
}

function databaseClient(
  client: HttpClient,
  name: string,
  storage: Pick<DatabaseClient, 'hasOneCopy' | 'copies' | 'recorder'>,
): DatabaseClient {
  const path = databasePath(name);
  return {
    name,
    ...storage,
    request: (request) => client.request({ as: 'admin', ...request, path: path + request.path }),
    open: (request) => client.open({ as: 'admin', ...request, path: path + request.path }),
  };
}

const databasePath = (name: string): string => `/${encodeURIComponent(name)}`;
