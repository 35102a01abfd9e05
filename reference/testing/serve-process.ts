/** `docfeed serve` as a program, for one test. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import { execaNode, type ResultPromise } from 'execa';

export const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  execaNode('bin/docfeed.ts', ['serve', ...args], {
    nodeOptions: ['--import=tsx'],
    reject: false,
    env: { DOCFEED_ADMIN: undefined, ...env },
  });

/** Starts a server, which ends with the test at the latest. */
export const serve = (t: ExecutionContext, args: readonly string[], env?: Readonly<Record<string, string>>) =>
  listening(t, run(['--port', '0', ...args], env));

/** Waits for the first line that a server prints. Rejects with what it says when it ends without one. */
export async function listening<Child extends ResultPromise<{ reject: false }>>(
  t: ExecutionContext,
  child: Child,
) {
  t.teardown(() => child.kill('SIGKILL'));
  const report = firstLine(child.stderr);
  const line = await Promise.race([firstLine(child.stdout), child.then(({ stderr }) => stderr)]);
  const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
  if (url === undefined) throw new Error(line);
  return { child, url, report };
}

async function firstLine(stream: Readable): Promise<string> {
  const [line] = (await once(createInterface(stream), 'line')) as [string];
  return line;
}
