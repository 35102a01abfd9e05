/**
 * The fuzzed server. It runs in its own process, so that crashes and unhandled rejections are detected. The parent
 * process sends the options first, and then `measure` to query resource usage.
 */
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { startServer, type ServerOptions } from '../../index.js';
import { confidential } from './fixtures.js';

export type Request = { readonly start: Omit<ServerOptions, 'log'> } | { readonly measure: true };

export type Message =
  | { readonly url: string }
  /** Unexpected line in the log. */
  | { readonly report: string }
  | { readonly held: ResourceUsage };

/** Resource usage after garbage collection. */
export interface ResourceUsage {
  /** Bytes. */
  readonly heap: number;
  /** Bytes. */
  readonly resident: number;
  readonly sockets: number;
}

const send = (message: Message) => process.send!(message);

const [{ start }] = (await once(process, 'message')) as [{ start: ServerOptions }];
const server = await startServer({ ...start, log: { level: 'info', to: { write: checkLogLine } } });
process.on('message', (order: Request) => {
  if ('measure' in order) void measure().then((held) => send({ held }));
});
process.on('disconnect', () => process.exit());
send({ url: server.url });

function checkLogLine(line: string): void {
  const { level } = JSON.parse(line) as { level: string };
  if (level === 'error' || confidential.some((text) => line.includes(text))) send({ report: line });
}

async function measure(): Promise<ResourceUsage> {
  for (let round = 0; round < 3; round++) {
    await setImmediate();
    globalThis.gc!();
  }
  const { heapUsed, rss } = process.memoryUsage();
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  return { heap: heapUsed, resident: rss, sockets };
}
