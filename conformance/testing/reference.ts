/** The reference server for tests, with password hashes that are fast to compute. */
import type { ExecutionContext } from 'ava';
import { type RunningServer, type ServerOptions, startServer } from '../../reference/index.js';
import { basic, type Reply, sendTo } from '../../reports/testing/request.js';

export const admin = { name: 'admin', password: 'top-secret' };

/** The header `Authorization` of the administrator. */
export const { authorization } = basic(admin.name, admin.password);

/** Sends a request as the administrator. */
export const asAdmin = (url: string, method: string, path: string, body?: unknown): Promise<Reply> =>
  sendTo(url, method, path, { headers: { authorization }, body });

/** Starts a server that stops at the end of the test. */
export async function referenceServer(
  t: Pick<ExecutionContext, 'teardown'>,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const server = await startServer({ admin, config: { chttpd_auth: { iterations: '10' } }, ...options });
  t.teardown(() => server.stop());
  return server;
}
