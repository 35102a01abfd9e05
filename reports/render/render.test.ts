import { createRequire } from 'node:module';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { chromium, type Page } from 'playwright-core';
import { hostile, result, sample } from '../testing/sample.js';
import { writeReport, writeWhole } from '../write.js';
import { renderJunit } from './junit.js';
import { renderMarkdown } from './markdown.js';
import { renderMatrix } from './matrix.js';
import { renderTerminal } from './terminal.js';

const escape = '\u001b';

/** Opens a file in a real browser; any script error, console message or request for another file fails the test. */
async function withPage(
  file: string,
  look: (page: Page, complaints: string[]) => Promise<void>,
): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    const url = pathToFileURL(file).href;
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    page.on('request', (request) => request.url() !== url && complaints.push(request.url()));
    await page.goto(url);
    await look(page, complaints);
  } finally {
    await browser.close();
  }
}

test('the page shows failures first and open, and what the target sent as text', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'docfeed-page-'));
  await writeReport(sample(), directory);
  await withPage(join(directory, 'report.html'), async (page, complaints) => {
    t.is(await page.title(), 'docfeed: http://127.0.0.1:5984');
    t.regex(await page.locator('.warning').innerText(), /never got past 401/);
    const rows = page.locator('details[class^=row-]');
    t.is(await rows.count(), 8);
    const first = rows.first();
    t.is(await first.getAttribute('id'), 'rule-fail');
    const text = await first.innerText();
    t.true(text.includes(JSON.stringify(hostile)), 'the actual value stands there as text');
    t.true(text.includes('$.results[2].changes[0].rev'));
    t.true(text.includes('docfeed check http://127.0.0.1:5984 --replay eyJ0b2tlbiI6MX0'));
    t.is(await page.locator('script, img').count(), 0);
    await first.locator('details summary').first().click();
    t.true((await first.innerText()).includes('7.5 ms'));
    t.deepEqual(complaints, []);
  });
});

test('the filter hides and shows an outcome', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'docfeed-page-'));
  await writeReport(sample(), directory);
  await withPage(join(directory, 'report.html'), async (page) => {
    const passed = page.locator('#rule-pass');
    t.true(await passed.isVisible());
    await page.locator('#show-pass').uncheck();
    t.false(await passed.isVisible());
    t.true(await page.locator('#rule-fail').isVisible());
    await page.locator('#show-pass').check();
    t.true(await passed.isVisible());
  });
});

test('the matrix sets servers side by side and shows the most urgent check of a rule', async (t) => {
  const other = sample([
    { ...result('pass', 'rule-pass/one'), rule: 'rule-pass' },
    result('pass', 'rule-pass/two'),
  ]);
  other.checks[1]!.rule = 'rule-pass';
  other.checks[1]!.outcome = 'fail';
  const file = join(await mkdtemp(join(tmpdir(), 'docfeed-page-')), 'matrix.html');
  await writeWhole(file, renderMatrix([sample(), other]));
  await withPage(file, async (page, complaints) => {
    const cells = await page.locator('tr', { hasText: 'rule-pass' }).locator('td').allInnerTexts();
    t.deepEqual(cells.slice(1), ['pass', 'fail']);
    t.deepEqual(complaints, []);
  });
});

test('JUnit: one case a check, failures and errors told apart, well-formed whatever the target sent', async (t) => {
  const file = join(await mkdtemp(join(tmpdir(), 'docfeed-page-')), 'junit.xml');
  await writeWhole(file, renderJunit(sample()));
  await withPage(file, async (page) => {
    const count = (element: string) => page.locator(element).count();
    t.is(await count('testcase'), 8);
    t.is(await count('failure'), 1);
    t.is(await count('error'), 3);
    t.is(await count('skipped'), 2);
    t.is(await count('parsererror'), 0);
    t.true((await page.locator('failure').textContent())?.includes(hostile));
  });
});

test('Markdown: failures with values and replay; nothing of the target becomes markup', (t) => {
  const text = renderMarkdown(sample());
  t.regex(text, /\*\*1 pass, 1 fail, .*\*\*/);
  t.regex(text, /- replay `docfeed check /);
  t.regex(text, /> the run never got past 401/);
  t.regex(text, /- actual ``` .*<script>.* ```/);
  t.regex(renderMarkdown(sample([{ ...result('error'), reason: hostile }])), /\\<script\\>/);
});

test('terminal: what needs attention, why, and where the report is', (t) => {
  const text = renderTerminal(sample(), { colour: false, reportDir: 'out' });
  t.regex(text, /^! the run never got past 401$/m);
  t.regex(text, /^fail {2}rule-fail {2}because of fail$/m);
  t.regex(text, /^ {2}at +\$\.results\[2\]\.changes\[0\]\.rev$/m);
  t.regex(text, /^ {2}expected +2-b$/m);
  t.regex(text, /^ {2}replay +docfeed check http/m);
  t.regex(text, /^skipped {2}because of skipped: rule-skipped$/m);
  t.regex(text, /^1 pass, 1 fail, 1 warn, .*seed 42, 1\.2 s\)$/m);
  t.regex(text, /^report: out\/report\.html$/m);
  t.false(text.includes(escape));
  t.true(renderTerminal(sample(), { colour: true }).includes(`${escape}[31mfail`));
});

test('terminal: control characters of the target do not reach the terminal', (t) => {
  const check = result('fail');
  check.counterexample!.actual = 'a\u001b[2Jb\nc';
  const text = renderTerminal(sample([check]), { colour: false });
  t.false(text.includes(escape) || text.includes('b\nc'));
});

test('the report schema is part of the package', (t) => {
  t.truthy(createRequire(import.meta.url)('docfeed/reports/report.schema.json'));
});
