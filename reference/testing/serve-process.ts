/** Runs `docfeed serve` as a process. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import { execaNode, type ResultPromise } from 'execa';
import { listeningUrl } from '../../reports/testing/listening-urls.js';
import { program } from '../../reports/testing/program.js';

export const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  execaNode(program, ['serve', ...args], {
    reject: false,
    env: { DOCFEED_ADMIN: undefined, ...env },
  });

type Child = ResultPromise<{ reject: false }>;

/** Starts a server and kills it at the end of the test. */
export const serve = (t: ExecutionContext, args: readonly string[], env?: Readonly<Record<string, string>>) =>
  listening(t, run(['--port', '0', ...args], env));

/** Waits until the server listens, and kills it at the end of the test. */
export async function listening<Each extends Child>(t: ExecutionContext, child: Each) {
  t.teardown(() => child.kill('SIGKILL'));
  const report = firstLine(child.stderr);
  return { child, url: await listeningUrl(child), report };
}

async function firstLine(stream: Readable): Promise<string> {
  const [line] = (await once(createInterface(stream), 'line')) as [string];
  return line;
}
