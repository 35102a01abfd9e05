/** `docfeed serve`: the reference server as a program. */
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError, Option } from 'commander';
import { closest, distance } from 'fastest-levenshtein';
import type { Dialect } from '../../openapi/generated/dialects.js';
import type { LogLevel, RunningServer, ServerOptions } from '../index.js';
import type { Fault } from '../server/components.js';
import { DataFolderError, describeError } from '../store/disk/errors.js';
import { integer, parseAdministrator, wrongUsage } from './arguments.js';

export interface ServeDependencies {
  /** Loads the faults for `--fault`. The caller passes them in, because the server does not import the suite. */
  readonly loadFaults?: () => Promise<readonly Fault[]>;
}

interface ServeOptions {
  readonly port: number;
  readonly nodes: number;
  readonly host: string;
  readonly dialect: Dialect;
  readonly admin?: string;
  readonly config: readonly string[];
  readonly data?: string;
  readonly salvage?: string;
  readonly journalBytes?: number;
  readonly maxBodyBytes?: number;
  readonly logLevel: LogLevel;
  readonly vary?: number;
  readonly serviceVersion?: string;
  readonly lack: readonly string[];
  readonly fault?: string;
  readonly listSettings?: boolean;
  readonly json?: boolean;
}

const afterHelp = `
Examples:
  # a server for tests, which forgets everything when it stops
  docfeed serve --port 5984 --admin admin:secret --dialect couchdb

  # a server that keeps its data
  docfeed serve --admin admin:secret --data ./data

  # three nodes of one cluster
  docfeed serve --port 5984 --nodes 3 --admin admin:secret

  # a server that does what the rules allow and clients may not expect
  docfeed serve --admin admin:secret --vary 7

  # a server without bulk writes and without \`since=now\`
  docfeed serve --admin admin:secret --lack bulk-docs,since-now

  # what a configuration file can set
  docfeed serve --list-settings --dialect couchdb`;

export function serveCommand({ loadFaults }: ServeDependencies = {}): Command {
  const command = new Command('serve')
    .description('start the reference server (data in memory by default)')
    .option('--port <number>', 'port to listen on; 0 selects a free port', integer(0, 65_535), 5984)
    .option(
      '--nodes <number>',
      'number of nodes sharing one store, on consecutive ports from --port',
      integer(1, 100),
      1,
    )
    .option('--host <name>', 'host name or IP address to listen on', '127.0.0.1')
    .addOption(
      new Option('--dialect <dialect>', 'names that the API uses')
        .choices(['service', 'couchdb'])
        .default('service'),
    )
    .addOption(
      new Option(
        '--admin <name:password>',
        'server administrator (default: admin with a generated password, which is printed)',
      ).env('DOCFEED_ADMIN'),
    )
    .option('--data <dir>', 'folder for durable data (default: in memory)')
    .option(
      '--salvage <dir>',
      'copy what is undamaged in --data to a new folder, list what is not, and exit: 0 if everything is copied, 1 if not',
    )
    .option(
      '--journal-bytes <number>',
      'journal size at which --data is compacted (default: 16 MiB, or more for large data)',
      integer(1, Number.MAX_SAFE_INTEGER),
    )
    .addOption(
      new Option(
        '--config <file>',
        "INI file with CouchDB's setting names (repeatable; later files override earlier ones)",
      )
        .default([], 'none')
        .argParser((file: string, files: readonly string[]) => [...files, file]),
    )
    .option('--list-settings', 'list all settings with their defaults and meaning, and exit')
    .option('--json', 'with --list-settings: print JSON')
    .option(
      '--max-body-bytes <number>',
      'maximum size of a request body (default: 8 MiB)',
      integer(1, 1024 * 1024 * 1024),
    )
    .addOption(
      new Option('--log-level <level>', 'level of the log on standard error; info logs every request')
        .choices(['info', 'warn', 'error', 'silent'] satisfies LogLevel[])
        .default('warn'),
    )
    .option(
      '--vary <seed>',
      'use allowed behaviour that clients may not expect: row order, repeated rows, sequence types, ...',
      integer(0, 2 ** 31 - 1),
    )
    .option(
      '--service-version <version>',
      'older version of the service, without what came later (default: the latest version)',
    )
    .addOption(
      new Option(
        '--lack <names>',
        'be without these features, as real servers are: bulk-docs,since-now, ... (repeatable; the README lists all)',
      )
        .default([], 'none')
        .argParser((names: string, lacking: readonly string[]) => [...lacking, ...names.split(',')]),
    );
  if (loadFaults)
    command.option('--fault <id>', 'break one rule, to test what detects it; `docfeed faults` lists the ids');
  command.addHelpText('after', afterHelp);
  return command.action(async (options: ServeOptions) => {
    if (options.listSettings) return printSettings(options);
    if (options.json) throw wrongUsage('--json needs --list-settings');
    if (options.salvage !== undefined) return salvage(options.data, options.salvage);
    const fault = options.fault === undefined ? undefined : findFault(options.fault, await loadFaults!());
    const server = await start(options, fault);
    const signalled = waitForSignal();
    for (const url of server.urls) process.stdout.write(`listening on ${url}\n`);
    const failure = await Promise.race([signalled, server.failed]);
    await server.stop();
    if (failure)
      throw new CommanderError(1, 'docfeed.data', `cannot write the data: ${describeError(failure)}`);
  });
}

async function start(options: ServeOptions, fault: Fault | undefined): Promise<RunningServer> {
  const { port, nodes, host, dialect, data, journalBytes, config: configFiles } = options;
  const { maxBodyBytes, logLevel, vary, serviceVersion, lack } = options;
  if (journalBytes !== undefined && data === undefined) throw wrongUsage('--journal-bytes needs --data');
  if (data === '') throw wrongUsage('--data must name a folder');
  if (port > 0 && port + nodes - 1 > 65_535)
    throw wrongUsage(
      `--nodes ${nodes} needs ports ${port} to ${port + nodes - 1}, but the highest port is 65535`,
    );
  const admin = options.admin === undefined ? undefined : parseAdministrator(options.admin);
  // Loading modules would grow V8's young generation to its maximum, and it hardly shrinks again.
  setFlagsFromString('--semi-space-growth-factor=1');
  const [reference, { describePlan, planOf }] = await Promise.all([
    import('../index.js'),
    import('../variation/index.js'),
  ]);
  const { ConfigurationFileError, InvalidSetting, InvalidVersion, UnknownLack } = reference;
  const config: ServerOptions['config'] =
    maxBodyBytes === undefined ? {} : { chttpd: { max_http_request_size: String(maxBodyBytes) } };
  try {
    const server = await reference.startServer({
      port,
      nodes,
      host,
      data,
      journalBytes,
      dialect,
      admin,
      config,
      configFiles,
      vary,
      serviceVersion,
      lack,
      log: { level: logLevel },
      components: fault?.replace,
      prepared: true,
    });
    setFlagsFromString('--semi-space-growth-factor=2');
    if (!admin && server.admin) {
      const { name, password } = server.admin;
      process.stderr.write(
        `administrator ${name}, password ${password} (generated for this run; use --admin to set it)\n`,
      );
    }
    if (vary !== undefined) process.stderr.write(`${describePlan(planOf(vary, serviceVersion))}\n`);
    if (fault) process.stderr.write(`fault ${fault.id}: breaks ${fault.rule}\n`);
    // npm starts the program in a shell, so that signals to npm do not reach it.
    if (/^'?docfeed\b/.test(process.env['npm_lifecycle_script'] ?? '')) {
      process.stderr.write(
        `process ${process.pid}: to stop it, press Ctrl-C or use \`kill ${process.pid}\`\n`,
      );
    }
    return server;
  } catch (error) {
    if (
      [ConfigurationFileError, InvalidSetting, InvalidVersion, UnknownLack].some(
        (type) => error instanceof type,
      )
    )
      throw wrongUsage((error as Error).message);
    throw cannotStart(error as NodeJS.ErrnoException, host, port);
  }
}

async function printSettings({ dialect, json = false }: ServeOptions): Promise<void> {
  const [{ dialects }, { listSettings }] = await Promise.all([
    import('../../openapi/generated/dialects.js'),
    import('../config/settings-list.js'),
  ]);
  process.stdout.write(listSettings(dialects[dialect], json));
}

/** Exits with 1 if something is not copied, and with 2 if nothing is. */
async function salvage(from: string | undefined, to: string): Promise<void> {
  if (!from || to === '') throw wrongUsage('--salvage must name a new folder, and --data the damaged one');
  const { Store } = await import('../store/store.js');
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  try {
    const { copied, problems } = await Store.salvage({ from, to, log });
    const list = (lines: readonly string[]) => lines.map((line) => `  ${line}\n`).join('');
    process.stdout.write(`copied to ${to}:\n${list(copied)}`);
    if (problems.length === 0) return;
    process.stdout.write(`not copied, with everything that depends on it:\n${list(problems)}`);
    throw new CommanderError(1, 'docfeed.salvage', `${from} is damaged; ${to} has what is whole`);
  } catch (error) {
    throw error instanceof DataFolderError ? wrongUsage(error.message) : error;
  }
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * npm and other wrappers pass on a signal that the terminal has sent to all processes already. Within this time, it is
 * the same one. In milliseconds.
 */
const echoMs = 500;

/** Resolves on the first signal. A later one terminates the process. */
async function waitForSignal(): Promise<void> {
  const finished = new AbortController();
  const finish = () => finished.abort();
  for (const name of signals) process.on(name, finish);
  await once(finished.signal, 'abort');
  setTimeout(() => signals.forEach((name) => process.removeListener(name, finish)), echoMs).unref();
}

function findFault(id: string, faults: readonly Fault[]): Fault {
  const fault = faults.find((one) => one.id === id);
  if (fault) return fault;
  throw wrongUsage(`unknown fault ${id}${similarFaults(id, faults)}; \`docfeed faults\` lists all`);
}

/** The faults that somebody may have meant: those of a rule, or those whose ids begin or go on like the text, or a typo. */
function similarFaults(text: string, faults: readonly Fault[]): string {
  const ids = faults.map(({ id }) => id);
  const list = (which: string, found: readonly string[]) => `; ${which}: ${found.join(', ')}`;
  const ofRule = faults.flatMap(({ id, rule }) => (rule === text ? [id] : []));
  if (ofRule.length > 0) return list('it is a rule, which these faults break', ofRule);
  const beginning = ids.filter((id) => id.startsWith(text));
  if (beginning.length > 0) return list('these begin so', beginning);
  const containing = ids.filter((id) => id.includes(text));
  if (containing.length > 0) return list('these contain it', containing);
  const nearest = closest(text, ids);
  return distance(text, nearest) <= text.length / 3 ? `; did you mean ${nearest}?` : '';
}

const problems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'the address does not belong to this machine',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host is unknown',
};

/** @param first port of the first node, in case the error has no port */
function cannotStart(error: NodeJS.ErrnoException & { port?: number }, host: string, first: number): Error {
  if (error instanceof DataFolderError) return wrongUsage(error.message);
  const problem = problems[error.code ?? ''];
  const { port = first } = error;
  return problem === undefined ? error : wrongUsage(`cannot listen on ${host}, port ${port}: ${problem}`);
}
