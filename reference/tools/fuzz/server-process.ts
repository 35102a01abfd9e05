/** Controls the process of the fuzzed server: start, fixtures, health check. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'undici';
import { publicKeys } from './keys.js';
import { admin, alice, databases, documents, secrets, totpUser } from './fixtures.js';
import type { Message, ResourceUsage, Request } from './server.js';

/** A defect of the server. */
export class Failure extends Error {}

const config = {
  chttpd: { authentication_handlers: 'cookie, proxy, jwt, default', changes_timeout: '50' },
  chttpd_auth: { iterations: '1', proxy_use_secret: 'true', secret: secrets.proxy },
  chttpd_auth_lockout: { mode: 'off' },
  docfeed: { filter_cpu_ms: '100' },
  jwt_keys: { 'hmac:_default': Buffer.from(secrets.hmac).toString('base64'), ...publicKeys() },
};

export class FuzzedServer {
  readonly #process: ChildProcess;
  readonly port: number;
  readonly #url: string;
  /** Unexpected lines in the log. */
  readonly reports: string[] = [];

  private constructor(child: ChildProcess, url: string) {
    this.#process = child;
    this.#url = url;
    this.port = Number(new URL(url).port);
    child.on('message', (answer: Message) => {
      if ('report' in answer) this.reports.push(answer.report);
    });
  }

  static async start(): Promise<FuzzedServer> {
    const child = fork(new URL('server.ts', import.meta.url), {
      execArgv: ['--import=tsx', '--expose-gc'],
      // Inherit stderr to show Node's warnings about leaked listeners.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.send({ start: { admin, config } } satisfies Request);
    const [answer] = (await once(child, 'message')) as [Message];
    if (!('url' in answer)) throw new Error('the server did not start');
    return new FuzzedServer(child, answer.url);
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return;
    this.#process.disconnect();
    await once(this.#process, 'exit');
  }

  async measure(): Promise<ResourceUsage> {
    this.#process.send({ measure: true } satisfies Request);
    for (;;) {
      const [answer] = (await once(this.#process, 'message')) as [Message];
      if ('held' in answer) return answer.held;
    }
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

  async send(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> {
    const { name, password } = admin;
    const { statusCode, body: responseBody } = await request(this.#url + path, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: statusCode, json: await responseBody.json() };
  }
}
