/**
 * `npm run check:pouchdb-server`: installs PouchDB Server into a temporary folder, starts it on a free port and runs
 * the suite against it with the baseline of what it is known to do differently. Arguments go to `docfeed check`.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, execaNode } from 'execa';
import { listeningUrls } from './listening-urls.js';

/** The packages of PouchDB Server 4.2.0 that serve HTTP, with the newest PouchDB they allow. */
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

const say = (what: string): boolean => process.stderr.write(`pouchdb-server: ${what}\n`);
const folder = await mkdtemp(join(tmpdir(), 'docfeed-pouchdb-server-'));
try {
  process.exitCode = await run();
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The exit code of `docfeed check`; 3 as there when it could not be run. */
async function run(): Promise<number> {
  say('installing');
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const install = await execa({ ...options, stdout: 'ignore' })('npm', [
    'install',
    ...['--prefix', folder, '--loglevel=error'],
    ...['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'],
  ]);
  if (install.failed) return unable('npm could not install it');

  say('starting');
  const server = program({
    nodeOptions: [
      '--import=tsx',
      // A filter that is not there leaves a rejection behind that nobody handles.
      '--unhandled-rejections=warn',
      '--no-warnings',
    ],
  })('conformance/tools/pouchdb-server.ts', [folder]);
  try {
    const [url] = await listeningUrls(server.stdout);
    if (!url) return unable('it did not start');

    say(`checking ${url}`);
    const check = await program({ nodeOptions: ['--import=tsx'], stdout: 'inherit' })('bin/docfeed.ts', [
      'check',
      url,
      ...['--baseline', baseline, '--report-dir', 'docfeed-report/pouchdb-server'],
      ...process.argv.slice(2),
    ]);
    return check.exitCode ?? unable('the check was ended');
  } finally {
    server.kill();
    await server;
  }
}

function unable(why: string): 3 {
  say(why);
  return 3;
}
