import { randomBytes } from 'node:crypto';
import { execaNode } from 'execa';
import { listeningUrls } from './listening-urls.js';

export interface OwnServerCheck {
  /** Number of nodes of the reference server. */
  readonly nodes: number;
  /** Further arguments of `docfeed serve`. */
  readonly serve?: readonly string[];
  /** Further arguments of `docfeed check`. */
  readonly check: readonly string[];
  readonly log: (message: string) => void;
}

/**
 * Starts the reference server on free ports and runs the suite against it, each in its own process.
 *
 * @returns the exit code of `docfeed check`; 3 if it was killed
 * @throws Error if the server does not start
 */
export async function checkOwnServer({ nodes, serve = [], check, log }: OwnServerCheck): Promise<number> {
  const docfeed = execaNode({
    nodeOptions: ['--import=tsx'],
    stderr: 'inherit',
    reject: false,
    env: { DOCFEED_ADMIN: `admin:${randomBytes(12).toString('hex')}` },
  });
  log(`starting the reference server with ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`);
  const server = docfeed('bin/docfeed.ts', ['serve', '--port', '0', '--nodes', String(nodes), ...serve]);
  try {
    const urls = await listeningUrls(server.stdout, nodes);
    if (urls.length < nodes) throw new Error('The reference server did not start.');
    log(`checking ${urls.join(' ')}`);
    const { exitCode = 3 } = await docfeed({ stdout: 'inherit' })('bin/docfeed.ts', [
      ...['check', ...urls, '--configure'],
      ...check,
    ]);
    return exitCode;
  } finally {
    server.kill();
    await server;
  }
}
