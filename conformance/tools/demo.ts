/**
 * `npm run demo`: starts the reference server with three nodes on free ports and runs the suite against it, each in its
 * own process. With several nodes and `--configure` no check is skipped. Arguments are passed to `docfeed check`.
 */
import { randomBytes } from 'node:crypto';
import { execaNode } from 'execa';
import { listeningUrls } from './listening-urls.js';

const docfeed = execaNode({
  nodeOptions: ['--import=tsx'],
  stderr: 'inherit',
  reject: false,
  env: { DOCFEED_ADMIN: `admin:${randomBytes(12).toString('hex')}` },
});

const nodes = 3;
const log = (text: string): boolean => process.stderr.write(`demo: ${text}\n`);

log(`starting the reference server with ${nodes} nodes`);
const server = docfeed('bin/docfeed.ts', ['serve', '--port', '0', '--nodes', String(nodes)]);
try {
  const urls = await listeningUrls(server.stdout, nodes);
  if (urls.length < nodes) throw new Error('The reference server did not start.');
  log(`checking ${urls.join(' ')}`);
  const check = await docfeed({ stdout: 'inherit' })('bin/docfeed.ts', [
    ...['check', ...urls, '--configure'],
    ...process.argv.slice(2),
  ]);
  process.exitCode = check.exitCode ?? 3;
} finally {
  server.kill();
  await server;
}
