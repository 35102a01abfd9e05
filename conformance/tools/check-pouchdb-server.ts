/**
 * `npm run check:pouchdb-server`: installs PouchDB Server into a temporary folder, starts it on a free port and runs
 * the suite against it with the baseline of its known deviations. Arguments are passed to `docfeed check`.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa, execaNode } from 'execa';
import getPort from 'get-port';

const serverPackage = 'pouchdb-server@4.2.0';
const baseline = 'conformance/baselines/pouchdb-server-4.yaml';

const interrupted = new AbortController();
const interrupt = (): void => interrupted.abort();
process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
const options = { cancelSignal: interrupted.signal, stderr: 'inherit', reject: false } as const;
const password = randomBytes(12).toString('hex');

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
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const install = await execa({ ...options, stdout: 'ignore' })('npm', [
    ...['install', serverPackage, '--prefix', folder, '--loglevel=error'],
    // Its optional packages are other databases, which need a compiler.
    ...['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'],
  ]);
  if (install.failed) return undecided('npm install failed');

  log('starting');
  const port = await getPort();
  const url = `http://127.0.0.1:${port}`;
  const server = execaNode({
    ...options,
    cwd: folder,
    // It logs every request.
    buffer: false,
    // PouchDB Server leaves a rejection unhandled if a filter does not exist.
    nodeOptions: ['--unhandled-rejections=warn', '--no-warnings'],
  })(join(folder, 'node_modules/pouchdb-server/bin/pouchdb-server'), ['--in-memory', '--port', `${port}`]);
  try {
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    if (!line.includes(url)) return undecided(line);
    server.stdout.resume();
    await createAdmin(url);

    log(`checking ${url}`);
    const check = await execaNode({
      ...options,
      nodeOptions: ['--import=tsx'],
      env: { DOCFEED_ADMIN: `admin:${password}` },
      stdout: 'inherit',
    })('bin/docfeed.ts', [
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

/** Until it has an administrator, PouchDB Server lets everybody do everything. */
async function createAdmin(url: string): Promise<void> {
  const response = await fetch(`${url}/_config/admins/admin`, {
    method: 'PUT',
    body: JSON.stringify(password),
  });
  if (!response.ok) throw new Error(`creating the administrator failed with ${response.status}`);
}

function undecided(reason: string): 3 {
  log(reason);
  return 3;
}
