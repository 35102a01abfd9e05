/** A client of the server under attack. */
import { Agent, request, type Dispatcher } from 'undici';
import type { Administrator } from '../../index.js';
import { logIn } from '../session.js';

export class Client {
  readonly #url: string;
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  #headers: Record<string, string> = {};

  constructor(url: string) {
    this.#url = url;
  }

  /** Logs in once, so that later requests need no password. */
  async logIn(administrator: Administrator): Promise<this> {
    this.#headers = await logIn(this.#url, administrator, this.#agent);
    return this;
  }

  /**
   * @param body strings and buffers are sent unchanged
   * @param signal aborts the request
   */
  open(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    return request(this.#url + path, {
      method,
      headers: { ...this.#headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : isText ? body : JSON.stringify(body),
      dispatcher: this.#agent,
      signal: signal ?? null,
    });
  }

  /** Sends a request, and discards the body of the response. */
  async send(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; bytes: number }> {
    const response = await this.open(method, path, body);
    let bytes = 0;
    for await (const chunk of response.body) bytes += (chunk as Buffer).length;
    return { status: response.statusCode, bytes };
  }

  /** Like `send`. Rejects if the status is not the expected one. */
  async expect(
    status: number,
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
  ): Promise<{ bytes: number }> {
    const response = await this.send(method, path, body);
    if (response.status === status) return response;
    throw new Error(`${method} ${path}: status ${response.status} instead of ${status}`);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
