/** What `docfeed proxy` costs, beside bare proxies between the same client and the same server. */
import { execa } from 'execa';
import pMap from 'p-map';
import { median } from 'simple-statistics';
import { urlOf } from '../../testing/serve-process.js';
import { Client } from '../client.js';
import { withFolder } from '../folder.js';
import { range, timed } from '../measure.js';
import { runBuilt, withServerProcess } from '../server-process.js';
import type { Floor } from './floors.js';
import type { OwnWorkload } from './workloads.js';

const target = 'const { port, hostname } = new URL(process.argv[1]);';
const listen = `.listen(0, '127.0.0.1', function () {
  console.log('listening on http://127.0.0.1:' + this.address().port);
});`;

/** Programs that only pass requests on: bytes, as no proxy with a path or a host of its own can, or HTTP messages. */
const bareProxies = {
  pipe: `
const { connect, createServer } = require('node:net');
${target}
createServer({ noDelay: true }, (client) => {
  const server = connect({ host: hostname, port, noDelay: true });
  client.pipe(server).pipe(client);
  for (const socket of [client, server])
    socket.on('error', () => {}).on('close', () => { client.destroy(); server.destroy(); });
})${listen}`,
  http: `
const { Agent, createServer, request } = require('node:http');
${target}
const agent = new Agent({ keepAlive: true });
createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  const forwarded = request({ hostname, port, method, path, headers, agent }, (response) => {
    outgoing.writeHead(response.statusCode, response.rawHeaders);
    response.pipe(outgoing);
  });
  incoming.pipe(forwarded.on('error', () => outgoing.destroy()));
})${listen}`,
};

/** Milliseconds a request. */
interface Pair {
  readonly proxy: number;
  readonly bare: number;
}

/**
 * Sends requests through the proxy and through a bare one in turn, so that what the machine does affects both.
 *
 * @param concurrency number of requests at a time
 */
const measurePair = (
  bareProxy: keyof typeof bareProxies,
  requests: number,
  concurrency: number,
): Promise<Pair> =>
  withFolder((folder) =>
    withServerProcess({}, async ({ url, admin }) => {
      const args = ['proxy', '--target', url, '--quiet', '--report-dir', folder];
      const children = [
        runBuilt({})('dist/bin/docfeed.js', args),
        execa({ reject: false })(process.execPath, ['--eval', bareProxies[bareProxy], url]),
      ] as const;
      const clients: Client[] = [];
      try {
        for (const listening of await Promise.all(children.map(urlOf)))
          clients.push(await new Client(listening).logIn(admin));
        const times = clients.map((): number[] => []);
        for (const turn of range(0, 2 * turns)) {
          for (const index of turn % 2 === 0 ? [0, 1] : [1, 0]) {
            const session = () => clients[index]!.read('GET', '/_session');
            const time = await timed(() => pMap(range(0, requests), session, { concurrency }));
            // The first half is a warm-up.
            if (turn >= turns) times[index]!.push(time / requests);
          }
        }
        const [proxy, bare] = times.map((each) => median(each));
        return { proxy: proxy!, bare: bare! };
      } finally {
        for (const client of clients) await client.close();
        for (const child of children) child.kill('SIGKILL');
        await Promise.all(children);
      }
    }),
  );

const turns = 40;

/** @param floor the bare proxy, which is measured in turn with the proxy, and before the benchmark asks for it. */
function throughput(
  workload: Pick<OwnWorkload, 'name' | 'title'>,
  bareProxy: keyof typeof bareProxies,
  floor: Pick<Floor, 'title' | 'maxRatio'>,
): OwnWorkload {
  let last: Pair | undefined;
  return {
    ...workload,
    unit: 'ms/request',
    measure: async () => {
      last = await measurePair(bareProxy, 200, 16);
      return last.proxy;
    },
    floor: { ...floor, measure: () => Promise.resolve(last!.bare) },
  };
}

export const proxyWorkloads: readonly OwnWorkload[] = [
  {
    name: 'proxy-latency',
    title: 'What the proxy adds to a request, compared with a bare pipe',
    unit: 'ms/request',
    max: 0.3,
    measure: async () => {
      const { proxy, bare } = await measurePair('pipe', 25, 1);
      return proxy - bare;
    },
  },
  throughput(
    { name: 'proxy-throughput', title: 'Requests through the proxy, 16 at a time, beside a bare proxy' },
    'http',
    { title: 'a bare proxy of node:http passes the same requests on', maxRatio: 1.05 },
  ),
  throughput(
    { name: 'proxy-throughput-pipe', title: 'Requests through the proxy, 16 at a time, beside a bare pipe' },
    'pipe',
    { title: 'a bare pipe of node:net passes the same bytes on' },
  ),
];
