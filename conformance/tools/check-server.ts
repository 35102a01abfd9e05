/**
 * `npm run check:server -- NAME`: installs a server of {@link npmServers} into a temporary folder, starts it on a free
 * port and runs the suite against it with the baseline of its known deviations. Further arguments are passed to
 * `docfeed check`. `npm run check:pouchdb-server` does so for PouchDB Server.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { execa, execaNode } from 'execa';
import { freePort } from '../../reports/testing/free-port.js';
import { npmInstall } from './npm-install.js';
import { npmServers, type NpmServer } from './servers.js';

const [name = '', ...checkOptions] = process.argv.slice(2);

const interrupted = new AbortController();
const interrupt = (): void => interrupted.abort();
process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
const options = { cancelSignal: interrupted.signal, stderr: 'inherit', reject: false } as const;
const password = randomBytes(12).toString('hex');

const log = (text: string): boolean => process.stderr.write(`${name}: ${text}\n`);
const server = npmServers[name];
if (server) {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-server-'));
  try {
    process.exitCode = await installAndCheck(server, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
} else {
  process.stderr.write(`"${name}" is not one of ${Object.keys(npmServers).join(', ')}\n`);
  process.exitCode = 2;
}

/** Returns the exit code of `docfeed check`, or 3 if the check could not run. */
async function installAndCheck(
  { packages, program, needsAdmin, baseline }: NpmServer,
  folder: string,
): Promise<number> {
  log('installing');
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const install = await execa({ ...options, stdout: 'ignore' })('npm', [
    ...npmInstall(folder, packages),
    // PouchDB Server's optional packages are other databases, which need a compiler.
    '--omit=optional',
    '--ignore-scripts',
  ]);
  if (install.failed) return undecided('npm install failed');

  log('starting');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [path, ...args] = program(port);
  const running = execaNode({
    ...options,
    cwd: folder,
    // PouchDB Server logs every request.
    buffer: false,
    // PouchDB Server leaves a rejection unhandled if a filter does not exist.
    nodeOptions: ['--unhandled-rejections=warn', '--no-warnings'],
  })(resolve(folder, path), args);
  try {
    const [line] = (await once(createInterface(running.stdout), 'line')) as [string];
    if (!line.includes(url)) return undecided(line);
    running.stdout.resume();
    if (needsAdmin) await createAdmin(url);

    log(`checking ${url}`);
    const check = await execaNode({
      ...options,
      nodeOptions: ['--import=tsx'],
      env: needsAdmin ? { DOCFEED_ADMIN: `admin:${password}` } : {},
      stdout: 'inherit',
    })('bin/docfeed.ts', [
      'check',
      url,
      '--report-dir',
      `docfeed-report/${name}`,
      ...(baseline ? ['--baseline', `conformance/baselines/${baseline}`] : []),
      ...checkOptions,
    ]);
    return check.exitCode ?? undecided('the check was interrupted');
  } finally {
    running.kill();
    await running;
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
