/** What `docfeed proxy` costs, beside a bare proxy between the same client and the same server. */
import pMap from 'p-map';
import { median } from 'simple-statistics';
import { withFolder } from '../folder.js';
import { range, timed } from '../measure.js';
import { runBuilt, withServerProcess } from '../server-process.js';
import { listen, runSource, withProgram } from './programs.js';
import type { Workload } from './workloads.js';

/** A program that only passes HTTP messages on. */
const httpProxy = `
const { Agent, createServer, request } = require('node:http');
const { port, hostname } = new URL(process.argv[1]);
const agent = new Agent({ keepAlive: true });
createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  const forwarded = request({ hostname, port, method, path, headers, agent }, (response) => {
    outgoing.writeHead(response.statusCode, response.rawHeaders);
    response.pipe(outgoing);
  });
  incoming.pipe(forwarded.on('error', () => outgoing.destroy()));
})${listen}`;

const turns = 40;

/**
 * Sends requests through the proxy and through a bare one in turn, so that what the machine does affects both.
 *
 * @param concurrency number of requests at a time
 * @returns milliseconds a request
 */
const measurePair = (requests: number, concurrency: number): Promise<{ proxy: number; bare: number }> =>
  withFolder((folder) =>
    withServerProcess({}, ({ url, admin }) => {
      const args = ['proxy', '--target', url, '--quiet', '--report-dir', folder];
      return withProgram(runBuilt({})('dist/bin/docfeed.js', args), (proxy) =>
        withProgram(runSource(httpProxy, url), async (bare) => {
          for (const client of [proxy, bare]) await client.logIn(admin);
          const measured = [proxy, bare].map((client) => ({ client, times: [] as number[] }));
          for (const turn of range(0, 2 * turns)) {
            for (const { client, times } of turn % 2 === 0 ? measured : measured.toReversed()) {
              const session = () => client.read('GET', '/_session');
              const time = await timed(() => pMap(range(0, requests), session, { concurrency }));
              // The first half is a warm-up.
              if (turn >= turns) times.push(time / requests);
            }
          }
          const [proxyMs, bareMs] = measured.map(({ times }) => median(times));
          return { proxy: proxyMs!, bare: bareMs! };
        }),
      );
    }),
  );

/** What the bare proxy took in the last measurement. It is measured in turn with the proxy, before it is asked for. */
let lastBare = 0;

export const proxyWorkloads: readonly Workload[] = [
  {
    name: 'proxy-latency',
    title: 'What the proxy adds to a request, compared with a bare one',
    unit: 'ms/request',
    max: 0.3,
    measure: async () => {
      const { proxy, bare } = await measurePair(25, 1);
      return proxy - bare;
    },
  },
  {
    name: 'proxy-throughput',
    title: 'Requests through the proxy, 16 at a time, beside a bare proxy',
    unit: 'ms/request',
    measure: async () => {
      const { proxy, bare } = await measurePair(200, 16);
      lastBare = bare;
      return proxy;
    },
    floor: {
      title: 'a bare proxy of node:http passes the same requests on',
      // It also tells the process of the judge what passes, which takes its part of the processor.
      maxRatio: 2,
      measure: () => Promise.resolve(lastBare),
    },
  },
];
