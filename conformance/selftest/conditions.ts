/** Conditions that a run of the suite must tolerate: a busy machine and a slow network. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Keeps a core busy in slices, between which the process notices the end of its parent. */
const busyLoop = `
process.on('disconnect', () => process.exit());
const spin = () => {
  for (const end = Date.now() + 50; Date.now() < end; );
  setImmediate(spin);
};
spin();`;

/** Keeps every core busy. Returns a function that ends this. */
export function keepMachineBusy(): () => void {
  const processes = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', busyLoop], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
  );
  return () => processes.forEach((process) => process.kill('SIGKILL'));
}

/** Of each chunk in each direction. */
const delay = { leastMs: 20, jitterMs: 10, stallMs: 300, stallProbability: 0.01 };

/** Forwards connections to a server. Delays every chunk, and some much longer, but keeps the order of bytes. */
export async function startSlowProxy(targetUrl: string): Promise<{ url: string; close: () => void }> {
  const { hostname, port } = new URL(targetUrl);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.on('close', () => open.delete(from));
      forward(from, to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      open.forEach((socket) => socket.destroy());
    },
  };
}

function forward(from: Socket, to: Socket): void {
  // Timers that are due at the same time can fire in another order than they were set in, so each waits for the last.
  let previous = Promise.resolve();
  const afterDelay = (act: () => void): void => {
    const stall = Math.random() < delay.stallProbability ? delay.stallMs : 0;
    const due = performance.now() + delay.leastMs + Math.random() * delay.jitterMs + stall;
    previous = previous.then(() => pause(Math.max(0, due - performance.now()))).then(act);
  };
  from.on('data', (chunk) => afterDelay(() => to.write(chunk)));
  from.on('end', () => afterDelay(() => to.end()));
  // Chunks on their way arrive first, also if the connection fails.
  from.on('close', () => afterDelay(() => to.destroySoon()));
  from.on('error', () => {});
}
