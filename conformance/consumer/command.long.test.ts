/** A command that leaves a process with its output behind. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import test from 'ava';
import { startCommand } from './command.js';

const node = process.execPath;

/** Starts a process in a group of its own, which keeps the standard output open, says so, and goes on until PORT closes. */
const daemon = (port: number, then: string): string => {
  const outlives = `console.log('outlives'); require('node:net').connect(${port}, '127.0.0.1').on('close', process.exit)`;
  return `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(outlives)}], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  ${then}`;
};

for (const [what, then, expected, signal] of [
  ['ends by itself', 'setTimeout(process.exit, 500, 3)', 'exit code 3'],
  ['is terminated', 'setInterval(() => {}, 1000)', 'signal SIGTERM', 'SIGTERM'],
  ['is killed', 'setInterval(() => {}, 1000)', 'signal SIGKILL', 'SIGKILL'],
] as const) {
  test(`a command that ${what} and leaves a daemon with its output has an end`, async (t) => {
    t.timeout(60_000);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const lines: string[] = [];
    const { port } = server.address() as AddressInfo;
    const command = startCommand(
      [node, '-e', daemon(port, then)],
      {},
      {
        line: (line) => void lines.push(line),
        error: t.log,
      },
    );
    const [connection] = await connected;
    t.teardown(() => {
      connection.destroy();
      server.close();
    });
    connection.on('error', () => {});
    if (signal) await command.stop(signal);
    t.is(await command.ended, expected);
    t.deepEqual(lines, ['outlives']);
    t.false(connection.destroyed, 'the daemon goes on');
  });
}
