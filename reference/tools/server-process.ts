/** The built reference server in a process of its own, as its users run it. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { execaNode } from 'execa';
import type { Administrator } from '../index.js';

export interface ServerProcess {
  readonly pid: number;
  readonly url: string;
  readonly admin: Administrator;
  /** Resident memory of the process in bytes. Throws on systems without /proc. */
  readonly memory: () => Promise<number>;
  /** Number of open files and sockets. Throws on systems without /proc. */
  readonly openHandles: () => Promise<number>;
  /** Ends the process. The default signal gives it no time to finish. */
  readonly stop: (signal?: 'SIGKILL' | 'SIGTERM') => Promise<void>;
}

/** Runs built programs as users do: Node.js has no options, although `tsx` runs this tool with options of its own. */
export const runBuilt = (env: Record<string, string>, nodeOptions: readonly string[] = []) =>
  execaNode({ reject: false, nodeOptions, env });

/**
 * Starts `dist/bin/docfeed.js serve` on a free port.
 *
 * @param args further arguments of `serve`
 * @param nodeOptions options of Node.js
 * @throws Error with the server's own message if it does not start
 */
export async function startServerProcess(
  args: readonly string[] = [],
  admin: Administrator = { name: 'admin', password: randomBytes(12).toString('hex') },
  nodeOptions?: readonly string[],
): Promise<ServerProcess> {
  const env = { DOCFEED_ADMIN: `${admin.name}:${admin.password}` };
  const child = runBuilt(env, nodeOptions)('dist/bin/docfeed.js', ['serve', '--port', '0', ...args]);
  const stop = async (signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    await child;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    const pid = child.pid!;
    const folder = `/proc/${pid}`;
    return {
      ...{ pid, url, admin, stop },
      memory: async () => {
        const status = await readFile(`${folder}/status`, 'utf8');
        return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
      },
      openHandles: async () => (await readdir(`${folder}/fd`)).length,
    };
  }
  throw new Error(`the reference server did not start: ${(await child).stderr}`);
}
