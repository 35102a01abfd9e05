/**
 * Scripts of counterexamples: each shows its violation on the server with the fault, and on no other. CI runs the
 * scripts of a few faults that differ a lot; `npm run test:scripts` runs those of every fault.
 */
import { availableParallelism } from 'node:os';
import test from 'ava';
import pMap from 'p-map';
import { startServer, type Fault } from '../../reference/index.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { tryScripts, type ScriptTrial } from '../testing/scripts.js';
import { feeding } from './feeding.js';
import { faults } from './index.js';

/** Rows, places in the feed, who may do what, passwords, cookies, and what is answered at all. */
const ids = ['row-deleted-by-any-leaf', 'since-inclusive', 'cookie-without-roles', 'users-any-id'];

for (const id of ids) {
  const fault = faults.find((candidate) => candidate.id === id)!;
  test(`the script of a server with ${id} shows it there, and not on another server`, async (t) => {
    const [faulty, right] = await Promise.all([
      referenceServer(t, { parts: fault.replace, log: { level: 'silent' } }),
      referenceServer(t),
    ]);
    const report = await runConformance({
      urls: [faulty.url],
      admin,
      only: [fault.rule],
      seed: 20_260,
      shrinkMs: 500,
    });
    const tried = await tryScripts(report, admin, [faulty.urls, right.urls]);
    t.true(tried.length > 0);
    for (const { none, output, codes } of tried) t.deepEqual(codes, [1, 0], none ?? output);
  });
}

const without = {
  'normal-waits-with-now': /timing/,
  'headers-with-first-row': /timing/,
  'timeout-default-fixed': /changes settings: chttpd\/changes_timeout = 700/,
};

for (const [id, why] of Object.entries(without)) {
  test(`there is no script, but a reason, where responses do not show what is wrong with ${id}`, async (t) => {
    const { rule, replace } = faults.find((fault) => fault.id === id)!;
    const faulty = await referenceServer(t, { parts: replace, log: { level: 'silent' } });
    const options = { urls: [faulty.url], admin, configure: true, journalDir: await emptyFolder(t) };
    const report = await runConformance({ ...options, only: [rule], seed: 20_260, shrinkMs: 500 });
    const tried = await tryScripts(report, admin, [faulty.urls]);
    t.true(tried.length > 0);
    for (const { none = 'there is one' } of tried) t.regex(none, why);
  });
}

/** A seed for each form of sequences, with one shard, so that the order is the same in each call. */
const seeds = { number: 29, object: 1 };

for (const [form, vary] of Object.entries(seeds)) {
  test(`a script sends back sequences that are ${form}s`, async (t) => {
    const losing = feeding(async ({ query, read }) => {
      const feed = await read();
      return query.since === '0' ? feed : { ...feed, results: feed.results.slice(1) };
    });
    const faulty = await referenceServer(t, { parts: losing, vary, log: { level: 'silent' } });
    const right = await referenceServer(t, { vary });
    const report = await runConformance({
      urls: [faulty.url],
      admin,
      only: ['feed-since-resume'],
      seed: 20_260,
      shrinkMs: 500,
    });
    const [tried] = await tryScripts(report, admin, [faulty.urls, right.urls]);
    t.deepEqual(tried?.codes, [1, 0], tried?.none ?? tried?.output);
  });
}

async function scriptsOf({ replace, rule, nodes = 1 }: Fault, journalDir: string): Promise<ScriptTrial[]> {
  // All that --configure would add, and take back before the script runs.
  const config = {
    chttpd: { authentication_handlers: 'cookie, proxy, jwt, default' },
    chttpd_auth: { proxy_use_secret: 'true', secret: 'of proxies', iterations: '10' },
  };
  const options = { port: 0, admin, nodes, config, log: { level: 'silent' } as const };
  const faulty = await startServer({ ...options, parts: replace });
  const right = await startServer(options);
  try {
    const report = await runConformance({
      ...{ urls: faulty.urls, admin, configure: true, journalDir },
      ...{ only: [rule], seed: 20_260, shrinkMs: 2000 },
    });
    return await tryScripts(report, admin, [faulty.urls, right.urls]);
  } finally {
    await Promise.all([faulty.stop(), right.stop()]);
  }
}

if (process.env['ALL_FAULTS'] !== undefined)
  test('each script shows its violation on the server with the fault only, and a third of the faults have one', async (t) => {
    t.timeout(3_600_000);
    const journalDir = await emptyFolder(t);
    const wrong: string[] = [];
    const shown = new Set<string>();
    const one = async (fault: Fault): Promise<void> => {
      for (const { check, none, output, codes } of await scriptsOf(fault, journalDir)) {
        if (none !== undefined) t.log(`${fault.id}, ${check}: ${none}`);
        else if (codes[0] === 1 && codes[1] === 0) shown.add(fault.id);
        else wrong.push(`${fault.id}, ${check}: exit codes ${codes.join(' and ')}\n${output}`);
      }
    };
    await pMap(faults, one, { concurrency: availableParallelism() });
    t.log(`${shown.size} of ${faults.length} faults have a script`);
    t.deepEqual(wrong, []);
    t.true(shown.size > faults.length / 3);
  });
