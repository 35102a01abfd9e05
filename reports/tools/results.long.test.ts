import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import { readReport } from '../read.js';
import type { SelftestReport } from '../selftest.js';
import { emptyFolder } from '../testing/folder.js';
import { reportOf, result } from '../testing/sample.js';
import { publishReport, unfoldReport } from './published-report.js';
import { publishSelftest, renderPages, renderResults, unfoldSelftest } from './results.js';

test('the published documents are those of the published data: npm run results', async (t) => {
  for (const [path, text] of await renderResults()) {
    t.true((await readFile(path, 'utf8')) === text, `${path} is stale`);
  }
});

test('every published run has a page, and its report is valid once it is unfolded', async (t) => {
  const pages = await renderPages();
  t.true(pages.has('matrix.html') && pages.has('couchdb-3.5/report.html'));
  const file = join(await emptyFolder(t), 'report.json');
  for (const [path, text] of pages) {
    if (path.endsWith('badge.json')) t.regex(text, /"schemaVersion":1/, path);
    else if (path.endsWith('.html')) t.regex(text, /^<!doctype html>/i, path);
    if (!path.endsWith('report.json')) continue;
    await writeFile(file, text);
    t.true((await readReport(file)).checks.length > 0, path);
  }
});

test('each link of a page of the site leads to a page, and to what it names there', async (t) => {
  const pages = await renderPages();
  // Redocly makes this page.
  pages.set('description.html', '');
  const linked = [...pages].filter(([path, text]) => path.endsWith('.html') && text !== '');
  for (const [path, text] of linked) {
    for (const [, href = '', anchor] of text.matchAll(/<a [^>]*href="(?!https?:)([^"#]*)(?:#([^"]*))?"/g)) {
      const target = href === '' ? path : join(dirname(path), decodeURIComponent(href));
      t.true(pages.has(target), `${path} leads to ${target}`);
      if (anchor === undefined || !target.endsWith('rules.html')) continue;
      t.true(pages.get(target)!.includes(`id="${anchor}"`), `${path} leads to ${target}#${anchor}`);
    }
  }
  t.true(linked.every(([, text]) => text.includes('<nav class="site"')));
});

test('a published report has everything that the report has, but for long evidence', (t) => {
  const report = reportOf([result('feed-limit', 'pass'), result('feed-limit/second', 'skipped')]);
  const read = <T>(written: T): T => JSON.parse(JSON.stringify(written)) as T;
  t.deepEqual(unfoldReport(read(publishReport(report))), read(report));
});

test('a published self-test has everything that the self-test has', (t) => {
  const trial = { rule: 'feed-limit', area: 'feed', summary: 'The limit is one too high.', durationMs: 10 };
  const report: SelftestReport = {
    format: 'docfeed-selftest/1',
    version: '1.0.0',
    startedAt: '',
    command: '',
    environment: { node: '', platform: '', cores: 2 },
    faults: [
      { ...trial, id: 'one-more', seed: 1, outcome: 'killed', by: ['feed-limit'] },
      { ...trial, id: 'one-more', seed: 2, outcome: 'survived', by: [], others: [] },
    ],
    checks: [],
    variations: [],
    repeats: [],
    rulesWithoutFault: [],
  };
  const published = publishSelftest(report);
  t.is(published.faults.length, 1);
  t.deepEqual(unfoldSelftest(JSON.parse(JSON.stringify(published)) as typeof published), report);
});
