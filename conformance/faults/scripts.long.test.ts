/**
 * Replay scripts of counterexamples: each shows its violation on the server with the fault, and on no other. CI runs
 * the scripts of a few different faults. `npm run test:scripts` runs those of every fault.
 */
import { availableParallelism } from 'node:os';
import test from 'ava';
import pMap from 'p-map';
import { startServer, type Fault } from '../../reference/index.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { tryScripts, type ScriptTrial } from '../testing/scripts.js';
import { changeRows } from './shared/feeds.js';
import { faults } from './index.js';

/** Faults of rows, sequences, cookies, and users. */
const ids = ['row-deleted-by-any-leaf', 'since-inclusive', 'cookie-without-roles', 'users-any-id'];

for (const id of ids) {
  const fault = faults.find((candidate) => candidate.id === id)!;
  test(`the script for ${id} fails on the server with the fault and passes on the plain server`, async (t) => {
    const [faulty, plain] = await Promise.all([
      referenceServer(t, { components: fault.replace, log: { level: 'silent' } }),
      referenceServer(t),
    ]);
    const report = await runConformance({
      urls: [faulty.url],
      admin,
      only: [fault.rule],
      seed: 20_260,
      shrinkMs: 500,
    });
    const tried = await tryScripts(report, admin, [faulty.urls, plain.urls]);
    const scripts = tried.filter(({ none }) => none === undefined);
    t.true(scripts.length > 0);
    for (const { output, codes } of scripts) t.deepEqual(codes, [1, 0], output);
    for (const { none } of tried) t.regex(none ?? '', /^$|contains a secret|only part of a body/);
  });
}

const reasonsForNone = {
  'normal-waits-with-now': /timing/,
  'headers-with-first-row': /timing/,
  'timeout-default-fixed': /changes settings: chttpd\/changes_timeout = 700/,
};

for (const [id, reason] of Object.entries(reasonsForNone)) {
  test(`the report gives a reason why ${id} has no script`, async (t) => {
    const { rule, replace } = faults.find((fault) => fault.id === id)!;
    const faulty = await referenceServer(t, { components: replace, log: { level: 'silent' } });
    const options = { urls: [faulty.url], admin, configure: true, journalDir: await emptyFolder(t) };
    const report = await runConformance({ ...options, only: [rule], seed: 20_260, shrinkMs: 500 });
    const tried = await tryScripts(report, admin, [faulty.urls]);
    t.true(tried.length > 0);
    for (const { none = 'it has a script' } of tried) t.regex(none, reason);
  });
}

/** Variations with one form of sequences each, and with one shard, so that the order of rows is constant. */
const seeds = { number: 29, object: 1 };

for (const [form, vary] of Object.entries(seeds)) {
  test(`a script sends sequences back if they are ${form}s`, async (t) => {
    const losing = changeRows((rows, { query }) => (query.since === '0' ? rows : rows.slice(1)));
    const faulty = await referenceServer(t, { components: losing, vary, log: { level: 'silent' } });
    const plain = await referenceServer(t, { vary });
    const report = await runConformance({
      urls: [faulty.url],
      admin,
      only: ['feed-since-resume'],
      seed: 20_260,
      shrinkMs: 500,
    });
    const [tried] = await tryScripts(report, admin, [faulty.urls, plain.urls]);
    t.deepEqual(tried?.codes, [1, 0], tried?.none ?? tried?.output);
  });
}

async function scriptsOf({ replace, rule, nodes = 1 }: Fault, journalDir: string): Promise<ScriptTrial[]> {
  // The settings that --configure would change, and restore before the script runs.
  const config = {
    chttpd: { authentication_handlers: 'cookie, proxy, jwt, default' },
    chttpd_auth: { proxy_use_secret: 'true', secret: 'of proxies', iterations: '10' },
  };
  const options = { port: 0, admin, nodes, config, log: { level: 'silent' } as const };
  const faulty = await startServer({ ...options, components: replace });
  const plain = await startServer(options);
  try {
    const report = await runConformance({
      ...{ urls: faulty.urls, admin, configure: true, journalDir },
      ...{ only: [rule], seed: 20_260, shrinkMs: 2000 },
    });
    return await tryScripts(report, admin, [faulty.urls, plain.urls]);
  } finally {
    await Promise.all([faulty.stop(), plain.stop()]);
  }
}

if (process.env['ALL_FAULTS'] !== undefined)
  test('each script fails only on the server with the fault, and a third of the faults have a script', async (t) => {
    t.timeout(3_600_000);
    const journalDir = await emptyFolder(t);
    const wrong: string[] = [];
    const shown = new Set<string>();
    const tryFault = async (fault: Fault): Promise<void> => {
      for (const { check, none, output, codes } of await scriptsOf(fault, journalDir)) {
        if (none !== undefined) t.log(`${fault.id}, ${check}: ${none}`);
        else if (codes[0] === 1 && codes[1] === 0) shown.add(fault.id);
        else wrong.push(`${fault.id}, ${check}: exit codes ${codes.join(' and ')}\n${output}`);
      }
    };
    await pMap(faults, tryFault, { concurrency: availableParallelism() });
    t.log(`${shown.size} of ${faults.length} faults have a script`);
    t.deepEqual(wrong, []);
    t.true(shown.size > faults.length / 3);
  });
