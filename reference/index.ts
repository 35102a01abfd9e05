/** The reference server as a library: `import { startServer } from 'docfeed/reference'`. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { dialects, type Dialect } from '../openapi/generated/dialects.js';
import { USERS_DATABASE } from './auth/authorization.js';
import { Accounts, type UserRecord } from './auth/accounts.js';
import { SessionCookies } from './auth/cookie.js';
import { Lockout } from './auth/lockout.js';
import { withPassword } from './auth/user-documents.js';
import { Configuration, warningOf } from './config/configuration.js';
import type { Settings } from './config/settings.js';
import { ConfigurationFiles } from './config/config-file.js';
import { storedPassword, type StoredPassword } from './crypto/passwords.js';
import { WorkerPool } from './filters/evaluation/worker-pool.js';
import { readRevision } from './handlers/documents.js';
import { Uuids } from './handlers/uuids.js';
import { createLog, type LogOptions, type Logger } from './http/logging.js';
import { without } from './lacks/index.js';
import { defaultComponents, type Components } from './server/components.js';
import { composeServer } from './server/server.js';
import type { DataFolderOptions } from './store/disk/data-folder.js';
import { parseDocument } from './store/parse-document.js';
import { renderMembers } from './store/render-document.js';
import type { Database } from './store/database.js';
import { Store } from './store/store.js';
import { vary, type Plan } from './variation/index.js';
import { withVersion } from './variation/older-version.js';

export { ConfigurationFileError } from './config/config-file.js';
export { InvalidSetting } from './config/configuration.js';
export type { Context } from './handlers/context.js';
export type { LogLevel, LogOptions } from './http/logging.js';
export { lacks, UnknownLack, type Lack } from './lacks/index.js';
export { httpError } from './http/errors.js';
export { InvalidVersion } from './variation/older-version.js';
export type { Fault, Components } from './server/components.js';
export { DataFolderError } from './store/disk/errors.js';

/** The name and password of a server administrator. */
export interface Administrator {
  /** Without a colon, since basic authentication could not send it. */
  readonly name: string;
  /** In plain text. */
  readonly password: string;
}

/** What a server varies within the rules: see {@link ServerOptions.vary}. */
export type Variation = Partial<Plan>;

/** Options of {@link startServer}. */
export interface ServerOptions {
  /** Port to listen on. Default 0, which selects a free port. */
  readonly port?: number;
  /** Number of nodes sharing one store, on consecutive ports from `port`. Default 1. */
  readonly nodes?: number;
  /** Host name or IP address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Default `service`. */
  readonly dialect?: Dialect;
  /** Default: the administrators in the configuration, or `admin` with a random password if there are none. */
  readonly admin?: Administrator;
  /** INI files with CouchDB's sections and keys. Later files override earlier ones. */
  readonly configFiles?: readonly string[];
  /** Settings by section and key. They override files. One without effect causes a warning in the log, as in a file. */
  readonly config?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Folder for durable data. It is created if necessary. Responses and feeds only contain changes that are on disk,
   * so a crash does not lose them. Default: in memory only.
   */
  readonly data?: string | undefined;
  /** Journal size in bytes at which `data` is compacted. Default: 16 MiB, or more for large data. */
  readonly journalBytes?: number | undefined;
  /**
   * Whether to start processes for filters in advance (each 0.3 s, about 50 MB): the first with the server, a further one
   * when all are busy. By default, a filter that needs a process starts it.
   */
  readonly prepared?: boolean;
  /** Allowed behaviour that clients may not expect: that of a seed (an integer), as in `serve --vary`, or only what is given. */
  readonly vary?: number | Variation;
  /** Version of the service that the server declares. It lacks what came later. Default: the latest version. */
  readonly serviceVersion?: string;
  /** Features that the server does not have: names of {@link lacks}. Default: none. */
  readonly lack?: readonly string[];
  /** Replaces some of the server's components. */
  readonly components?: (components: Components) => Components;
  /** Where the log goes, and its level. Default: errors and warnings, as JSON lines on standard error. */
  readonly log?: LogOptions;
}

/** A server that accepts requests, until it is stopped. */
export interface RunningServer {
  /** URL of the first node, without a trailing slash. */
  readonly url: string;
  /** URLs of all nodes. */
  readonly urls: readonly string[];
  /** The given or generated administrator; undefined if the configuration has administrators. */
  readonly admin: Administrator | undefined;
  /**
   * Resolves with the error when a write to the `data` folder fails. Memory and disk differ then, so all further
   * responses have status 503. Stop the server, repair the disk, and start it again.
   */
  readonly failed: Promise<Error>;
  /** Waits up to two seconds for open requests, then closes everything. */
  readonly stop: () => Promise<void>;
}

const graceMs = 2000;

/**
 * Starts a server. It accepts requests when the promise resolves.
 *
 * Rejects with a `ConfigurationFileError` for an invalid file, with an `InvalidSetting` for an invalid value in `config`,
 * with an `InvalidVersion` for an invalid `serviceVersion`, with an `UnknownLack` for an unknown name in `lack`, with a `DataFolderError` if the data folder is unusable
 * or damaged, and with Node's error if the server cannot listen (for example with the code `EADDRINUSE`).
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { port = 0, nodes = 1, host = '127.0.0.1' } = options;
  const log = createLog(options.log ?? {});
  const dialect = dialects[options.dialect ?? 'service'];
  const components = componentsFor(options);
  const opening = Store.open(components, dataOptions(options, log));
  // Only a store on disk has a secret. Opening another one and hashing passwords both take time, in different threads.
  const secret = options.data === undefined ? undefined : (await opening).secret;
  const configuration = new Configuration(dialect, {
    'chttpd/bind_address': host,
    'chttpd/port': String(port),
    ...(options.data !== undefined && { 'couchdb/database_dir': resolve(options.data) }),
    ...(secret !== undefined && { 'chttpd_auth/secret': secret }),
  });
  const { settings } = configuration;
  const configurationFiles = new ConfigurationFiles(options.configFiles ?? [], configuration);
  const admin = await configure(configuration, configurationFiles, options, log).catch(
    async (error: unknown) => {
      await (await opening).close();
      throw error;
    },
  );
  const store = await opening;
  if (!store.has(USERS_DATABASE)) store.create(USERS_DATABASE);
  const accounts = new Accounts({
    settings,
    readUser: (name) => readUser(usersOf(store, settings), dialect.userIdPrefix + name),
    replacePassword: (name, old, hash) =>
      replacePassword(usersOf(store, settings), dialect.userIdPrefix + name, old, hash),
    lockout: new Lockout(settings, log),
    isCurrentCode: components.isCurrentCode,
  });
  const cookies = new SessionCookies(settings);

  const uuid = store.uuid ?? randomBytes(16).toString('hex');
  const workerPool = new WorkerPool(() => settings.filterCpuMs);
  const authentication = { accounts, cookies, settings, components };
  const state = {
    uuid,
    store,
    configuration,
    configurationFiles,
    settings,
    dialect,
    authentication,
    workerPool,
    uuids: new Uuids(settings),
    components,
    log,
  };
  const servers = Array.from({ length: nodes }, (_, node) => {
    const nodePort = port === 0 ? 0 : port + node;
    return composeServer({ host, port: nodePort, state: { ...state, node }, components });
  });
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop({ timeout: graceMs })));
    workerPool.close();
    await store.close();
  };
  try {
    for (const server of servers) await server.start();
    if (options.prepared) workerPool.prepare();
  } catch (error) {
    await stop();
    throw error;
  }

  const urls = servers.map(({ info }) => urlOf(host, info.port as number));
  return { url: urls[0]!, urls, admin, failed: store.failed, stop };
}

function componentsFor(options: ServerOptions): Components {
  const { components: replace, lack = [], serviceVersion, vary: variation } = options;
  const replaced = without(lack)(replace?.(defaultComponents) ?? defaultComponents);
  const versioned = serviceVersion === undefined ? replaced : withVersion(serviceVersion)(replaced);
  return variation === undefined ? versioned : vary(variation, serviceVersion)(versioned);
}

function dataOptions(
  { data: path, journalBytes }: ServerOptions,
  log: Logger,
): DataFolderOptions | undefined {
  if (path === undefined) return undefined;
  // Log these warnings at any level, because they concern the data.
  const dataLog = log.child({}, { level: 'warn' });
  return { path, journalBytes, log: (line) => dataLog.warn(line) };
}

/** @returns the given or a generated administrator; undefined if the configuration has administrators */
async function configure(
  configuration: Configuration,
  configurationFiles: ConfigurationFiles,
  { config = {}, admin: given }: ServerOptions,
  log: Logger,
): Promise<Administrator | undefined> {
  (await configurationFiles.apply()).forEach((warning) => log.warn(warning));
  for (const [section, values] of Object.entries(config)) {
    for (const [key, value] of Object.entries(values)) {
      const warning = warningOf(section, key);
      if (warning !== undefined) log.warn(`config: ${warning}`);
      await configuration.set(section, key, value);
    }
  }
  // The server never runs without an administrator, because everybody would be one then.
  const { administrators } = configuration.settings;
  const admin = given ?? (administrators.size === 0 ? generateAdministrator() : undefined);
  if (admin) await configuration.set('admins', admin.name, admin.password);
  return admin;
}

const generateAdministrator = (): Administrator => ({
  name: 'admin',
  password: randomBytes(15).toString('base64url'),
});

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** @returns the users database; undefined if it is deleted */
const usersOf = (store: Store, { usersDatabase }: Settings): Database | undefined =>
  store.has(usersDatabase) ? store.database(usersDatabase) : undefined;

/** @returns undefined if there is no such document */
function readUser(database: Database | undefined, id: string): UserRecord | undefined {
  const head = database?.find(id);
  if (!database || !head || head.leaves.deleted) return undefined;
  const revision = database.revision(head, head.leaves.winner);
  return (
    revision && { document: renderMembers(revision.body), hasConflicts: head.leaves.conflicts.length > 0 }
  );
}

function replacePassword(
  database: Database | undefined,
  id: string,
  old: StoredPassword,
  hash: StoredPassword,
): void {
  const head = database?.find(id);
  if (!database || !head || head.leaves.deleted) return;
  const document = readRevision(database, head, head.leaves.winner, { revs: false, attachments: false });
  // The user may have another password meanwhile.
  if (!document || !isDeepStrictEqual(storedPassword(document), old)) return;
  database.edit([parseDocument(withPassword(document, hash), id)]);
}
