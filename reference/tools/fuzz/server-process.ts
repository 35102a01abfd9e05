/** The fuzzed server: start, log, fixtures, health check. It has its own process, so that crashes are detected. */
import { isDeepStrictEqual } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Client } from '../client.js';
import { startServerProcess, type ServerProcess, type ServerProcessOptions } from '../server-process.js';
import { admin, alice, confidential, databases, documents, totpUser } from './fixtures.js';

/** A defect of the server. */
export class Failure extends Error {}

const configuration = fileURLToPath(new URL('fuzz.ini', import.meta.url));

export class FuzzedServer {
  readonly process: ServerProcess;
  readonly client: Client;
  /** Unexpected lines in the log. */
  readonly reports: string[];

  private constructor(process: ServerProcess, client: Client, reports: string[]) {
    this.process = process;
    this.client = client;
    this.reports = reports;
  }

  /** @param options another program, and further arguments of `serve` */
  static async start({ args = [], ...options }: ServerProcessOptions): Promise<FuzzedServer> {
    const reports: string[] = [];
    const server = await startServerProcess({
      ...{ ...options, admin, measured: true },
      args: ['--config', configuration, '--log-level', 'info', ...args],
      onLog: (line) => {
        if (isUnexpected(line)) reports.push(line);
      },
    });
    return new FuzzedServer(server, await new Client(server.url).logIn(admin), reports);
  }

  /** Recreates the fixtures, because requests change and delete them. */
  async fill(): Promise<void> {
    const send = (method: 'PUT' | 'DELETE', path: string, body?: unknown) =>
      this.client.send(method, path, body);
    await send('DELETE', '/_users');
    await send('PUT', '/_users');
    for (const { name, security } of databases) {
      await send('DELETE', `/${name}`);
      await send('PUT', `/${name}`);
      await send('PUT', `/${name}/_security`, security);
    }
    for (const user of [alice, totpUser]) await send('PUT', `/_users/org.service.user:${user.name}`, user);
    for (const [id, document] of Object.entries(documents)) await send('PUT', `/recipes/${id}`, document);
  }

  /** @throws Failure if the server does not respond correctly */
  async checkHealth(): Promise<void> {
    const { client } = this;
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
      throw new Failure(`the server no longer responds correctly: ${JSON.stringify(found)}`);
    await client.send('DELETE', '/health');
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.process.stop();
  }
}

/** Errors, passwords, and warnings of Node.js about leaked listeners. */
const isUnexpected = (line: string): boolean =>
  line.startsWith('(node:') ||
  line.includes('"level":"error"') ||
  confidential.some((text) => line.includes(text));
