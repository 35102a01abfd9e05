/** A server with a client that is logged in, until it is killed or kills itself. */
import { AssertionError } from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '../client.js';
import { startServerProcess, type ServerProcess, type ServerProcessOptions } from '../server-process.js';

/** A failed request may be the first that is known of the end of the process. */
const exitMs = 20_000;

export class Life {
  readonly server: ServerProcess;
  readonly client: Client;
  /** Aborts directly before the kill. */
  readonly ending = new AbortController();

  readonly #isPart: boolean;

  private constructor(server: ServerProcess, client: Client, isPart: boolean) {
    this.server = server;
    this.client = client;
    this.#isPart = isPart;
  }

  static async start(options: ServerProcessOptions): Promise<Life> {
    const server = await startServerProcess(options);
    return new Life(server, await new Client(server.url).logIn(server.admin), false);
  }

  /** A part of this life, whose end does not kill the server. */
  part(): Life {
    return new Life(this.server, this.client, true);
  }

  /** @returns undefined if the task failed because the life ended */
  async attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      const isEnding = () => this.ending.signal.aborted || !this.server.isRunning();
      if (!isEnding()) await Promise.race([this.server.exited, pause(exitMs)]);
      if (error instanceof AssertionError || !isEnding()) throw error;
      return undefined;
    }
  }

  async end(): Promise<void> {
    this.ending.abort();
    if (this.#isPart) return;
    await this.server.stop();
    await this.client.close();
  }
}
