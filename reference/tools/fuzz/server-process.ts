/** The fuzzed server: start, log, fixtures, health check. It has its own process, so that crashes are detected. */
import { fileURLToPath } from 'node:url';
import { basic, sendTo, type Reply } from '../../testing/server.js';
import { startServerProcess, type ServerProcess, type ServerProcessOptions } from '../server-process.js';
import { admin, alice, confidential, databases, documents, totpUser } from './fixtures.js';

/** A defect of the server. */
export class Failure extends Error {}

const configuration = fileURLToPath(new URL('fuzz.ini', import.meta.url));

export class FuzzedServer {
  readonly process: ServerProcess;
  /** Unexpected lines in the log. */
  readonly reports: string[];

  private constructor(process: ServerProcess, reports: string[]) {
    this.process = process;
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
    return new FuzzedServer(server, reports);
  }

  /** Recreates the fixtures, because requests change and delete them. */
  async fill(): Promise<void> {
    await this.send('DELETE', '/_users');
    await this.send('PUT', '/_users');
    for (const { name, security } of databases) {
      await this.send('DELETE', `/${name}`);
      await this.send('PUT', `/${name}`);
      await this.send('PUT', `/${name}/_security`, security);
    }
    for (const user of [alice, totpUser]) {
      await this.send('PUT', `/_users/org.service.user:${user.name}`, user);
    }
    for (const [id, document] of Object.entries(documents))
      await this.send('PUT', `/recipes/${id}`, document);
  }

  /** Deletes all databases except the users database. */
  async empty(): Promise<void> {
    for (const name of (await this.send('GET', '/_all_dbs')).json as string[]) {
      if (name !== '_users') await this.send('DELETE', `/${encodeURIComponent(name)}`);
    }
  }

  /** @throws Failure if the server does not respond correctly */
  async checkHealth(): Promise<void> {
    const { json: greeting } = await this.send('GET', '/');
    const { json: session } = await this.send('GET', '/_session');
    const userCtx = (session as { userCtx?: { name: string; roles: string[] } }).userCtx;
    await this.send('DELETE', '/health');
    const created = await this.send('PUT', '/health');
    const written = await this.send('PUT', '/health/one', { value: 1 });
    const { json: feed } = await this.send('GET', '/health/_changes?include_docs=true');
    const { results } = feed as { results: { id: string; doc: { value: number } }[] };
    const isHealthy =
      (greeting as { service?: string }).service !== undefined &&
      userCtx?.name === admin.name &&
      userCtx.roles.includes('_admin') &&
      created.status === 201 &&
      written.status === 201 &&
      results.length === 1 &&
      results[0]!.doc.value === 1;
    if (!isHealthy) throw new Failure('the server no longer responds correctly');
    await this.send('DELETE', '/health');
  }

  send(method: string, path: string, body?: unknown): Promise<Reply> {
    return sendTo(this.process.url, method, path, { headers: basic(admin.name, admin.password), body });
  }
}

/** Errors, passwords, and warnings of Node.js about leaked listeners. */
const isUnexpected = (line: string): boolean =>
  line.startsWith('(node:') ||
  line.includes('"level":"error"') ||
  confidential.some((text) => line.includes(text));
