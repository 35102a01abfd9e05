/**
 * Main module of a process that measures what other clients see during an attack. It has a process of its own, because
 * the attacker keeps the main process of this tool busy.
 */
import { Client } from '../client.js';
import { parseAdministrator } from '../../commands/arguments.js';
import { timed } from '../measure.js';

/** Time from request to response of each request, in milliseconds. */
export interface Latencies {
  readonly get: number[];
  readonly put: number[];
}

/**
 * Requests start at fixed times, also if earlier ones have no response yet. Otherwise a server that stops for seconds
 * would cost a single slow response.
 */
const intervalMs = 25;

const client = new Client(process.argv[2]!);
await client.logIn(parseAdministrator(process.env['DOCFEED_ADMIN']));
await client.expect(201, 'PUT', '/bystander');

let get: Promise<number>[] = [];
let put: Promise<number>[] = [];
let count = 0;

setInterval(() => {
  const path = `/bystander/${count}`;
  get.push(timed(() => client.expect(200, 'GET', '/')));
  if (count++ % 2 === 0) put.push(timed(() => client.expect(201, 'PUT', path, {})));
}, intervalMs);

// Each message ends a period. The response has the latencies of all requests that began in it.
process.on('message', () => {
  const ended = [Promise.all(get), Promise.all(put)] as const;
  [get, put] = [[], []];
  void Promise.all(ended).then(([get, put]) => process.send!({ get, put } satisfies Latencies));
});
process.on('disconnect', () => process.exit());
