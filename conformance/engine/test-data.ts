/** Creates the databases and users of a check, and removes them. */
import type { UserOptions } from './check.js';
import type { DatabaseClient, Exchange, HttpClient, TargetRequest, TestUser } from '../http/client.js';
import type { Connection } from '../http/http.js';
import type { TargetInfo } from '../target/target-info.js';
import type { TrafficObserver } from '../http/traffic-observer.js';
import { putUser, userPath } from '../target/users.js';
import { startDeadline } from '../verdict/deadlines.js';
import { Blocked, Inconclusive } from '../verdict/outcomes.js';
import { type Cleanup, type CreatedItem, isClientError } from '../target/created-items.js';
import type { Evidence } from './evidence.js';

interface Environment {
  readonly connection: Connection;
  readonly names: { readonly userIdPrefix: string };
  readonly targetInfo: TargetInfo;
  readonly cleanup: Cleanup;
  freshName(): string;
}

/** Time in which the target must create a database or user, in milliseconds. */
const createMs = 30_000;

export class TestData {
  /** The client of the check, which the databases use as well. */
  readonly client: HttpClient;
  readonly #environment: Environment;
  readonly #signal: AbortSignal;
  readonly #observers: readonly TrafficObserver[];
  readonly #evidence: Evidence;
  readonly #items = new Map<string, CreatedItem>();

  /**
   * @param signal ends the requests of the check, except for those that create something.
   * @param options.isSettled whether reads wait until no copy can lag behind the writes before them.
   */
  constructor(
    environment: Environment,
    signal: AbortSignal,
    options: {
      readonly observers: readonly TrafficObserver[];
      readonly evidence: Evidence;
      readonly isSettled: boolean;
    },
  ) {
    const { observers, evidence, isSettled } = options;
    this.#environment = environment;
    this.#signal = signal;
    this.#observers = observers;
    this.#evidence = evidence;
    const immediate = environment.connection.client(signal, observers);
    const client = isSettled ? evidence.lag.settle(immediate, signal) : immediate;
    this.client = {
      ...client,
      request: (request) => {
        const item = request.method === 'PUT' ? this.#items.get(request.path) : undefined;
        return item ? this.#requestItem(item, request) : client.request(request);
      },
    };
  }

  /** @throws Blocked if the target refuses. */
  async createDatabase(query: TargetRequest['query']): Promise<DatabaseClient> {
    const name = `docfeed-${this.#environment.freshName()}`;
    await this.#create(
      { kind: 'database', name },
      { method: 'PUT', path: databasePath(name), query, as: 'admin' },
    );
    return this.openDatabase(name);
  }

  openDatabase(name: string): DatabaseClient {
    const { capabilities, copies } = this.#environment.targetInfo;
    return databaseClient(this.client, name, {
      hasOneCopy: capabilities.has('single-copy'),
      copies,
      recorder: this.#evidence.recorderFor(databasePath(name)),
    });
  }

  /** @throws Blocked if the target refuses. */
  async createUser(options?: UserOptions): Promise<TestUser> {
    const user = this.#newUser(options);
    await this.#create({ kind: 'user', name: user.id }, putUser(user));
    return user;
  }

  planUser(options?: UserOptions): TestUser {
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
