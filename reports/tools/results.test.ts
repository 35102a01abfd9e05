import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { SelftestReport } from '../selftest.js';
import { publishSelftest, renderPages, renderResults, resultsFolder, unfoldSelftest } from './results.js';

test('the published documents are those of the published data: npm run results', async (t) => {
  for (const [path, text] of await renderResults()) {
    t.true((await readFile(join(resultsFolder, path), 'utf8')) === text, `${path} is stale`);
  }
});

test('every published run has a page', async (t) => {
  const pages = await renderPages();
  t.true(pages.has('matrix.html') && pages.has('couchdb-3.5/report.html'));
  for (const [path, text] of pages)
    t.regex(text, path.endsWith('.json') ? /"schemaVersion":1/ : /^<!doctype html>/i, path);
});

test('a published self-test has everything that the self-test has', (t) => {
  const trial = { rule: 'feed-limit', area: 'feed', summary: 'The limit is one too high.', durationMs: 10 };
  const report: SelftestReport = {
    ...{ format: 'docfeed-selftest/1', version: '1.0.0', startedAt: '', command: '' },
    environment: { node: '', platform: '', cores: 2 },
    faults: [
      { ...trial, id: 'one-more', seed: 1, outcome: 'killed', by: ['feed-limit'] },
      { ...trial, id: 'one-more', seed: 2, outcome: 'survived', by: [], others: [] },
    ],
    ...{ checks: [], variations: [], repeats: [], rulesWithoutFault: [] },
  };
  const published = publishSelftest(report);
  t.is(published.faults.length, 1);
  t.deepEqual(unfoldSelftest(JSON.parse(JSON.stringify(published)) as typeof published), report);
});
