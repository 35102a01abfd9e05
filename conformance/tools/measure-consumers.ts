/**
 * `npm run results:consumers [-- [--missing] NAME...]`: runs all scenarios with real consumers, or with those of these names,
 * and writes their outcomes to `reports/results/consumers.json`. With `--missing`, it runs only the scenarios that the last
 * result of the same version lacks or left undecided, and adds their outcomes. Packages that the project does not use
 * otherwise are installed into temporary folders. The replicator of CouchDB needs `COUCHDB_URL`, with credentials, and the
 * setting `interval = 1000` in `[replicator]` of that server. The file keeps the last result of a consumer that cannot be
 * run, because that or its language is not there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import type { ConsumerResult } from '../../reports/tools/consumer-results.js';
import { writeOutputFile } from '../../reports/write.js';
import { runConsumer } from '../consumer/run-consumer.js';
import { scenarios } from '../consumer/scenarios.js';
import { type Package, languages } from './consumer-languages.js';

interface RealConsumer {
  readonly name: string;
  /** Its adapter in `conformance/consumer/real/`, with arguments. */
  readonly adapter: readonly [program: string, ...args: string[]];
  /** The package whose version the result has; with a version if it must be installed. */
  readonly package?: string;
  /** The version if it does not come from a package. */
  readonly version?: () => Promise<string>;
  /** Whether it writes to a database. */
  readonly replicates?: true;
  /** Scenarios whose outcome is not published, whatever it is: it could disclose a defect that attackers can use. */
  readonly withheld?: readonly string[];
  /** A little more than the longest time after which it tries again, in milliseconds. Default: 15 s. */
  readonly graceMs?: number;
}

/** Where credentials may go to another host. If they do, the authors of the library must know it first. */
const leaks = ['redirect', 'impostor', 'other-host'].map((name) => `feed-live-converges/${name}`);

const consumers: readonly RealConsumer[] = [
  { name: 'PouchDB', adapter: ['pouchdb.js'], package: 'pouchdb-replication', replicates: true },
  // After the third failure one after the other, it waits for two minutes.
  { name: 'CouchDB', adapter: ['couchdb.js'], version: couchdbVersion, replicates: true, graceMs: 130_000 },
  // After the third failure one after the other, it waits for 20 seconds.
  { name: 'nano', adapter: ['nano.js'], package: 'nano', graceMs: 25_000 },
  { name: '@ibm-cloud/cloudant', adapter: ['cloudant.js'], package: '@ibm-cloud/cloudant' },
  { name: 'cloudant-follow', adapter: ['follow.js', 'cloudant-follow'], package: 'cloudant-follow' },
  { name: 'follow', adapter: ['follow.js', 'follow'], package: 'follow@1.1.0' },
  { name: 'changes-stream', adapter: ['changes-stream.js'], package: 'changes-stream@2.2.0' },
  { name: 'couchbackup', adapter: ['couchbackup.js'], package: '@cloudant/couchbackup' },
  { name: 'aiocouch', adapter: ['aiocouch_changes.py'], package: 'aiocouch@4.0.1' },
  { name: 'ibmcloudant', adapter: ['ibm_follower.py'], package: 'ibmcloudant@0.11.12', withheld: leaks },
  { name: 'kivik', adapter: ['kivik.go'], package: 'github.com/go-kivik/kivik/v4@4.5.2', withheld: leaks },
  {
    name: 'cloudant-go-sdk',
    adapter: ['ibm_follower.go'],
    package: 'github.com/IBM/cloudant-go-sdk@0.10.8',
    withheld: leaks,
  },
  { name: 'Ektorp', adapter: ['Ektorp.java'], package: 'org.ektorp:org.ektorp@1.5.0', withheld: leaks },
  {
    name: 'LightCouch',
    adapter: ['LightCouch.java'],
    package: 'org.lightcouch:lightcouch@0.2.0',
    withheld: leaks,
  },
  { name: 'couch_rs', adapter: ['couch_rs.rs'], package: 'couch_rs@0.13.1', withheld: leaks },
  { name: 'eventsource', adapter: ['eventsource.js'], package: 'eventsource' },
  { name: 'Chromium', adapter: ['chromium.js'], version: chromiumVersion },
];

const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const file = new URL('../../reports/results/consumers.json', import.meta.url).pathname;
const adapters = new URL('../consumer/real/', import.meta.url).pathname;
const log = (text: string): boolean => process.stderr.write(`${text}\n`);

const { values: options, positionals: names } = parseArgs({
  options: { missing: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = names.find((name) => !consumers.some((consumer) => consumer.name === name));
if (unknown !== undefined) {
  log(`"${unknown}" is not one of ${consumers.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const selected = consumers.filter(({ name }) => names.length === 0 || names.includes(name));
const folder = await mkdtemp(join(tmpdir(), 'docfeed-consumers-'));
// Consumers that are killed do not remove their temporary files.
process.env['TMPDIR'] = folder;
try {
  for (const consumer of selected) {
    const missing = whatIsMissing(consumer);
    if (missing) log(`${consumer.name}: not run, ${missing} is missing`);
    else await tryConsumer(consumer);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function whatIsMissing({ name, adapter: [program] }: RealConsumer): string | undefined {
  if (name === 'CouchDB' && !process.env['COUCHDB_URL']) return 'COUCHDB_URL';
  const { tool } = languages[extname(program)]!;
  return spawnSync('which', [tool]).status === 0 ? undefined : tool;
}

/** Runs the scenarios that its column lacks, and publishes their outcomes. */
async function tryConsumer({
  name,
  adapter: [program, ...args],
  replicates,
  withheld = [],
  graceMs = 15_000,
  package: specifier = '',
  version = () => packageVersion(specifier),
}: RealConsumer): Promise<void> {
  const library = parseSpecifier(specifier);
  const its = library?.version ?? (await version());
  const last = options.missing
    ? (await published()).find((result) => result.name === name && result.version === its)
    : undefined;
  const known = (last?.checks ?? []).filter(({ outcome }) => outcome !== 'inconclusive');
  const done = [...withheld, ...known.map(({ id }) => id)];
  const only = scenarios.map(({ id }) => id).filter((id) => !done.includes(id));
  if (only.length === 0) return;
  const command = await languages[extname(program)]!.prepare(
    join(adapters, program),
    library ? [library] : [],
    await mkdtemp(join(folder, 'consumer-')),
  );
  const { checks, suite } = await runConsumer({
    command: [...command, ...args],
    ...(replicates && { targetDatabase: true }),
    only,
    seed: 1,
    graceMs,
    shrinkMs: 1,
    concurrency: 6,
    deadlineMs: 900_000,
    onProgress: ({ result: { id, outcome, reason = '' } }) => log(`${name}: ${id}: ${outcome} ${reason}`),
  });
  const outcomes = checks.map(({ id, rule, area, outcome, reason }) => ({ id, rule, area, outcome, reason }));
  await publish({
    name,
    version: its,
    environments: [...(last?.environments ?? []), suite.environment!],
    checks: inOrder([...known, ...outcomes]),
    ...(withheld.length > 0 && { withheld }),
  });
}

/** In the order of the scenarios. */
function inOrder(checks: ConsumerResult['checks']): ConsumerResult['checks'] {
  return scenarios.flatMap(({ id }) => checks.filter((check) => check.id === id));
}

/** @returns undefined if it has no version: then the project uses it. */
function parseSpecifier(specifier: string): Package | undefined {
  const [, name, version] = /^(.+)@(.+)$/.exec(specifier) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

async function packageVersion(name: string): Promise<string> {
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

async function published(): Promise<readonly ConsumerResult[]> {
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as ConsumerResult[]) : [];
}

/** In the order of the list above. */
async function publish(result: ConsumerResult): Promise<void> {
  const known = await published();
  const results = consumers.flatMap(({ name }) =>
    name === result.name ? [result] : known.filter((other) => other.name === name),
  );
  await writeOutputFile(file, `[\n${results.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`);
}
