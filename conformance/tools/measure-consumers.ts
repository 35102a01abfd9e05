/**
 * `npm run results:consumers [-- NAME...]`: runs all scenarios with real consumers, or with those of these names, and
 * writes their outcomes to `reports/results/consumers.json`. Packages that the project does not use otherwise are
 * installed into a temporary folder. The replicator of CouchDB needs `COUCHDB_URL`, with credentials, and the setting
 * `interval = 1000` in `[replicator]` of that server; the file keeps its last result without it.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { ConsumerResult } from '../../reports/tools/consumer-results.js';
import { writeOutputFile } from '../../reports/write.js';
import { runConsumer } from '../consumer/run-consumer.js';
import { npmInstall } from './npm-install.js';

interface RealConsumer {
  readonly name: string;
  /** Its adapter in `conformance/consumer/real/`, with arguments. */
  readonly adapter: readonly string[];
  /** The package whose version the result has; with a version if it must be installed. */
  readonly package?: string;
  /** The version if it does not come from a package. */
  readonly version?: () => Promise<string>;
  /** Whether it writes to a database. */
  readonly replicates?: true;
  /** A little more than the longest time after which it tries again, in milliseconds. Default: 15 s. */
  readonly graceMs?: number;
}

const consumers: readonly RealConsumer[] = [
  { name: 'PouchDB', adapter: ['pouchdb'], package: 'pouchdb-replication', replicates: true },
  // After the third failure one after the other, it waits for two minutes.
  { name: 'CouchDB', adapter: ['couchdb'], version: couchdbVersion, replicates: true, graceMs: 130_000 },
  // After the third failure one after the other, it waits for 20 seconds.
  { name: 'nano', adapter: ['nano'], package: 'nano', graceMs: 25_000 },
  { name: '@ibm-cloud/cloudant', adapter: ['cloudant'], package: '@ibm-cloud/cloudant' },
  { name: 'cloudant-follow', adapter: ['follow', 'cloudant-follow'], package: 'cloudant-follow' },
  { name: 'follow', adapter: ['follow', 'follow'], package: 'follow@1.1.0' },
  { name: 'changes-stream', adapter: ['changes-stream'], package: 'changes-stream@2.2.0' },
  { name: 'couchbackup', adapter: ['couchbackup'], package: '@cloudant/couchbackup' },
  { name: 'eventsource', adapter: ['eventsource'], package: 'eventsource' },
  { name: 'Chromium', adapter: ['chromium'], version: chromiumVersion },
];

const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const file = new URL('../../reports/results/consumers.json', import.meta.url).pathname;
const adapters = new URL('../consumer/real/', import.meta.url).pathname;
const log = (text: string): boolean => process.stderr.write(`${text}\n`);

const names = process.argv.slice(2);
const unknown = names.find((name) => !consumers.some((consumer) => consumer.name === name));
if (unknown !== undefined) {
  log(`"${unknown}" is not one of ${consumers.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const selected = consumers.filter(({ name }) => names.length === 0 || names.includes(name));
const folder = await mkdtemp(join(tmpdir(), 'docfeed-consumers-'));
process.env['NODE_PATH'] = join(folder, 'node_modules');
try {
  const missing = selected.flatMap(({ package: name = '' }) => (/.@/.test(name) ? [name] : []));
  if (missing.length > 0) await execa('npm', npmInstall(folder, missing));
  for (const consumer of selected) {
    if (consumer.name === 'CouchDB' && !process.env['COUCHDB_URL']) log('CouchDB: COUCHDB_URL is missing');
    else await publish(await tryConsumer(consumer));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function tryConsumer({
  name,
  adapter,
  replicates,
  graceMs = 15_000,
  package: specifier = '',
  version = () => packageVersion(specifier),
}: RealConsumer): Promise<ConsumerResult> {
  const [program, ...args] = adapter;
  const { checks, suite } = await runConsumer({
    command: [process.execPath, join(adapters, `${program}.js`), ...args],
    ...(replicates && { targetDatabase: true }),
    seed: 1,
    graceMs,
    shrinkMs: 1,
    concurrency: 6,
    deadlineMs: 900_000,
    onProgress: ({ result: { id, outcome, reason = '' } }) => log(`${name}: ${id}: ${outcome} ${reason}`),
  });
  return {
    name,
    version: await version(),
    environment: suite.environment!,
    checks: checks.map(({ id, rule, area, outcome, reason }) => ({ id, rule, area, outcome, reason })),
  };
}

async function packageVersion(specifier: string): Promise<string> {
  const [, name = specifier, version] = /^(.+)@(.+)$/.exec(specifier) ?? [];
  if (version !== undefined) return version;
  const path = createRequire(import.meta.url)
    .resolve.paths(name)!
    .map((modules) => join(modules, name, 'package.json'));
  return (JSON.parse(await readFile(path.find(existsSync)!, 'utf8')) as { version: string }).version;
}

async function couchdbVersion(): Promise<string> {
  const greeting = await fetch(new URL(process.env['COUCHDB_URL']!).origin);
  return ((await greeting.json()) as { version: string }).version;
}

async function chromiumVersion(): Promise<string> {
  const { stdout } = await execa(chromium, ['--version']);
  return /[\d.]+/.exec(stdout)![0];
}

/** In the order of the list above. */
async function publish(result: ConsumerResult): Promise<void> {
  const known = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as ConsumerResult[]) : [];
  const results = consumers.flatMap(({ name }) =>
    name === result.name ? [result] : known.filter((other) => other.name === name),
  );
  await writeOutputFile(file, `[\n${results.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`);
}
