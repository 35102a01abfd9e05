/** A built reference server in a process of its own, as its users run it. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execaNode } from 'execa';
import type { Administrator } from '../../index.js';

export interface ServerProcess {
  readonly url: string;
  readonly admin: Administrator;
  /** Memory of the process in bytes; undefined on systems without /proc. */
  readonly memory: () => Promise<number | undefined>;
  readonly stop: () => Promise<void>;
}

/** @param durable whether the server writes to disk */
export async function startServerProcess(durable: boolean): Promise<ServerProcess> {
  const admin = { name: 'admin', password: randomBytes(12).toString('hex') };
  const directory = await mkdtemp(join(tmpdir(), 'docfeed-abuse-'));
  const child = execaNode({
    stderr: 'ignore',
    reject: false,
    env: { DOCFEED_ADMIN: `${admin.name}:${admin.password}` },
  })('dist/bin/docfeed.js', [
    'serve',
    '--port',
    '0',
    '--log-level',
    'silent',
    ...(durable ? ['--data', directory] : []),
  ]);
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await child;
    await rm(directory, { recursive: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return { url, admin, memory: () => residentMemory(child.pid!), stop };
  }
  await stop();
  throw new Error('the server did not start');
}

async function residentMemory(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
