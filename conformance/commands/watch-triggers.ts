/** What starts the next round of `docfeed check --watch`: Enter, a changed file, or a restart of the target. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type FSWatcher, watch } from 'chokidar';

/** Time between two attempts to connect to a target that is down, in milliseconds. */
const retryMs = 100;

/** A write in progress is not a change yet. In milliseconds. */
const stableMs = 50;

export class Triggers {
  readonly #quit: AbortController;
  readonly #files: FSWatcher | undefined;
  readonly #onInput: (data: Buffer) => void;
  readonly #up = new Map<URL, boolean>();
  #next = new AbortController();
  #whenUp: (() => void) | undefined;

  /**
   * The terminal stays in its line mode: what is read ends with Enter, and Ctrl-C and Ctrl-Z are not read.
   *
   * @param quit aborts at Ctrl-C; `q` aborts it too.
   */
  constructor(urls: readonly URL[], paths: readonly string[], quit: AbortController) {
    this.#quit = quit;
    quit.signal.addEventListener('abort', () => this.#trigger('The watch ends.'));
    if (paths.length > 0) {
      const awaitWriteFinish = { stabilityThreshold: stableMs, pollInterval: stableMs / 2 };
      this.#files = watch([...paths], { ignoreInitial: true, awaitWriteFinish });
      this.#files.on('all', (_, path) => this.#trigger(`${path} changed.`));
    }
    this.#onInput = (data) => {
      if (data.toString().trim() === 'q') quit.abort();
      else this.#trigger('Enter was pressed.');
    };
    process.stdin.on('data', this.#onInput);
    // A terminal that is closed cannot be read.
    process.stdin.on('error', () => quit.abort());
    for (const url of urls) void this.#watchConnection(url);
  }

  /** Aborts as soon as another round must start. */
  get signal(): AbortSignal {
    return this.#next.signal;
  }

  /** Waits until another round must start. @returns why */
  async next(): Promise<string> {
    const { signal } = this.#next;
    if (!signal.aborted) await once(signal, 'abort');
    return String(signal.reason);
  }

  /** Waits until all nodes accept connections. What happened before starts no further round. */
  async whenTargetIsUp(): Promise<void> {
    while (!this.isTargetUp && !this.#quit.signal.aborted) {
      await new Promise<void>((resolve) => (this.#whenUp = resolve));
    }
    this.#next = new AbortController();
  }

  /** Whether all nodes accept connections. */
  get isTargetUp(): boolean {
    return [...this.#up.values()].every(Boolean);
  }

  async close(): Promise<void> {
    process.stdin.off('data', this.#onInput);
    process.stdin.pause();
    await this.#files?.close();
  }

  #trigger(reason: string): void {
    this.#next.abort(reason);
    this.#whenUp?.();
  }

  /** Keeps an idle connection open. The target has stopped when it breaks and no new one is accepted. */
  async #watchConnection(url: URL): Promise<void> {
    const { signal } = this.#quit;
    this.#up.set(url, false);
    while (!signal.aborted) {
      const socket = await tryToConnect(url, signal);
      if (signal.aborted) return;
      const isUp = socket !== undefined;
      if (this.#up.get(url) !== isUp) {
        this.#up.set(url, isUp);
        this.#trigger(isUp ? 'The target is back.' : 'The target stopped.');
      }
      if (!socket) {
        await wait(retryMs);
        continue;
      }
      // Without a reader, the end of the connection would not be noticed.
      socket.resume();
      await new Promise((resolve) => socket.on('close', resolve));
    }
  }
}

/**
 * @param signal closes the connection
 * @returns `undefined` if the target does not accept a connection
 */
async function tryToConnect(
  { protocol, hostname, port }: URL,
  signal: AbortSignal,
): Promise<Socket | undefined> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
  try {
    await once(socket, 'connect', { signal });
    // A broken connection is an answer, not an error.
    socket.on('error', () => {});
    return addAbortSignal(signal, socket);
  } catch {
    socket.destroy();
    return undefined;
  }
}
