/** The reference server as a library: `import { startServer } from 'docfeed/reference'`. */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { dialects, type Dialect } from '../openapi/generated/dialects.js';
import { USERS_DATABASE } from './auth/authorization.js';
import { Accounts } from './auth/accounts.js';
import { SessionCookies } from './auth/cookie.js';
import { Lockout } from './auth/lockout.js';
import { Configuration } from './config/configuration.js';
import { applyFile } from './config/config-file.js';
import { WorkerPool } from './filters/evaluation/worker-pool.js';
import { createLog, type LogOptions, type Logger } from './http/logging.js';
import { defaultComponents, type Components } from './server/components.js';
import { composeServer } from './server/server.js';
import type { DataDirectoryOptions } from './store/disk/data-directory.js';
import { Store } from './store/store.js';
import { vary } from './variation/index.js';

export { ConfigurationFileError } from './config/config-file.js';
export { InvalidSetting } from './config/configuration.js';
export type { Context } from './handlers/context.js';
export type { LogLevel, LogOptions } from './http/logging.js';
export { httpError } from './http/errors.js';
export type { Fault, Components } from './server/components.js';
export { DataDirectoryError } from './store/disk/errors.js';

export interface Administrator {
  readonly name: string;
  readonly password: string;
}

export interface ServerOptions {
  /** Default 0: any port that is free. */
  readonly port?: number;
  /** So many ports over one store, as a cluster looks from outside: `port` and those after it. Default 1. */
  readonly nodes?: number;
  /** Name or address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Default `service`. */
  readonly dialect?: Dialect;
  /** Default: those that the configuration names, else `admin` with a password made at random. */
  readonly admin?: Administrator;
  /** INI files with CouchDB's sections and keys. The later ones win. */
  readonly configFiles?: readonly string[];
  /** Values by section and key. They win over files. */
  readonly config?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * A directory that keeps the data: nothing is answered, and no feed shows it, before it is on disk, so that a crash
   * takes nothing back. Made when there is none. Default: in memory only.
   */
  readonly data?: string | undefined;
  /** Bytes of the journal in `data` at which snapshots of the databases replace it. Default: 16 MiB, more with much data. */
  readonly journalBytes?: number | undefined;
  /**
   * Starts at once the process that evaluates filters, which takes 0.3 s and some 50 MB. Default: with the first filter.
   */
  readonly prepared?: boolean;
  /** Does what the service document allows and clients may not expect, as `serve --vary` does: an integer. */
  readonly vary?: number;
  /** Replaces some of the functions that the server is composed of. */
  readonly components?: (components: Components) => Components;
  readonly log?: LogOptions;
}

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Of each node; `url` is the first. */
  readonly urls: readonly string[];
  /** The one that was given or made; undefined when the configuration names the administrators. */
  readonly admin: Administrator | undefined;
  /**
   * Resolves when the directory `data` could not be written. What is in memory is then ahead of what is on disk, so
   * every request is answered with 503 from then on; stop the server, mend the disk, and start it again.
   */
  readonly failed: Promise<Error>;
  /** Lets open requests end within two seconds, then closes everything. */
  readonly stop: () => Promise<void>;
}

const { version } = createRequire(import.meta.url)('docfeed/package.json') as { version: string };
const graceMs = 2000;

/**
 * Starts a server, over a fresh store in memory or what is in a directory. It accepts requests when the promise resolves.
 * Rejects with node's error when it cannot listen, such as one of code `EADDRINUSE`, with a `ConfigurationFileError`
 * when it cannot use a file, with an `InvalidSetting` when it cannot use a value of `config`, and with a `DataDirectoryError`
 * when it cannot use the directory or what is in it is damaged.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { port = 0, nodes = 1, host = '127.0.0.1' } = options;
  const log = createLog(options.log ?? {});
  const dialect = dialects[options.dialect ?? 'service'];
  const replaced = options.components?.(defaultComponents) ?? defaultComponents;
  const components = options.vary === undefined ? replaced : vary(options.vary)(replaced);
  const configuration = await configure(options, new Configuration(dialect), log);
  const { settings } = configuration;
  // A server is never open to all.
  const admin = options.admin ?? (settings.administrators.size === 0 ? generateAdministrator() : undefined);
  if (admin) await configuration.set('admins', admin.name, admin.password);

  const store = await Store.open(components, dataOf(options, log));
  if (!store.names().includes(USERS_DATABASE)) store.create(USERS_DATABASE);
  const accounts = await Accounts.open({
    settings,
    readUser: (name) => readDocument(store, USERS_DATABASE, dialect.userIdPrefix + name),
    lockout: new Lockout(settings, log),
    isCurrentCode: components.isCurrentCode,
  });
  const cookies = new SessionCookies(settings);

  const uuid = store.uuid ?? randomBytes(16).toString('hex');
  const workerPool = new WorkerPool(() => settings.filterCpuMs);
  if (options.prepared) workerPool.prepare();
  const authentication = { accounts, cookies, settings, components };
  const state = { uuid, store, configuration, settings, dialect, authentication, workerPool, components };
  const servers = Array.from({ length: nodes }, (_, node) => {
    const own = port === 0 ? 0 : port + node;
    const product = `docfeed/${version}`;
    return composeServer({ host, port: own, product, state: { ...state, node }, components, log });
  });
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop({ timeout: graceMs })));
    workerPool.close();
    await store.close();
  };
  try {
    for (const server of servers) await server.start();
  } catch (error) {
    await stop();
    throw error;
  }

  const urls = servers.map(({ info }) => urlOf(host, info.port as number));
  return { url: urls[0]!, urls, admin, failed: store.failed, stop };
}

function dataOf({ data: path, journalBytes }: ServerOptions, log: Logger): DataDirectoryOptions | undefined {
  if (path === undefined) return undefined;
  // Whoever wants to hear of no request wants to hear of data that was set aside.
  const always = log.child({}, { level: 'warn' });
  return { path, journalBytes, log: (line) => always.warn(line) };
}

async function configure(
  { configFiles = [], config = {} }: ServerOptions,
  configuration: Configuration,
  log: Logger,
): Promise<Configuration> {
  for (const file of configFiles)
    (await applyFile(file, configuration)).forEach((warning) => log.warn(warning));
  for (const [section, values] of Object.entries(config)) {
    for (const [key, value] of Object.entries(values)) await configuration.set(section, key, value);
  }
  return configuration;
}

const generateAdministrator = (): Administrator => ({
  name: 'admin',
  password: randomBytes(15).toString('base64url'),
});

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The content of the winning revision; undefined when there is no such database or document. */
function readDocument(store: Store, name: string, id: string): Record<string, unknown> | undefined {
  if (!store.names().includes(name)) return undefined;
  const database = store.database(name);
  const document = database.find(id);
  if (!document || document.leaves.deleted) return undefined;
  const revision = database.revision(document, document.leaves.winner);
  return revision && (JSON.parse(revision.body) as Record<string, unknown>);
}
