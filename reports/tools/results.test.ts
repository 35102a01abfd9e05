import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { renderResults, resultsFolder } from './results.js';

test('the published pages are those of the published data: npm run results', async (t) => {
  for (const [path, text] of await renderResults()) {
    t.true((await readFile(join(resultsFolder, path), 'utf8')) === text, `${path} is stale`);
  }
});
