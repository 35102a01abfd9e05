/** `npm run demo`: starts the reference server on a free port and runs the suite against it, both as a user would. */
import { randomBytes } from 'node:crypto';
import { execaNode } from 'execa';
import { listeningUrl } from './listening.js';

const docfeed = execaNode({
  nodeOptions: ['--import=tsx'],
  stderr: 'inherit',
  reject: false,
  env: { DOCFEED_ADMIN: `admin:${randomBytes(12).toString('hex')}` },
});

const server = docfeed('bin/docfeed.ts', ['serve', '--port', '0']);
try {
  const url = await listeningUrl(server.stdout);
  if (!url) throw new Error('the reference server did not start');
  const check = await docfeed({ stdout: 'inherit' })('bin/docfeed.ts', [
    'check',
    url,
    ...process.argv.slice(2),
  ]);
  process.exitCode = check.exitCode ?? 3;
} finally {
  server.kill();
  await server;
}
