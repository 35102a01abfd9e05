/** PouchDB's own tests against the reference server and CouchDB, published as `reports/results/pouchdb-tests.json`. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, execaNode } from 'execa';
import { currentEnvironment } from '../../reports/origin.js';
import { resultsFolder } from '../../reports/tools/results.js';
import { parseCredentials } from '../commands/command-line.js';
import type { Credentials } from '../http/client.js';
import { withOwnServer } from './own-server.js';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Tests that PouchDB skips itself. */
  readonly skipped: number;
}

interface Failure {
  readonly file: string;
  readonly test: string;
  /** Written by hand. */
  readonly reason?: string;
}

interface ServerResult {
  readonly files: readonly (Counts & { readonly file: string })[];
  readonly failures: readonly Failure[];
}

/** What Mocha's reporter `json` writes, as far as it is used here. */
interface MochaReport {
  readonly stats: { readonly passes: number; readonly failures: number; readonly pending: number };
  readonly failures: readonly { readonly fullTitle: string }[];
}

const file = join(resultsFolder, 'pouchdb-tests.json');

/**
 * Runs the tests against both servers. A reason that was written for a failure stays as long as the test fails.
 *
 * @param clone folder of a clone of PouchDB, installed and built
 * @param couchdb URL of a CouchDB without a name or password; those are in DOCFEED_ADMIN
 * @throws Error if the clone, the server or its administrator is missing, or a file of tests does not end
 */
export async function publishPouchdbTests(
  clone: string,
  couchdb: string,
  log: (message: string) => void,
): Promise<void> {
  const admin = parseCredentials(process.env['DOCFEED_ADMIN']);
  if (!admin) throw new Error('DOCFEED_ADMIN=name:password is missing.');
  // All commits between two releases have the same version.
  const { stdout: commit } = await execa('git', ['rev-parse', 'HEAD'], { cwd: clone });
  const greeting = (await (await fetch(couchdb)).json()) as { version: string };
  const reasons = new Map(
    (
      JSON.parse(await readFile(file, 'utf8')) as { onlyDocfeedFails: readonly Failure[] }
    ).onlyDocfeedFails.map(({ test, reason }) => [test, reason]),
  );
  const server = { nodes: 1, serve: ['--dialect', 'couchdb'], log };
  const ours = await withOwnServer(server, ([url], ownAdmin) =>
    runTests(clone, url!, parseCredentials(ownAdmin)!, log),
  );
  const theirs = await runTests(clone, couchdb, admin, log);
  const onlyIn = (some: ServerResult, others: ServerResult): Failure[] => {
    const failing = new Set(others.failures.map(({ test }) => test));
    return some.failures.filter(({ test }) => !failing.has(test));
  };
  const results = {
    format: 'docfeed-pouchdb-tests/2',
    measuredAt: new Date().toISOString(),
    environment: currentEnvironment(),
    versions: { pouchdb: commit, couchdb: greeting.version },
    total: { docfeed: sum(ours.files), couchdb: sum(theirs.files) },
    onlyDocfeedFails: onlyIn(ours, theirs).map((failure) => ({
      ...failure,
      reason: reasons.get(failure.test) ?? 'Not explained yet.',
    })),
    onlyCouchdbFails: onlyIn(theirs, ours),
    files: ours.files.map(({ file, ...docfeed }, index) => {
      const { file: _, ...couchdb } = theirs.files[index]!;
      return { file, docfeed, couchdb };
    }),
  };
  await writeFile(file, `${JSON.stringify(results, undefined, 1)}\n`);
}

/** Longer than any test takes on a busy machine: what is slow is not wrong. */
const timeoutMs = 100_000;

async function runTests(
  clone: string,
  url: string,
  admin: Credentials,
  log: (message: string) => void,
): Promise<ServerResult> {
  const tests = 'tests/integration';
  // Mocha would take these hooks for those of all files.
  const names = (await readdir(join(clone, tests))).filter(
    (name) => /^test\..*\.js$/.test(name) && name !== 'test.setup_global_hooks.js',
  );
  const server = new URL(url);
  Object.assign(server, { username: admin.name, password: admin.password });
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-pouchdb-'));
  const files: ServerResult['files'][number][] = [];
  const failures: Failure[] = [];
  try {
    for (const name of names.sort()) {
      log(`${name} against ${url}`);
      const output = join(folder, `${name}.json`);
      await execaNode(
        'node_modules/mocha/bin/mocha.js',
        [
          '--exit',
          '--timeout',
          String(timeoutMs),
          '--require',
          `${tests}/node.setup.js`,
          '--grep',
          'http',
          '--reporter',
          'json',
          '--reporter-option',
          `output=${output}`,
          join(tests, name),
        ],
        {
          cwd: clone,
          env: { COUCH_HOST: server.href.replace(/\/$/, '') },
          reject: false,
          stdio: 'ignore',
        },
      );
      const { stats, failures: failed } = JSON.parse(await readFile(output, 'utf8')) as MochaReport;
      files.push({ file: name, passed: stats.passes, failed: stats.failures, skipped: stats.pending });
      failures.push(...failed.map(({ fullTitle }) => ({ file: name, test: fullTitle })));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { files, failures };
}

const sum = (files: readonly Counts[]): Counts =>
  files.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
