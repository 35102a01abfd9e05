/** The reference server for tests: a real server, with password hashes that cost nothing. */
import type { ExecutionContext } from 'ava';
import { type RunningServer, type ServerOptions, startServer } from '../../reference/index.js';

export const admin = { name: 'admin', password: 'top-secret' };

/** Starts a server that ends with the test. */
export async function referenceServer(
  t: Pick<ExecutionContext, 'teardown'>,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const server = await startServer({ admin, config: { chttpd_auth: { iterations: '10' } }, ...options });
  t.teardown(() => server.stop());
  return server;
}
