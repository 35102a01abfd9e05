/**
 * A thread that ends its process while the main thread executes code that nothing can interrupt, such as a built-in
 * function of QuickJS: with SIGXCPU when a job exceeds its CPU time, and with SIGKILL when the server has died.
 */
import { Worker } from 'node:worker_threads';

const intervalMs = 50;
/** QuickJS and the pool enforce the limit too, and more precisely. */
const toleranceMs = 100;
const signal = process.platform === 'win32' ? 'SIGKILL' : 'SIGXCPU';

/** The first element is the limit of the current job, as CPU time of the process; 0 without a job. */
const state = new Int32Array(new SharedArrayBuffer(8));

// Text, so that the thread needs no loader for TypeScript.
const source = `
  const { state, parent, intervalMs, signal } = require('node:worker_threads').workerData;
  for (;;) {
    Atomics.wait(state, 0, 0);
    const { user, system } = process.cpuUsage();
    const limit = Atomics.load(state, 0);
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    if (limit !== 0 && (user + system) / 1000 > limit) process.kill(process.pid, signal);
    Atomics.wait(state, 1, 0, intervalMs);
  }
`;

/** CPU time of this process since its start, in milliseconds. */
export function totalCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function startWatchdog(): void {
  const workerData = { state, parent: process.ppid, intervalMs, signal };
  new Worker(source, { eval: true, execArgv: [], workerData }).unref();
}

/** Runs a job with a limit of CPU time. */
export function guarded<T>(cpuMs: number, run: () => T): T {
  Atomics.store(state, 0, Math.ceil(totalCpuMs() + cpuMs + toleranceMs));
  Atomics.notify(state, 0);
  try {
    return run();
  } finally {
    Atomics.store(state, 0, 0);
  }
}
