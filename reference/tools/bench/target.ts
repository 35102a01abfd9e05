/** A measured server. */
import { Agent, request, type Dispatcher } from 'undici';
import type { Administrator } from '../../index.js';
import { logIn } from '../session.js';

export class BenchmarkTarget {
  /** Its name in the results. */
  readonly title: string;
  readonly #url: string;
  readonly #agent = new Agent({ headersTimeout: 120_000, bodyTimeout: 120_000 });
  #headers: Record<string, string> = {};

  constructor(title: string, url: string) {
    this.title = title;
    this.#url = url.replace(/\/+$/, '');
  }

  /** Logs in, so that password hashing does not affect the measurements. Rejects if the login fails. */
  async logIn(administrator: Administrator): Promise<this> {
    this.#headers = await logIn(this.#url, administrator, this.#agent);
    return this;
  }

  useToken(token: string): void {
    this.#headers = { authorization: `Bearer ${token}` };
  }

  /** Sends a request and returns the body. Rejects if the status is not 2xx. */
  async send(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<string> {
    const response = await this.open(method, path, body);
    return response.body.text();
  }

  /** Sends a request and returns the response with an unread body. Rejects if the status is not 2xx. */
  async open(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const response = await request(this.#url + path, {
      method,
      headers: { ...this.#headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      dispatcher: this.#agent,
      ...(signal && { signal }),
    });
    if (response.statusCode < 300) return response;
    const reason = await response.body.text();
    throw new Error(`${this.title}: ${method} ${path}: status ${response.statusCode} ${reason}`);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
