/** A part of the life of a server: until it is killed or kills itself, or until its clients are done. */
import { AssertionError } from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../server-process.js';

/** A failed request may be the first that is known of the end of the process. */
const exitMs = 20_000;

export class Life {
  /** Its client is logged in. */
  readonly server: ServerProcess;
  /** Aborts when the clients are to end, at the latest when the server has ended. */
  readonly ending = new AbortController();

  constructor(server: ServerProcess) {
    this.server = server;
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
}
