/** A server that is measured, and the requests to it. */
import { Agent, request, type Dispatcher } from 'undici';
import type { Administrator } from '../../index.js';

export class BenchmarkTarget {
  /** What the table calls it. */
  readonly title: string;
  readonly #url: string;
  /** Live feeds hold their connections. */
  readonly #agent = new Agent({ connections: 512, headersTimeout: 0, bodyTimeout: 0 });
  #cookie = '';

  private constructor(title: string, url: string) {
    this.title = title;
    this.#url = url.replace(/\/+$/, '');
  }

  /** Logs in, so that no password is hashed while time is taken. Rejects when the server cannot be reached or refuses. */
  static async connect(
    title: string,
    url: string,
    { name, password }: Administrator,
  ): Promise<BenchmarkTarget> {
    const target = new BenchmarkTarget(title, url);
    const { headers, body } = await target.open('POST', '/_session', { name, password });
    await body.dump();
    target.#cookie = /AuthSession=[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? '';
    return target;
  }

  /** The whole body. Rejects when the status is none of success. */
  async send(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<string> {
    const response = await this.open(method, path, body);
    return response.body.text();
  }

  /** The response from its headers on. Rejects when the status is none of success. */
  async open(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<Dispatcher.ResponseData> {
    const response = await request(this.#url + path, {
      method,
      headers: { cookie: this.#cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      dispatcher: this.#agent,
    });
    if (response.statusCode < 300) return response;
    const reason = await response.body.text();
    throw new Error(`${this.title}: ${method} ${path} is answered with ${response.statusCode} ${reason}`);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
