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

let latencies: Latencies = { get: [], put: [] };
let open: Promise<unknown>[] = [];
let count = 0;

setInterval(() => {
  const { get, put } = latencies;
  const path = `/bystander/${count}`;
  open.push(timed(() => client.expect(200, 'GET', '/')).then((ms) => get.push(ms)));
  if (count % 2 === 0) open.push(timed(() => client.expect(201, 'PUT', path, {})).then((ms) => put.push(ms)));
  count++;
}, intervalMs);

// Each message ends a period. The response has the latencies of all requests that began in it.
process.on('message', () => {
  const ended = latencies;
  const waiting = open;
  latencies = { get: [], put: [] };
  open = [];
  void Promise.all(waiting).then(() => process.send!(ended));
});
process.on('disconnect', () => process.exit());
