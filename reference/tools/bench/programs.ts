/** Small programs that are measured beside the reference server, each in a process of its own. */
import { execa } from 'execa';
import { listeningUrl } from '../../../reports/testing/listening-urls.js';
import { Client } from '../client.js';

/** The end of a program that makes a server: it prints its URL as `docfeed serve` does. */
export const listen = `.listen(0, '127.0.0.1', function () {
  console.log('listening on http://127.0.0.1:' + this.address().port);
});`;

export const runSource = (source: string, ...args: readonly string[]) =>
  execa({ reject: false })(process.execPath, ['--eval', source, ...args]);

/** Calls `task` with a client of a program when it listens. The program ends afterwards. */
export async function withProgram<T>(
  child: Parameters<typeof listeningUrl>[0] & { readonly kill: (signal: 'SIGKILL') => boolean },
  task: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    const client = new Client(await listeningUrl(child));
    return await task(client).finally(() => client.close());
  } finally {
    child.kill('SIGKILL');
    await child;
  }
}

/** Passes bytes on to a server, each after half of the time of a round trip. */
const line = `
const { connect, createServer } = require('node:net');
const { port, hostname } = new URL(process.argv[1]);
const passLater = (from, to) => {
  const later = (act) => setTimeout(act, process.argv[2] / 2);
  from.on('data', (bytes) => later(() => to.write(bytes)));
  from.on('end', () => later(() => to.end()));
  from.on('error', () => {}).on('close', () => later(() => to.destroy()));
};
createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const server = connect({ port, host: hostname, allowHalfOpen: true, noDelay: true });
  passLater(client, server);
  passLater(server, client);
})${listen}`;

/** Calls `task` with a URL at which a server is as far away as the time of a round trip says, in milliseconds. */
export const withLine = <T>(url: string, ms: number, task: (url: string) => PromiseLike<T>): Promise<T> =>
  withProgram(runSource(line, url, String(ms)), async ({ url: far }) => task(far));
