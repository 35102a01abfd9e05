/** What `docfeed proxy` costs, beside a bare pipe between the same client and the same server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import pMap from 'p-map';
import { median } from 'simple-statistics';
import { urlOf } from '../../testing/serve-process.js';
import { Client } from '../client.js';
import { range, timed } from '../measure.js';
import { runBuilt, withServerProcess } from '../server-process.js';
import type { OwnWorkload } from './workloads.js';

const barePipe = `
const { connect, createServer } = require('node:net');
const { port, hostname } = new URL(process.argv[1]);
createServer({ noDelay: true }, (client) => {
  const server = connect({ host: hostname, port, noDelay: true });
  client.pipe(server).pipe(client);
  for (const socket of [client, server])
    socket.on('error', () => {}).on('close', () => { client.destroy(); server.destroy(); });
}).listen(0, '127.0.0.1', function () { console.log('listening on http://127.0.0.1:' + this.address().port); });
`;

/** Milliseconds a request. */
interface Pair {
  readonly proxy: number;
  readonly pipe: number;
}

/**
 * Sends requests through a proxy and through a pipe in turn, so that what the machine does affects both.
 *
 * @param concurrency number of requests at a time
 */
async function measurePair(requests: number, concurrency: number): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-bench-'));
  try {
    return await withServerProcess({}, async ({ url, admin }) => {
      const args = ['proxy', '--target', url, '--quiet', '--report-dir', folder];
      const children = [
        runBuilt({})('dist/bin/docfeed.js', args),
        execa({ reject: false })(process.execPath, ['--eval', barePipe, url]),
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
        const [proxy, pipe] = times.map((each) => median(each));
        return { proxy: proxy!, pipe: pipe! };
      } finally {
        for (const client of clients) await client.close();
        for (const child of children) child.kill('SIGKILL');
        await Promise.all(children);
      }
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const turns = 40;

/** The floor of the throughput is measured in turn with it, and before the benchmark asks for it. */
let last: Pair | undefined;

export const proxyWorkloads: readonly OwnWorkload[] = [
  {
    name: 'proxy-latency',
    title: 'What the proxy adds to a request, compared with a bare pipe',
    unit: 'ms/request',
    max: 0.3,
    measure: async () => {
      const { proxy, pipe } = await measurePair(25, 1);
      return proxy - pipe;
    },
  },
  {
    name: 'proxy-throughput',
    title: 'Requests through the proxy, 16 at a time',
    unit: 'ms/request',
    measure: async () => {
      last = await measurePair(200, 16);
      return last.proxy;
    },
    floor: {
      title: 'a bare pipe of node:net passes the same requests on',
      maxRatio: 1.05,
      measure: () => Promise.resolve(last!.pipe),
    },
  },
];
