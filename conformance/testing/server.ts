/** An HTTP server for tests that respond to requests themselves. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { type Connection, connect } from '../http/http.js';
import { createRedactor } from '../http/redact.js';
import { freePort } from '../../reports/testing/free-port.js';

export interface TestServer {
  url: string;
  stop(): Promise<void>;
}

export async function serve(listener: RequestListener): Promise<TestServer> {
  // Node.js closes idle connections after five seconds, in which a client on a busy machine may send its next request.
  const server = createServer({ keepAliveTimeout: 0 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Starts a server that stops at the end of the test. */
export async function served(
  t: Pick<ExecutionContext, 'teardown'>,
  listener: RequestListener,
): Promise<TestServer> {
  const server = await serve(listener);
  t.teardown(() => server.stop());
  return server;
}

/** @returns a URL at which nothing listens */
export const closedUrl = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

/** A connection that closes at the end of the test. */
export function connected(t: Pick<ExecutionContext, 'teardown'>, url: string): Connection {
  const connection = connect([new URL(url)], undefined, createRedactor([]));
  t.teardown(() => connection.close());
  return connection;
}
