/** `docfeed serve`: the reference server as a program. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { closest } from 'fastest-levenshtein';
import type { Dialect } from '../../openapi/generated/dialects.js';
import type { Administrator, LogLevel, RunningServer, ServerOptions } from '../index.js';
import type { Fault } from '../server/components.js';
import { DataDirectoryError, describeError } from '../store/disk/errors.js';

export interface ServeSeams {
  /** The faults that `--fault` can name. They live with the suite, which this server does not know. */
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
  readonly journalBytes?: number;
  readonly maxBodyBytes?: number;
  readonly logLevel: LogLevel;
  readonly vary?: number;
  readonly fault?: string;
}

export function serveCommand({ loadFaults }: ServeSeams = {}): Command {
  const command = new Command('serve')
    .description('run the reference server, with its data in memory or in a directory')
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 for any that is free')
        .default(5984)
        .argParser(integer(0, 65_535)),
    )
    .addOption(
      new Option(
        '--nodes <number>',
        'so many ports over one store, from --port on: as a cluster looks from outside',
      )
        .default(1)
        .argParser(integer(1, 100)),
    )
    .option('--host <name>', 'name or address to listen on', '127.0.0.1')
    .addOption(
      new Option('--dialect <dialect>', 'words of the interface')
        .choices(['service', 'couchdb'])
        .default('service'),
    )
    .addOption(
      new Option(
        '--admin <name:password>',
        'the administrator (default: admin, with a password that is printed)',
      ).env('DOCFEED_ADMIN'),
    )
    .option('--data <directory>', 'keep the data there, so that a crash loses nothing (default: in memory)')
    .addOption(
      new Option(
        '--journal-bytes <number>',
        'size of the journal in --data at which snapshots replace it (default: 16 MiB, more with much data)',
      ).argParser(integer(1, Number.MAX_SAFE_INTEGER)),
    )
    .addOption(
      new Option('--config <file>', 'INI file with the names of CouchDB; may be given again, the last wins')
        .default([], 'none')
        .argParser((file: string, files: readonly string[]) => [...files, file]),
    )
    .addOption(
      new Option('--max-body-bytes <number>', 'largest request body (default: 8 MiB)').argParser(
        integer(1, 1024 * 1024 * 1024),
      ),
    );
  command.addOption(
    new Option('--log-level <level>', 'what goes to standard error; info has a line for each request')
      .choices(['info', 'warn', 'error', 'silent'] satisfies LogLevel[])
      .default('warn'),
  );
  command.addOption(
    new Option(
      '--vary <seed>',
      'do what the rules allow and clients may not expect: order, repeated rows, forms of sequences, ...',
    ).argParser(integer(0, 2 ** 31 - 1)),
  );
  if (loadFaults) command.option('--fault <id>', 'break one rule, to try out what finds it');
  return command.action(async (options: ServeOptions) => {
    const fault = options.fault === undefined ? undefined : findFault(options.fault, await loadFaults!());
    const server = await start(options, fault);
    const failure = await Promise.race([signal(), server.failed]);
    await server.stop();
    if (failure)
      throw new CommanderError(1, 'docfeed.data', `the data cannot be written: ${describeError(failure)}`);
  });
}

async function start(options: ServeOptions, fault: Fault | undefined): Promise<RunningServer> {
  const { port, nodes, host, dialect, data, journalBytes, config: configFiles } = options;
  const { maxBodyBytes, logLevel, vary } = options;
  if (journalBytes !== undefined && data === undefined) throw wrongUsage('--journal-bytes needs --data');
  if (data === '') throw wrongUsage('--data must name a directory');
  if (port > 0 && port + nodes - 1 > 65_535)
    throw wrongUsage(`--nodes ${nodes} takes ports ${port} to ${port + nodes - 1}; the last port is 65535`);
  const admin = options.admin === undefined ? undefined : administrator(options.admin);
  const [{ ConfigurationFileError, InvalidSetting, startServer }, { describePlan, planOf }] =
    await Promise.all([import('../index.js'), import('../variation/index.js')]);
  const config: ServerOptions['config'] =
    maxBodyBytes === undefined ? {} : { chttpd: { max_http_request_size: String(maxBodyBytes) } };
  try {
    const log = { level: logLevel };
    const own = { config, configFiles, log, vary, components: fault?.replace };
    const where = { port, nodes, host, data, journalBytes };
    const server = await startServer({ ...where, dialect, admin, ...own, prepared: true });
    if (!admin && server.admin) {
      const { name, password } = server.admin;
      process.stderr.write(
        `administrator ${name}, password ${password} (made for this run; --admin sets another)\n`,
      );
    }
    if (vary !== undefined) process.stderr.write(`${describePlan(planOf(vary))}\n`);
    if (fault) process.stderr.write(`fault ${fault.id}: breaks ${fault.rule}\n`);
    for (const url of server.urls) process.stdout.write(`listening on ${url}\n`);
    return server;
  } catch (error) {
    if (error instanceof ConfigurationFileError || error instanceof InvalidSetting)
      throw wrongUsage(error.message);
    throw cannotStart(error as NodeJS.ErrnoException, host, port);
  }
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function signal(): Promise<void> {
  return new Promise((resolve) => {
    const signals = ['SIGTERM', 'SIGINT'] as const;
    const end = () => {
      for (const name of signals) process.removeListener(name, end);
      resolve();
    };
    for (const name of signals) process.on(name, end);
  });
}

function administrator(text: string): Administrator {
  const colon = text.indexOf(':');
  // The text is not repeated: it may be a password.
  if (colon < 1 || colon === text.length - 1)
    throw wrongUsage('--admin and DOCFEED_ADMIN must be name:password');
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

function findFault(id: string, faults: readonly Fault[]): Fault {
  const fault = faults.find((one) => one.id === id);
  if (fault) return fault;
  const ids = faults.map((one) => one.id);
  const hint = ids.length > 0 ? `; did you mean ${closest(id, ids)}?` : '';
  throw wrongUsage(`there is no fault ${id}${hint}`);
}

const problems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'that takes more rights',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
};

/** @param first the port of the first node; the error knows which one it is about */
function cannotStart(error: NodeJS.ErrnoException & { port?: number }, host: string, first: number): Error {
  if (error instanceof DataDirectoryError) return wrongUsage(error.message);
  const problem = problems[error.code ?? ''];
  const { port = first } = error;
  return problem === undefined ? error : wrongUsage(`cannot listen on ${host}, port ${port}: ${problem}`);
}

const wrongUsage = (message: string) => new CommanderError(2, 'docfeed.usage', message);

const integer = (least: number, greatest: number) => (text: string) => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= greatest) return value;
  throw new InvalidArgumentError(`It must be a number from ${least} to ${greatest}.`);
};
