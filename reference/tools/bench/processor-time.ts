/**
 * Processor time of a request to a warm server. Other load of the machine hardly changes it, and its ratio to that of hapi
 * alone tells what the server adds.
 */
import { readdir, readFile } from 'node:fs/promises';
import { sum } from 'simple-statistics';
import type { Client } from '../client.js';
import { meanTime } from '../measure.js';
import { withServerProcess } from '../server-process.js';
import { documentOf } from './dataset.js';
import { runSource, withProgram } from './programs.js';
import type { Workload } from './workloads.js';

const warmUp = 1000;
const requests = 500;

/** @returns milliseconds since the start of the process, in all of its threads. Rejects on systems without /proc. */
export async function processorTimeOf(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`;
  const threads = await Promise.all(
    (await readdir(folder)).map((thread) => readFile(`${folder}/${thread}/schedstat`, 'utf8')),
  );
  return sum(threads.map((text) => Number(text.split(' ')[0]) / 1e6));
}

type Send = (target: Client, number: number) => Promise<unknown>;

async function processorTime(pid: number, target: Client, send: Send): Promise<number> {
  await meanTime(warmUp, (number) => send(target, number));
  const before = await processorTimeOf(pid);
  await meanTime(requests, (number) => send(target, warmUp + number));
  return ((await processorTimeOf(pid)) - before) / requests;
}

const bareHapi = `
const server = require('@hapi/hapi').server({ host: '127.0.0.1', compression: false });
const handler = (request, h) => h.response({ ok: true }).code(request.method === 'put' ? 201 : 200);
for (const method of ['GET', 'PUT']) server.route({ method, path: '/{path*}', handler });
server.start().then(() => console.log('listening on ' + server.info.uri));
`;

function hapiAlone(send: Send): Promise<number> {
  const child = runSource(bareHapi);
  return withProgram(child, (client) => processorTime(child.pid!, client, send));
}

const workloadOf = (name: string, title: string, maxRatio: number, send: Send): Workload => ({
  name: `processor-${name}`,
  title: `Processor time of ${title}`,
  unit: 'ms/request',
  measure: () =>
    withServerProcess({}, async ({ client, admin, pid }) => {
      await client.logIn(admin);
      await client.read('PUT', '/processor');
      await client.read('PUT', '/processor/only', {});
      return processorTime(pid, client, send);
    }),
  floor: {
    title: 'hapi alone answers the same requests with {"ok":true}',
    maxRatio,
    measure: () => hapiAlone(send),
  },
});

export const processorWorkloads: readonly Workload[] = [
  workloadOf('get', 'GET /_session with a cookie', 2.2, (target) => target.read('GET', '/_session')),
  workloadOf('put', 'a PUT of a document', 3, (target, number) => {
    const { _id, ...document } = documentOf(number);
    return target.read('PUT', `/processor/${_id}`, document);
  }),
  workloadOf('changes', '_changes?limit=1', 3, (target) => target.read('GET', '/processor/_changes?limit=1')),
];
