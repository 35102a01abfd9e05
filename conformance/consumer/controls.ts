/** What a consumer is compared with, so that a busy machine does not make a verdict wrong. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';

const run = promisify(execFile);

/** Sends a request in a process of its own. Whatever keeps a consumer from running keeps this process from running as well. */
export const startProcess = (url: string, signal: AbortSignal): Promise<unknown> =>
  run(process.execPath, ['-e', `fetch(${JSON.stringify(url)}).then((response) => response.text())`], {
    signal,
  });

/** For each number of milliseconds that it gets, sends requests for this time, and says how many. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const request = async () => (await fetch(workerData)).text();
parentPort.on('message', async (ms) => {
  const end = performance.now() + ms;
  let count = 0;
  for (; performance.now() < end; count += 1) await request();
  parentPort.postMessage(count);
});
// The first one takes longer.
request().then(() => parentPort.postMessage('ready'));
`;

/** A client that does not wait although the server says so. It runs in a thread, beside what this process does. */
export class HastyClient {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  static async start(url: string): Promise<HastyClient> {
    const worker = new Worker(program, { eval: true, execArgv: [], workerData: url });
    await once(worker, 'message');
    return new HastyClient(worker);
  }

  /** @returns how many requests it sends in this time, in milliseconds. */
  async countIn(ms: number): Promise<number> {
    this.#worker.postMessage(ms);
    const [count] = (await once(this.#worker, 'message')) as [number];
    return count;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
