/**
 * Main module of a process that measures what other clients see during an attack. It has a process of its own, because
 * the attacker keeps the main process of this tool busy.
 */
import { once } from 'node:events';
import { Client } from '../client.js';
import type { Administrator } from '../../index.js';

export interface Bystander {
  readonly url: string;
  readonly admin: Administrator;
}

/** Time from request to response of each request, in milliseconds. */
export interface Latencies {
  readonly get: readonly number[];
  readonly put: readonly number[];
}

/**
 * Requests start at fixed times, also if earlier ones have no response yet. Otherwise a server that stops for seconds
 * would cost a single slow response.
 */
const intervalMs = 25;

const [{ url, admin }] = (await once(process, 'message')) as [Bystander];
const client = await new Client(url).logIn(admin);
await client.send('PUT', '/bystander');

let latencies: { get: number[]; put: number[] } = { get: [], put: [] };
let open: Promise<void>[] = [];
let count = 0;

async function measure(into: number[], task: () => Promise<{ status: number }>): Promise<void> {
  const start = performance.now();
  const { status } = await task();
  if (status >= 300) throw new Error(`a request of another client failed with ${status}`);
  into.push(performance.now() - start);
}

setInterval(() => {
  const { get, put } = latencies;
  open.push(measure(get, () => client.send('GET', '/')));
  if (count % 2 === 0) open.push(measure(put, () => client.send('PUT', `/bystander/${count}`, { count })));
  count++;
}, intervalMs);

// Each further message ends a period. The response has the latencies of all requests that began in it.
process.on('message', () => {
  const ended = latencies;
  const waiting = open;
  latencies = { get: [], put: [] };
  open = [];
  void Promise.all(waiting).then(() => process.send!(ended));
});
process.on('disconnect', () => process.exit());
process.send!('ready');
