/** The reference server in a process of its own. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { execaNode } from 'execa';
import type { Administrator } from '../index.js';
import { listeningUrl } from '../../reports/testing/listening-urls.js';
import { Client } from './client.js';

export interface ServerProcessOptions {
  /** Arguments of Node.js, up to the main module. Default: the built program, as its users run it. */
  readonly program?: readonly string[];
  /** Further arguments of `serve`. */
  readonly args?: readonly string[];
  /** Default: `admin`, with a random password. */
  readonly admin?: Administrator;
  /** Source of a module that Node.js runs before the server. */
  readonly preload?: string | undefined;
  /** Whether `measure` works. It needs options of Node.js that users do not set. Default false. */
  readonly measured?: boolean;
  /** Kills the process after this time in milliseconds. */
  readonly killAfter?: number;
  /** Called with each line on standard error. */
  readonly onLog?: (line: string) => void;
}

/** What a process uses. */
export interface ResourceUsage {
  /** Bytes that JavaScript keeps, after a garbage collection. */
  readonly kept: number;
  /** Resident memory in bytes. It includes what Node.js has freed and not returned. */
  readonly resident: number;
  /** Number of open files and sockets. */
  readonly handles: number;
}

export type ServerProcess = Awaited<ReturnType<typeof startServerProcess>>;

/** The process was killed before it listened, as `killAfter` asks. */
export class KilledAtStart extends Error {}

/** Runs built programs as users do: Node.js has no options, although `tsx` runs this tool with options of its own. */
export const runBuilt = (
  env: Record<string, string>,
  nodeOptions: readonly string[] = [],
  killAfter?: number,
) =>
  execaNode({
    reject: false,
    ipc: true,
    nodeOptions,
    env,
    ...(killAfter !== undefined && { timeout: killAfter, killSignal: 'SIGKILL' }),
  });

/**
 * Answers a signal rather than a message, since a listener for messages would keep the process alive. A collection of
 * the flavor `last-resort` returns the memory that V8 holds ready for new objects, which says nothing about leaks.
 */
const probe = `process.on('SIGUSR2', () => {
  globalThis.gc();
  setImmediate(() => {
    globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const { heapUsed, external } = process.memoryUsage();
    process.send?.(heapUsed + external);
  });
})`;
const importing = (source: string): string => `--import=data:text/javascript,${encodeURIComponent(source)}`;

/**
 * Runs `serve` on a free port.
 *
 * @throws Error with the server's own message if it does not start, or KilledAtStart
 */
export async function startServerProcess({
  program = ['dist/bin/docfeed.js'],
  args = [],
  admin = { name: 'admin', password: randomBytes(12).toString('hex') },
  preload,
  measured = false,
  killAfter,
  onLog,
}: ServerProcessOptions) {
  const env = { DOCFEED_ADMIN: `${admin.name}:${admin.password}` };
  const nodeOptions = [
    ...(measured ? ['--expose-gc', importing(probe)] : []),
    ...(preload === undefined ? [] : [importing(preload)]),
    ...program.slice(0, -1),
  ];
  const child = runBuilt(env, nodeOptions, killAfter)(program.at(-1)!, ['serve', '--port', '0', ...args]);
  if (onLog) createInterface(child.stderr).on('line', onLog);
  const url = await listeningUrl(child).catch(async (error) => {
    throw (await child).timedOut ? new KilledAtStart() : (error as Error);
  });
  const client = new Client(url, 'docfeed');
  const folder = `/proc/${child.pid}`;
  /** Resident memory in bytes, also while the server is busy. Rejects on systems without /proc. */
  const memory = async () => {
    const status = await readFile(`${folder}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
  };
  return {
    url,
    admin,
    memory,
    pid: child.pid!,
    /** It has not logged in. It is closed with the server. */
    client,
    /** Resolves when the process has ended. */
    exited: child as Promise<unknown>,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Collects garbage, then measures. Rejects on systems without /proc. */
    measure: async (): Promise<ResourceUsage> => {
      const answer = child.getOneMessage();
      child.kill('SIGUSR2');
      const kept = (await answer) as number;
      return { kept, resident: await settled(memory), handles: (await readdir(`${folder}/fd`)).length };
    },
    /** Ends the process, and gives it no time to finish. */
    stop: async () => {
      child.kill('SIGKILL');
      await child;
      await client.close();
    },
  };
}

/** Waits while a figure falls: V8 returns pages to the system for some time after a garbage collection. */
async function settled(measure: () => Promise<number>): Promise<number> {
  for (let last = Infinity; ;) {
    const now = await measure();
    if (now >= last) return last;
    last = now;
    await setTimeout(200);
  }
}

/** Calls `task` with a server, which stops afterwards. */
export async function withServerProcess<T>(
  options: ServerProcessOptions,
  task: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const server = await startServerProcess(options);
  try {
    return await task(server);
  } finally {
    await server.stop();
  }
}
