/** The world that a check runs in: a client of its own, databases and users of its own, and their removal. */
import type { Dialect, DialectNames } from '../../openapi/generated/dialects.js';
import type { Cleanup, CreatedItem } from './cleanup.js';
import type { CheckContext, PropertySettings, UserOptions } from '../check.js';
import type { TargetInfo } from '../client/target-info.js';
import type { Connection, TrafficObserver } from '../client/http.js';
import type {
  TargetRequest,
  Credentials,
  DatabaseClient,
  Exchange,
  HttpClient,
  SentExchange,
  TestUser,
} from '../client/client.js';
import type { Traffic } from '../client/traffic.js';
import { putUser } from '../client/users.js';
import { startDeadline } from '../verdict/deadlines.js';
import { Blocked, Inconclusive, Violation } from '../verdict/outcomes.js';

/** What all scopes of a run share. */
export interface RunState {
  readonly connection: Connection;
  readonly traffic: Traffic & TrafficObserver;
  readonly coverage: TrafficObserver;
  readonly dialect: Dialect;
  readonly names: DialectNames;
  readonly version?: string;
  readonly admin?: Credentials;
  /** What is known of the target as it is at present. */
  readonly targetInfo: TargetInfo;
  readonly observations: Map<string, unknown>;
  readonly cleanup: Cleanup;
  /** The options that its cases depend on, for replay tokens. */
  readonly replayOptions: readonly string[];
  /** Takes the secrets out of a text in which the target may have repeated them. */
  readonly redact: (text: string) => string;
  /** A name that no database, user or role of this target has yet. */
  freshName(): string;
}

/** What one check has used so far, over all the scopes in it. */
export interface Usage {
  requests: number;
  runs: number;
  /** How many generated cases there would have been, had there been the time. */
  planned?: number;
}

/** How long the target has to make a database or a user, in milliseconds. */
const makingMs = 30_000;

/** How many of the latest exchanges of a scope are kept as evidence. */
const evidence = 100;

/** What has been exchanged. */
interface Evidence {
  /** What has ended, in the order in which it did. */
  readonly recent: Exchange[];
  /** What was sent and has not ended, by what was asked. An answer that does not come may be just what is wrong. */
  readonly underWay: Map<TargetRequest, SentExchange>;
  /** How many exchanges went before those. */
  omitted: number;
}

/** Runs `body` with a context of its own, and removes afterwards what it made, however it ends. */
export async function inScope<T>(
  state: RunState,
  { signal, property, usage }: { signal: AbortSignal; property: PropertySettings; usage: Usage },
  body: (context: CheckContext) => Promise<T>,
  outer: Evidence = { recent: [], underWay: new Map(), omitted: 0 },
): Promise<T> {
  // What the scope around this one has done is a part of how it came to this.
  const { recent, underWay, omitted } = outer;
  const seen: Evidence = { recent: [...recent], underWay: new Map(underWay), omitted };
  const recorder: TrafficObserver = {
    beforeSend() {
      usage.requests += 1;
    },
    onSent(exchange) {
      if (!exchange.request.background) seen.underWay.set(exchange.request, exchange);
    },
    onFinished(exchange) {
      seen.underWay.delete(exchange.request);
      if (exchange.request.background) return;
      seen.recent.push(exchange);
      if (seen.recent.length <= evidence) return;
      seen.recent.shift();
      seen.omitted += 1;
    },
  };
  const witnesses = [recorder, state.traffic, state.coverage];
  const client = state.connection.client(signal, witnesses);
  // Not the signal of the check: a target may still make what nobody waits for any more, and that must go too.
  const make = async (item: CreatedItem, ask: TargetRequest): Promise<Exchange> => {
    const late = new Inconclusive(`Nothing was made within ${makingMs / 1000} s.`);
    const time = startDeadline(AbortSignal.any([]), makingMs, late);
    try {
      const client = state.connection.client(time.signal, witnesses);
      return await state.cleanup.whileCreating(item, client.request(ask));
    } finally {
      time.clear();
    }
  };
  const mine = new Set<CreatedItem>();
  const owe = (item: CreatedItem): CreatedItem => {
    mine.add(item);
    return state.cleanup.add(item);
  };
  const settle = (item: CreatedItem): void => {
    mine.delete(item);
    state.cleanup.markDone(item);
  };

  const context: CheckContext = {
    signal,
    property,
    traffic: state.traffic,
    target: {
      ...client,
      dialect: state.dialect,
      nodes: state.connection.nodes,
      names: state.names,
      ...(state.version === undefined ? {} : { version: state.version }),
      ...(state.admin ? { admin: state.admin } : {}),
      auth: state.targetInfo.auth,
      has: (capability) => state.targetInfo.capabilities.has(capability),
      setting: (name) => state.targetInfo.settings.get(name),
    },
    async createDatabase({ query } = {}) {
      const name = `docfeed-${state.freshName()}`;
      const item = owe({ kind: 'database', name });
      const made = await make(item, { method: 'PUT', path: databasePath(name), query, as: 'admin' });
      if (isClientError(made)) settle(item);
      if (made.status >= 300) throw new Blocked(`No database can be created: ${said(made)}.`);
      return databaseClient(client, name, state.targetInfo.capabilities.has('single-copy'));
    },
    planUser(options) {
      const user = planUser(state, options);
      owe({ kind: 'user', name: user.id });
      return user;
    },
    async createUser(options) {
      const user = planUser(state, options);
      const item = owe({ kind: 'user', name: user.id });
      const made = await make(item, putUser(user));
      if (isClientError(made)) settle(item);
      if (made.status >= 300) throw new Blocked(`No user can be created: ${said(made)}.`);
      return user;
    },
    observe(id, value) {
      state.observations.set(id, value);
    },
    inScope: (inner) => inScope(state, { signal, property, usage }, inner, seen),
    countRun() {
      usage.runs += 1;
    },
    reportReducedCases(planned) {
      usage.planned = planned;
    },
  };

  try {
    return await body(context);
  } catch (error) {
    if (error instanceof Violation && error.exchanges.length === 0) {
      const all: SentExchange[] = [...seen.recent, ...seen.underWay.values()];
      const inOrder = all.sort((one, other) => one.sentAt - other.sentAt);
      error.exchanges = inOrder.map((exchange) => exchange.record(inOrder[0]!.sentAt));
      error.omitted = seen.omitted;
    }
    throw error;
  } finally {
    await state.cleanup.run(mine);
  }
}

function planUser(state: RunState, options: UserOptions = {}): TestUser {
  const fresh = state.freshName();
  const name = `docfeed-${fresh}${options.nameEnd ?? ''}`;
  return {
    name,
    password: options.password ?? `Pass-${fresh}-word`,
    roles: options.roles ?? [],
    ...(options.totp && { totp: options.totp }),
    id: (options.idStart ?? state.names.userIdPrefix) + name,
  };
}

function databaseClient(client: HttpClient, name: string, hasOneCopy: boolean): DatabaseClient {
  const path = databasePath(name);
  return {
    name,
    hasOneCopy,
    request: (ask) => client.request({ as: 'admin', ...ask, path: path + ask.path }),
    open: (ask) => client.open({ as: 'admin', ...ask, path: path + ask.path }),
  };
}

const databasePath = (name: string): string => `/${encodeURIComponent(name)}`;

/** Whether the target said that it did nothing; after a 5xx nobody knows. */
export const isClientError = ({ status }: Exchange): boolean => status >= 400 && status < 500;

/** What the target said, for a reason in the report. */
function said(exchange: Exchange): string {
  return `${exchange.method} is answered with ${exchange.status} ${exchange.text.slice(0, 200).trim()}`;
}
