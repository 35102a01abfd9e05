/** The fuzzed server: start, fixtures, health check. It has its own process, so that crashes are detected. */
import { isDeepStrictEqual } from 'node:util';
import { fileURLToPath } from 'node:url';
import type { Client } from '../client.js';
import { startServerProcess, type ServerProcess, type ServerProcessOptions } from '../server-process.js';
import { admin, confidential, databases, documents } from './fixtures.js';

const configuration = fileURLToPath(new URL('fuzz.ini', import.meta.url));

/**
 * Starts a server with the fixtures. Its client is logged in.
 *
 * @param options another program, and further arguments of `serve`
 * @param onReport called with each unexpected line of the log
 */
export async function startFuzzed(
  { args = [], ...options }: ServerProcessOptions,
  onReport: (line: string) => void,
): Promise<ServerProcess> {
  const server = await startServerProcess({
    ...options,
    admin,
    measured: true,
    args: ['--config', configuration, '--log-level', 'info', ...args],
    onLog: (line) => {
      if (isUnexpected(line)) onReport(line);
    },
  });
  await fill(await server.client.logIn(admin));
  return server;
}

/** Recreates the fixtures, because requests change and delete them. */
export async function fill(client: Client): Promise<void> {
  for (const path of databases) {
    await client.send('DELETE', path);
    await client.send('PUT', path);
  }
  for (const [path, document] of Object.entries(documents)) await client.send('PUT', path, document);
}

/** @throws Error if the server does not respond correctly */
export async function checkHealth(client: Client): Promise<void> {
  const { json: greeting } = await client.json('GET', '/');
  const { json: session } = await client.json('GET', '/_session');
  await client.send('DELETE', '/health');
  await client.send('PUT', '/health');
  await client.send('PUT', '/health/one', { value: 1 });
  const { json: feed } = await client.json('GET', '/health/_changes?include_docs=true');
  const { results } = feed as { results: { doc: { value: number } }[] };
  const found = [
    (greeting as { service: string }).service !== undefined,
    (session as { userCtx: object }).userCtx,
    results.map(({ doc }) => doc.value),
  ];
  if (!isDeepStrictEqual(found, [true, { name: admin.name, roles: ['_admin'] }, [1]]))
    throw new Error(`the server no longer responds correctly: ${JSON.stringify(found)}`);
  await client.send('DELETE', '/health');
}

/** Errors, passwords, and warnings of Node.js about leaked listeners. */
const isUnexpected = (line: string): boolean =>
  line.startsWith('(node:') ||
  line.includes('"level":"error"') ||
  confidential.some((text) => line.includes(text));
