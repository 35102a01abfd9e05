/**
 * The server that is fuzzed, in a process of its own: only so does a crash or a rejection that nobody handles show.
 * Its parent sends the options first, and `measure` whenever it wants to know what the process holds.
 */
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { startServer, type ServerOptions } from '../../index.js';
import { confidential } from './fixtures.js';

export type Command = { readonly start: Omit<ServerOptions, 'log'> } | { readonly measure: true };

export type Message =
  | { readonly url: string }
  /** A line of the log that should not be there. */
  | { readonly report: string }
  | { readonly held: ResourceUsage };

/** What is left when garbage has been collected. */
export interface ResourceUsage {
  /** Bytes. */
  readonly heap: number;
  /** Bytes. */
  readonly resident: number;
  readonly sockets: number;
}

const answer = (message: Message) => process.send!(message);

const [{ start }] = (await once(process, 'message')) as [{ start: ServerOptions }];
const server = await startServer({ ...start, log: { level: 'info', to: { write: judgeLine } } });
process.on('message', (order: Command) => {
  if ('measure' in order) void measure().then((held) => answer({ held }));
});
process.on('disconnect', () => process.exit());
answer({ url: server.url });

function judgeLine(line: string): void {
  const { level } = JSON.parse(line) as { level: string };
  if (level === 'error' || confidential.some((text) => line.includes(text))) answer({ report: line });
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
