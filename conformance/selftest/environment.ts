/** What a run must bear: a machine that is busy, and a network that is slow. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Keeps every core busy until it is called. */
export function keepMachineBusy(): () => void {
  const others = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return () => others.forEach((other) => other.kill('SIGKILL'));
}

/** In milliseconds, each way. */
const latency = { least: 20, jitter: 10, stall: 300, stallsOnceIn: 100 };

export interface SlowProxy {
  readonly url: string;
  readonly close: () => void;
}

/** A way to a server on which every piece takes a while, and some much longer. Bytes keep their order. */
export async function startSlowProxy(to: string): Promise<SlowProxy> {
  const { hostname, port } = new URL(to);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('close', () => open.delete(from));
      forward(from, into);
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

function forward(from: Socket, into: Socket): void {
  // One after another: timers that are due together need not come in the order in which they were set.
  let before = Promise.resolve();
  const later = (act: () => void): void => {
    const stalls = Math.random() * latency.stallsOnceIn < 1;
    const takes = latency.least + Math.random() * latency.jitter + (stalls ? latency.stall : 0);
    const due = performance.now() + takes;
    before = before.then(() => pause(Math.max(0, due - performance.now()))).then(act);
  };
  from.on('data', (piece) => later(() => into.write(piece)));
  from.on('end', () => later(() => into.end()));
  // What is on its way arrives first, whether the connection then ends well or not.
  from.on('close', () => later(() => into.destroySoon()));
  from.on('error', () => {});
}
