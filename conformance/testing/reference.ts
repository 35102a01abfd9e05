/** The reference server for tests, with password hashes that are fast to compute. */
import type { ExecutionContext } from 'ava';
import { type RunningServer, type ServerOptions, startServer } from '../../reference/index.js';

export const admin = { name: 'admin', password: 'top-secret' };

/** The header `Authorization` of the administrator. */
export const authorization = `Basic ${Buffer.from(`${admin.name}:${admin.password}`).toString('base64')}`;

/** Starts a server that stops at the end of the test. */
export async function referenceServer(
  t: Pick<ExecutionContext, 'teardown'>,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const server = await startServer({ admin, config: { chttpd_auth: { iterations: '10' } }, ...options });
  t.teardown(() => server.stop());
  return server;
}
