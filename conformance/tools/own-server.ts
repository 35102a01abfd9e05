import { randomBytes } from 'node:crypto';
import { execaNode } from 'execa';
import { listeningUrls } from '../../reports/testing/listening-urls.js';

export interface OwnServer {
  /** Number of nodes of the reference server. */
  readonly nodes: number;
  /** Further arguments of `docfeed serve`. */
  readonly serve?: readonly string[];
  readonly log: (message: string) => void;
}

/**
 * Starts the reference server on free ports, calls `body`, and stops the server.
 *
 * @param body gets the URL of each node, and the administrator as `name:password`.
 * @throws Error if the server does not start
 */
export async function withOwnServer<T>(
  { nodes, serve = [], log }: OwnServer,
  body: (urls: readonly string[], admin: string) => Promise<T>,
): Promise<T> {
  const admin = `admin:${randomBytes(12).toString('hex')}`;
  log(`starting the reference server with ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`);
  const server = docfeed({ env: { DOCFEED_ADMIN: admin } })('bin/docfeed.ts', [
    'serve',
    '--port',
    '0',
    '--nodes',
    String(nodes),
    ...serve,
  ]);
  try {
    const urls = await listeningUrls(server, nodes);
    return await body(urls, admin);
  } finally {
    server.kill();
    await server;
  }
}

/**
 * Runs the suite against the reference server, each in its own process.
 *
 * @param check further arguments of `docfeed check`
 * @returns the exit code of `docfeed check`; 3 if it was killed
 * @throws Error if the server does not start
 */
export const checkOwnServer = (server: OwnServer, check: readonly string[]): Promise<number> =>
  withOwnServer(server, async (urls, admin) => {
    server.log(`checking ${urls.join(' ')}`);
    const { exitCode = 3 } = await docfeed({ stdout: 'inherit', env: { DOCFEED_ADMIN: admin } })(
      'bin/docfeed.ts',
      ['check', ...urls, '--configure', ...check],
    );
    return exitCode;
  });

const docfeed = execaNode({ nodeOptions: ['--import=tsx'], stderr: 'inherit', reject: false });
