/** The world that a check runs in: a client of its own, databases and users of its own, and their removal. */
import type { Dialect, DialectNames } from '../../openapi/generated/dialects.js';
import type { CheckContext, PropertySettings, UserOptions } from '../checks/check.js';
import type { Knowledge } from '../target/knowledge.js';
import type { Connection, Witness } from '../target/http.js';
import type { Credentials, DatabaseClient, Exchange, HttpClient, TestUser } from '../target/target.js';
import type { Traffic } from '../target/traffic.js';
import { putUser, userPath } from '../target/users.js';
import { Blocked, Violation } from './verdict.js';

/** What all scopes of a run share. */
export interface RunState {
  readonly connection: Connection;
  readonly traffic: Traffic & Witness;
  readonly dialect: Dialect;
  readonly names: DialectNames;
  readonly version?: string;
  readonly admin?: Credentials;
  readonly known: Knowledge;
  readonly observations: Map<string, unknown>;
  readonly leftovers: Leftovers;
  /** A name that no database, user or role of this target has yet. */
  freshName(): string;
}

/** What one check has used so far, over all the scopes in it. */
export interface Usage {
  requests: number;
  runs: number;
}

/** How many of the latest exchanges of a scope are kept as evidence. */
const evidence = 20;

/** How long the target has for one request that cleans up. */
const cleanupMs = 10_000;

/** Runs `body` with a context of its own, and removes afterwards what it made, however it ends. */
export async function inScope<T>(
  state: RunState,
  { signal, property, usage }: { signal: AbortSignal; property: PropertySettings; usage: Usage },
  body: (context: CheckContext) => Promise<T>,
): Promise<T> {
  const recent: Exchange[] = [];
  const recorder: Witness = {
    inspect() {
      usage.requests += 1;
    },
    saw(exchange) {
      recent.push(exchange);
      if (recent.length > evidence) recent.shift();
    },
  };
  const client = state.connection.client(signal, [recorder, state.traffic]);
  const mine = new Set<Leftover>();
  const owe = (leftover: Leftover): Leftover => {
    mine.add(leftover);
    state.leftovers.add(leftover);
    return leftover;
  };
  const settle = (leftover: Leftover): void => {
    mine.delete(leftover);
    state.leftovers.settle(leftover);
  };

  const context: CheckContext = {
    signal,
    property,
    traffic: state.traffic,
    target: {
      ...client,
      dialect: state.dialect,
      names: state.names,
      ...(state.version === undefined ? {} : { version: state.version }),
      ...(state.admin ? { admin: state.admin } : {}),
      auth: state.known.auth,
      has: (capability) => state.known.capabilities.has(capability),
      setting: (name) => state.known.settings.get(name),
    },
    async createDatabase({ query } = {}) {
      const name = `docfeed-${state.freshName()}`;
      // Owed before it is made: an answer that never arrives does not mean that nothing was made.
      const debt = owe({ kind: 'database', name });
      const made = await client.request({ method: 'PUT', path: databasePath(name), query, as: 'admin' });
      if (isRefusal(made)) settle(debt);
      if (made.status >= 300) throw new Blocked(`No database can be created: ${said(made)}.`);
      return databaseClient(client, name);
    },
    planUser(options) {
      const user = planUser(state, options);
      owe({ kind: 'user', name: user.id });
      return user;
    },
    async createUser(options) {
      const user = planUser(state, options);
      const debt = owe({ kind: 'user', name: user.id });
      const made = await client.request(putUser(user));
      if (isRefusal(made)) settle(debt);
      if (made.status >= 300) throw new Blocked(`No user can be created: ${said(made)}.`);
      return user;
    },
    observe(id, value) {
      state.observations.set(id, value);
    },
    isolated: (inner) => inScope(state, { signal, property, usage }, inner),
    countRun() {
      usage.runs += 1;
    },
  };

  try {
    return await body(context);
  } catch (error) {
    if (error instanceof Violation && error.exchanges.length === 0) {
      error.exchanges = recent.map((exchange) => exchange.record());
    }
    throw error;
  } finally {
    await state.leftovers.remove(mine);
  }
}

export interface Leftover {
  kind: 'database' | 'user';
  /** The database's name or the user document's id. */
  name: string;
}

/** What the run has made on the target and not removed yet. */
export class Leftovers {
  readonly #connection: Connection;
  readonly #open = new Set<Leftover>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add(leftover: Leftover): void {
    this.#open.add(leftover);
  }

  /** Nothing was made after all. */
  settle(leftover: Leftover): void {
    this.#open.delete(leftover);
  }

  /** Removes what is left of the run. Never throws: what resists stays in {@link Leftovers.remaining}. */
  async remove(leftovers: Iterable<Leftover> = [...this.#open]): Promise<void> {
    // Not the signal of the check: its time may be over, and what it made must still go.
    const client = this.#connection.client(AbortSignal.timeout(cleanupMs), []);
    await Promise.all(
      [...leftovers].map(async (leftover) => {
        const remove = leftover.kind === 'database' ? removeDatabase : removeUser;
        if (await remove(client, leftover.name).catch(() => false)) this.#open.delete(leftover);
      }),
    );
  }

  get remaining(): readonly Leftover[] {
    return [...this.#open];
  }
}

async function removeDatabase(client: HttpClient, name: string): Promise<boolean> {
  const { status } = await client.request({ method: 'DELETE', path: databasePath(name), as: 'admin' });
  return status < 300 || status === 404;
}

async function removeUser(client: HttpClient, id: string): Promise<boolean> {
  const found = await client.request({ path: userPath(id), as: 'admin' });
  if (found.status === 404) return true;
  if (found.status !== 200) return false;
  const { _rev: rev } = found.object();
  const { status } = await client.request({
    method: 'DELETE',
    path: userPath(id),
    query: { rev },
    as: 'admin',
  });
  return status < 300;
}

function planUser(state: RunState, options: UserOptions = {}): TestUser {
  const fresh = state.freshName();
  const name = `docfeed-${fresh}${options.nameEnd ?? ''}`;
  return {
    name,
    password: options.password ?? `Pass-${fresh}-word`,
    roles: options.roles ?? [],
    id: (options.idStart ?? state.names.userIdPrefix) + name,
  };
}

function databaseClient(client: HttpClient, name: string): DatabaseClient {
  const path = databasePath(name);
  return {
    name,
    request: (ask) => client.request({ as: 'admin', ...ask, path: path + ask.path }),
    open: (ask) => client.open({ as: 'admin', ...ask, path: path + ask.path }),
  };
}

const databasePath = (name: string): string => `/${encodeURIComponent(name)}`;

/** Whether the target said that it did nothing; after a 5xx nobody knows. */
const isRefusal = ({ status }: Exchange): boolean => status >= 400 && status < 500;

/** What the target said, for a reason in the report. */
function said(exchange: Exchange): string {
  return `${exchange.method} is answered with ${exchange.status} ${exchange.text.slice(0, 200).trim()}`;
}
