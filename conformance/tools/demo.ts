/**
 * `npm run demo`: starts the reference server as three nodes on free ports and runs the suite against them, both as a
 * user would. Settings may be changed, so that nothing has to be skipped. Arguments go to `docfeed check`.
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
const server = docfeed('bin/docfeed.ts', ['serve', '--port', '0', '--nodes', String(nodes)]);
try {
  const urls = await listeningUrls(server.stdout, nodes);
  if (urls.length < nodes) throw new Error('the reference server did not start');
  const check = await docfeed({ stdout: 'inherit' })('bin/docfeed.ts', [
    ...['check', ...urls, '--configure'],
    ...process.argv.slice(2),
  ]);
  process.exitCode = check.exitCode ?? 3;
} finally {
  server.kill();
  await server;
}
