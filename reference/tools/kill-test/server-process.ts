import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { basic } from '../../testing/server.js';

/** A server process that can be killed. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly url: string;
  /** Returns the text on standard error. */
  readonly output: () => string;

  private constructor(child: ChildProcess, url: string, output: () => string) {
    this.#child = child;
    this.url = url;
    this.output = output;
  }

  /**
   * @param program arguments for node, up to the main module
   * @param killAfter time in milliseconds after which to kill the process
   * @returns undefined if the process was killed before it listened
   */
  static async start(
    program: readonly string[],
    args: readonly string[],
    killAfter?: number,
  ): Promise<ServerProcess | undefined> {
    const serve = [...program, 'serve', '--port=0', '--admin=admin:secret', ...args];
    const child = spawn(process.execPath, serve, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
    const line = once(createInterface(child.stdout), 'line') as Promise<[string]>;
    const started = await Promise.race([line, exited]);
    if (typeof started[0] === 'string')
      return new ServerProcess(child, started[0].replace('listening on ', ''), () => output);
    clearTimeout(timer);
    assert.equal(started[1], 'SIGKILL', `The server did not start: ${output}`);
    return undefined;
  }

  async send(method: string, path: string, body?: unknown, type = 'application/json') {
    const response = await request(this.url + path, {
      method,
      headers: { ...basic('admin', 'secret'), ...(body !== undefined && { 'content-type': type }) },
      body: body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
    return { status: response.statusCode, json: await response.body.json() };
  }

  async kill(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    const exited = exitCode !== null || signalCode !== null || once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
