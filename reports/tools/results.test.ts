import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { renderPages, renderResults, resultsFolder } from './results.js';

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
