/** Creates the databases and users of a check, and removes them. */
import type { DatabaseClient, Exchange, HttpClient, TargetRequest, TestUser } from '../../http/client.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';
import { putUser, userPath } from '../cleanup/user-requests.js';
import { startDeadline } from '../../engine/deadlines.js';
import { Blocked, Inconclusive, Skip } from '../../engine/outcomes.js';
import { type CreatedItem, namePrefix } from '../cleanup/cleanup-task.js';
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

/**
 * What a check creates on the target, and the client with which it does so.
 *
 * @param signal ends the requests of the check, except for those that create something.
 * @param options.isSettled whether reads wait until no copy can lag behind the writes before them.
 */
export function testData(
  { connection, cleanup, databases, feed, targetInfo, names, freshName }: TargetState,
  signal: AbortSignal,
  options: {
    readonly observers: readonly TrafficObserver[];
    readonly log: DatabaseLogs;
    readonly lag: Lag;
    readonly isSettled: boolean;
  },
): { client: HttpClient; items: TestItems; removeAll: () => Promise<void> } {
  const { log, lag, isSettled } = options;
  const observers = [feed, lag, ...options.observers];
  const created = new Map<string, CreatedItem>();
  const immediate = connection.client(signal, observers);
  const settled = isSettled ? lag.settle(immediate, signal) : immediate;
  const client: HttpClient = {
    ...settled,
    async open(request) {
      const obstacle = targetInfo.obstacles.find(({ prevents }) => prevents?.(request));
      if (obstacle)
        throw new Blocked(`${obstacle.name}.`, { obstacle: obstacle.name, shownBy: obstacle.shownBy });
      return settled.open(request);
    },
    request(request) {
      const item = request.method === 'PUT' ? created.get(request.path) : undefined;
      return item
        ? whileCreating(item, (creating) => cleanup.create(item, creating, databases.complete(item, request)))
        : settled.request(request);
    },
  };

  /** Does what may create an item. */
  async function whileCreating<T>(item: CreatedItem, create: (client: HttpClient) => Promise<T>): Promise<T> {
    // The check may go on for a moment after its end, when nothing is removed any more.
    signal.throwIfAborted();
    const tooSlow = new Inconclusive(`The target did not create a ${item.kind} within ${createMs / 1000} s.`);
    // Independent of the signal of the check: the target may create the item after the check has ended, and then the
    // item must be removed.
    const deadline = startDeadline(AbortSignal.any([]), createMs, tooSlow, () => connection.rate.heldMs);
    try {
      return await create(connection.client(deadline.signal, observers));
    } finally {
      deadline.clear();
    }
  }

  /** @throws Blocked if the target refuses */
  function mustBeCreated({ kind }: CreatedItem, { method, status, text }: Exchange): void {
    if (status < 300) return;
    const problem = `Cannot create a ${kind}: ${method} returns ${status}`;
    throw new Blocked(`${problem} ${text.slice(0, 200).trim()}.`, { obstacle: problem });
  }

  function openDatabase(name: string): DatabaseClient {
    const path = databasePath(name);
    const { hasOneCopy, feedLag, copies, lacks } = targetInfo;
    return {
      name,
      hasOneCopy,
      feedLag: {
        get isWatched() {
          return feedLag.isWatched;
        },
        get isBehind() {
          return feedLag.isBehind;
        },
        saw(ms) {
          feedLag.saw(ms);
          if (ms !== undefined) lag.end();
        },
      },
      copies,
      lacks,
      recorder: log.recorderFor(path),
      settled: async () => {
        if (isSettled) await lag.settled(signal);
      },
      request: (request) => client.request({ as: 'admin', ...request, path: path + request.path }),
      open: (request) => client.open({ as: 'admin', ...request, path: path + request.path }),
    };
  }

  function newUser({ nameEnd = '', idStart, password, roles = [], totp }: UserOptions = {}): TestUser {
    const unique = freshName();
    const name = `${namePrefix}${unique}${nameEnd}`;
    return {
      name,
      roles,
      password: password ?? `Pass-${unique}-word`,
      ...(totp && { totp }),
      id: (idStart ?? names.userIdPrefix) + name,
    };
  }

  return {
    client,
    items: {
      openDatabase,
      async createDatabase({ query } = {}) {
        if (databases.isShared && !targetInfo.hasOneCopy)
          throw new Skip('The check needs a database of its own: copies may show earlier changes late.');
        const item = databases.plan(freshName());
        created.set(databasePath(item.name), item);
        const response = await whileCreating(item, (creating) => databases.create(item, creating, query));
        if (response) mustBeCreated(item, response);
        // There is no row of it that a feed could show late.
        if (targetInfo.hasOneCopy) lag.end();
        return openDatabase(item.name);
      },
      async createUser(options) {
        const user = newUser(options);
        const item: CreatedItem = { kind: 'user', name: user.id };
        const request = putUser(user);
        created.set(request.path, item);
        mustBeCreated(item, await whileCreating(item, (creating) => cleanup.create(item, creating, request)));
        return user;
      },
      planUser(options) {
        const user = newUser(options);
        created.set(userPath(user.id), { kind: 'user', name: user.id });
        return user;
      },
    },
    removeAll: () => databases.remove([...created.values()]),
  };
}

const databasePath = (name: string): string => `/${encodeURIComponent(name)}`;
