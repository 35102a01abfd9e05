/**
 * `npm run check:pouchdb-server`: installs PouchDB Server into a temporary folder, starts it on a free port and runs
 * the suite against it with the baseline of its known deviations. Arguments are passed to `docfeed check`.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, execaNode } from 'execa';
import { listeningUrls } from './listening-urls.js';

/** The packages of PouchDB Server 4.2.0 that serve HTTP, with the newest PouchDB packages that they allow. */
const dependencies = {
  express: '4.22.1',
  'express-pouchdb': '4.2.0',
  'pouchdb-adapter-memory': '7.3.1',
  'pouchdb-auth': '4.2.0',
  'pouchdb-core': '7.3.1',
  'pouchdb-mapreduce': '7.3.1',
  'pouchdb-replication': '7.3.1',
};
const baseline = 'conformance/baselines/pouchdb-server-4.yaml';

const interrupted = new AbortController();
const interrupt = (): void => interrupted.abort();
process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
const options = { cancelSignal: interrupted.signal, stderr: 'inherit', reject: false } as const;
const program = execaNode({
  ...options,
  env: { DOCFEED_ADMIN: `admin:${randomBytes(12).toString('hex')}` },
});

const log = (text: string): boolean => process.stderr.write(`pouchdb-server: ${text}\n`);
const folder = await mkdtemp(join(tmpdir(), 'docfeed-pouchdb-server-'));
try {
  process.exitCode = await installAndCheck();
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Returns the exit code of `docfeed check`, or 3 if the check could not run. */
async function installAndCheck(): Promise<number> {
  log('installing');
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const install = await execa({ ...options, stdout: 'ignore' })('npm', [
    'install',
    ...['--prefix', folder, '--loglevel=error'],
    ...['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'],
  ]);
  if (install.failed) return undecided('npm install failed');

  log('starting');
  const server = program({
    nodeOptions: [
      '--import=tsx',
      // PouchDB Server leaves a rejection unhandled if a filter does not exist.
      '--unhandled-rejections=warn',
      '--no-warnings',
    ],
  })('conformance/tools/pouchdb-server.ts', [folder]);
  try {
    const [url] = await listeningUrls(server.stdout);
    if (!url) return undecided('the server did not start');

    log(`checking ${url}`);
    const check = await program({ nodeOptions: ['--import=tsx'], stdout: 'inherit' })('bin/docfeed.ts', [
      'check',
      url,
      ...['--baseline', baseline, '--report-dir', 'docfeed-report/pouchdb-server'],
      ...process.argv.slice(2),
    ]);
    return check.exitCode ?? undecided('the check was interrupted');
  } finally {
    server.kill();
    await server;
  }
}

function undecided(reason: string): 3 {
  log(reason);
  return 3;
}
