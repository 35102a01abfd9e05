/** An HTTP client of a server that a tool measures or attacks. */
import { finished } from 'node:stream/promises';
import { Agent, type Dispatcher } from 'undici';
import type { Administrator } from '../index.js';
import { openAt } from '../../reports/testing/request.js';

export class Client {
  /** The name of the server in messages. */
  readonly title: string;
  /** Without a slash at its end. */
  readonly url: string;
  // No server may take that long, even under attack. Without a limit, one that hangs would stop the tool.
  readonly #agent = new Agent({ headersTimeout: 120_000, bodyTimeout: 120_000 });
  #headers: Record<string, string> = {};

  constructor(url: string, title = url) {
    this.url = url.replace(/\/+$/, '');
    this.title = title;
  }

  /** Logs in, so that later requests need no password, whose check takes time. Rejects if the server refuses. */
  async logIn({ name, password }: Administrator): Promise<this> {
    const response = await this.open('POST', '/_session', { name, password });
    await response.body.dump();
    if (response.statusCode !== 200) throw new Error(`POST /_session: status ${response.statusCode}`);
    this.#headers = { cookie: /AuthSession=[^;]+/.exec(String(response.headers['set-cookie']))?.[0] ?? '' };
    return this;
  }

  useToken(token: string): void {
    this.#headers = { authorization: `Bearer ${token}` };
  }

  /**
   * Sends a request, and leaves the body of the response unread.
   *
   * @param body buffers are sent as plain text, strings unchanged, other values as JSON
   * @param signal aborts the request
   */
  open(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const headers = { ...this.#headers, ...(Buffer.isBuffer(body) && { 'content-type': 'text/plain' }) };
    return openAt(this.url, method, path, { headers, body, signal, dispatcher: this.#agent });
  }

  /** Like `open`. Rejects if the status is not 2xx. */
  async openOk(...args: Parameters<Client['open']>): Promise<Dispatcher.ResponseData> {
    const response = await this.open(...args);
    if (response.statusCode < 300) return response;
    const reason = await response.body.text();
    throw new Error(`${this.title}: ${args[0]} ${args[1]}: status ${response.statusCode} ${reason}`);
  }

  /** Sends a request and returns the body. Rejects if the status is not 2xx. */
  async read(...args: Parameters<Client['open']>): Promise<string> {
    return (await this.openOk(...args)).body.text();
  }

  /** Sends a request, and parses the body of the response, whatever its status is. */
  async json(...args: Parameters<Client['open']>): Promise<{ status: number; json: unknown }> {
    const { statusCode: status, body } = await this.open(...args);
    return { status, json: await body.json() };
  }

  /** Sends a request, and discards the body of the response, which may be larger than the memory. @returns the status */
  async send(...args: Parameters<Client['open']>): Promise<number> {
    const { statusCode, body } = await this.open(...args);
    await finished(body.resume());
    return statusCode;
  }

  /** Like `send`. Rejects if the status is not the expected one. */
  async expect(expected: number, ...args: Parameters<Client['open']>): Promise<void> {
    const status = await this.send(...args);
    if (status !== expected)
      throw new Error(`${args[0]} ${args[1]}: status ${status} instead of ${expected}`);
  }

  /** Deletes all databases except the users database, or those whose path begins with `prefix`. */
  async deleteDatabases(prefix = '/'): Promise<void> {
    for (const name of (await this.json('GET', '/_all_dbs')).json as string[])
      if (name !== '_users' && `/${name}`.startsWith(prefix))
        await this.read('DELETE', `/${encodeURIComponent(name)}`);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
