/** Scripts of counterexamples, of faults that are quite different: each shows its violation, and only there. */
import test from 'ava';
import { emptyFolder } from '../../reports/testing/folder.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { tryScripts } from '../testing/scripts.js';
import { feeding } from './feeding.js';
import { faults } from './index.js';

/** Rows, places in the feed, who may do what, passwords, cookies, and what is answered at all. */
const ids = ['row-deleted-by-any-leaf', 'since-inclusive', 'cookie-without-roles', 'users-any-id'];

for (const id of ids) {
  const fault = faults.find((candidate) => candidate.id === id)!;
  test(`the script of a server with ${id} shows it there, and not on another server`, async (t) => {
    const [faulty, right] = await Promise.all([
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
    const tried = await tryScripts(report, admin, [faulty.urls, right.urls]);
    t.true(tried.length > 0);
    for (const { none, output, codes } of tried) t.deepEqual(codes, [1, 0], none ?? output);
  });
}

const without = {
  'normal-waits-with-now': /in time/,
  'headers-with-first-row': /in time/,
  'timeout-default-fixed': /settings of its own: chttpd\/changes_timeout = 700/,
};

for (const [id, why] of Object.entries(without)) {
  test(`there is no script, but a reason, where responses do not show what is wrong with ${id}`, async (t) => {
    const { rule, replace } = faults.find((fault) => fault.id === id)!;
    const faulty = await referenceServer(t, { components: replace, log: { level: 'silent' } });
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
    const faulty = await referenceServer(t, { components: losing, vary, log: { level: 'silent' } });
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
