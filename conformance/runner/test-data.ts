/** Creates the databases and users of a check, and removes them. */
import type { UserOptions } from '../check.js';
import type {
  DatabaseClient,
  Exchange,
  HttpClient,
  Recorder,
  TargetRequest,
  TestUser,
} from '../client/client.js';
import type { Connection } from '../client/http.js';
import type { TargetInfo } from '../client/target-info.js';
import type { TrafficObserver } from '../client/traffic-observer.js';
import { putUser } from '../client/users.js';
import { startDeadline } from '../verdict/deadlines.js';
import { Blocked, Inconclusive } from '../verdict/outcomes.js';
import type { Cleanup, CreatedItem } from './cleanup.js';

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
  readonly #environment: Environment;
  readonly #client: HttpClient;
  readonly #observers: readonly TrafficObserver[];
  readonly #recorderFor: (path: string) => Recorder;
  readonly #items = new Set<CreatedItem>();

  /**
   * @param client used by the databases that this creates.
   * @param evidence.recorderFor takes the path of a database.
   */
  constructor(
    environment: Environment,
    client: HttpClient,
    evidence: {
      readonly observers: readonly TrafficObserver[];
      readonly recorderFor: (path: string) => Recorder;
    },
  ) {
    this.#environment = environment;
    this.#client = client;
    this.#observers = evidence.observers;
    this.#recorderFor = evidence.recorderFor;
  }

  /** @throws Blocked if the target refuses. */
  async createDatabase(query: TargetRequest['query']): Promise<DatabaseClient> {
    const name = `docfeed-${this.#environment.freshName()}`;
    const item = this.#add({ kind: 'database', name });
    await this.#create(item, { method: 'PUT', path: databasePath(name), query, as: 'admin' });
    return this.openDatabase(name);
  }

  openDatabase(name: string): DatabaseClient {
    const { capabilities, copies } = this.#environment.targetInfo;
    return databaseClient(this.#client, name, {
      hasOneCopy: capabilities.has('single-copy'),
      copies,
      recorder: this.#recorderFor(databasePath(name)),
    });
  }

  /** @throws Blocked if the target refuses. */
  async createUser(options?: UserOptions): Promise<TestUser> {
    const user = this.#newUser(options);
    const item = this.#add({ kind: 'user', name: user.id });
    await this.#create(item, putUser(user));
    return user;
  }

  planUser(options?: UserOptions): TestUser {
    const user = this.#newUser(options);
    this.#add({ kind: 'user', name: user.id });
    return user;
  }

  removeAll(): Promise<void> {
    return this.#environment.cleanup.run(this.#items);
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

  #add(item: CreatedItem): CreatedItem {
    this.#items.add(item);
    return this.#environment.cleanup.add(item);
  }

  async #create(item: CreatedItem, request: TargetRequest): Promise<void> {
    const { connection, cleanup } = this.#environment;
    const tooSlow = new Inconclusive(`The target did not create a ${item.kind} within ${createMs / 1000} s.`);
    // Independent of the signal of the check: the target may create the item after the check has ended, and then the
    // item must be removed.
    const deadline = startDeadline(AbortSignal.any([]), createMs, tooSlow);
    let response: Exchange;
    try {
      const client = connection.client(deadline.signal, this.#observers);
      response = await cleanup.whileCreating(item, client.request(request));
    } finally {
      deadline.clear();
    }
    if (isClientError(response)) {
      this.#items.delete(item);
      cleanup.markDone(item);
    }
    if (response.status >= 300) {
      const { method, status, text } = response;
      throw new Blocked(
        `Cannot create a ${item.kind}: ${method} returns ${status} ${text.slice(0, 200).trim()}.`,
      );
    }
  }
}

/** True if the target has done nothing. After a 5xx this is unknown. */
export const isClientError = ({ status }: Exchange): boolean => status >= 400 && status < 500;

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
