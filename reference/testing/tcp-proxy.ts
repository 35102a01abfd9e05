/** A way to a server whose connections can be cut, and that keeps what clients send. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';

export interface Proxy {
  readonly url: string;
  /** All that clients have sent so far. */
  readonly sent: () => string;
  /** Breaks off every connection there is; new ones are accepted. */
  readonly cut: () => void;
}

/** Starts a proxy that ends with the test. */
export async function throughProxy(t: Pick<ExecutionContext, 'teardown'>, target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let sent = '';
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
    client.on('data', (chunk: Buffer) => (sent += chunk.toString('latin1')));
  });
  const cut = () => sockets.forEach((socket) => socket.destroy());
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => {
    proxy.close();
    cut();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, sent: () => sent, cut };
}
