/** An HTTP server for tests that respond to requests themselves. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

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
