import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { accessibilityProblems } from '../testing/accessibility.js';
import { openFile, requireBrowser } from '../testing/browser.js';
import { emptyFolder } from '../testing/folder.js';
import { hostile, reportOf, result, sample } from '../testing/sample.js';
import { writeOutputFile } from '../write.js';
import { renderMatrix } from './matrix.js';

test.before(requireBrowser);

const one = reportOf([
  result('root-vendor', 'pass'),
  result('jwt-accepts', 'known', 'Too strict. (https://issues.test/7)'),
  result('feed-limit/a', 'pass'),
  result('feed-limit/b', 'fail', hostile),
]);
const other = reportOf(
  [result('root-vendor', 'pass'), result('totp-login/x', 'pass'), result('feed-limit', 'skipped')],
  {
    target: { ...sample.target, greeting: 'odd', url: 'http://b/', version: undefined },
    observations: [{ id: 'form of a seq', value: 'a number' }],
  },
);

async function open(t: ExecutionContext, options?: Parameters<typeof openFile>[2]) {
  const file = join(await emptyFolder(t), 'matrix.html');
  await writeOutputFile(file, renderMatrix([{ report: one, href: 'one/report.html' }, { report: other }]));
  return openFile(t, file, options);
}

test('has a row for each rule by area, a column for each server and the most urgent outcome in each cell', async (t) => {
  const { page, problems } = await open(t);
  const head = page.locator('.matrix').first().locator('thead th');
  t.deepEqual(await head.allInnerTexts(), ['Rule', 'An <i>Example</i> 3.5.0', 'http://b/']);
  t.deepEqual(await page.locator('tr.area').allInnerTexts(), ['root', 'jwt', 'feed', 'totp']);
  const rows = await Promise.all(
    (await page.locator('tr.rule').all()).map((row) => row.locator('th > code, .badge').allInnerTexts()),
  );
  t.deepEqual(rows, [
    ['root-vendor', 'pass', 'pass'],
    ['jwt-accepts', 'known', 'absent'],
    ['feed-limit', 'fail', 'skipped'],
    ['totp-login', 'absent', 'pass'],
  ]);
  const row = page.locator('tr.rule').nth(2);
  await row.locator('summary').first().click();
  t.regex(await row.innerText(), /feed-limit\/b: <\/pre><script>/);
  t.deepEqual(problems, []);
});

test('cells and known deviations link to the report of the server; deviations have their reason and link', async (t) => {
  const { page } = await open(t);
  const cell = page.locator('tr.rule').nth(2).locator('a.badge');
  t.is(await cell.getAttribute('href'), 'one/report.html#feed-limit%2Fb');
  const deviation = page.locator('#deviations ~ ul li');
  t.is(await deviation.innerText(), 'Too strict. (https://issues.test/7)\njwt-accepts');
  const links = await deviation.locator('a').all();
  t.deepEqual(await Promise.all(links.map((link) => link.getAttribute('href'))), [
    'https://issues.test/7',
    'one/report.html#jwt-accepts',
  ]);
});

test('shows observations and marks those that differ', async (t) => {
  const { page } = await open(t);
  t.deepEqual(await page.locator('#observations ~ .matrix tbody tr').allInnerTexts(), [
    'anonymous session differs\t{"status":200,"name":null}\t–',
    'form of a seq differs\t–\t"a number"',
  ]);
});

test('filters by difference, outcome and text', async (t) => {
  const { page } = await open(t);
  const visible = () => page.locator('tr.rule:visible th > code').allInnerTexts();
  t.is((await visible()).length, 4);
  await page.getByLabel('Where they differ').check();
  t.deepEqual(await visible(), ['jwt-accepts', 'feed-limit', 'totp-login']);
  await page.getByLabel('Outcome').selectOption('skipped');
  t.deepEqual(await visible(), ['feed-limit']);
  t.deepEqual(await page.locator('tr.area:visible').allInnerTexts(), ['feed']);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByLabel('Search').fill('totp');
  t.deepEqual(await visible(), ['totp-login']);
});

test('axe finds nothing, and only the table scrolls on a phone', async (t) => {
  const { page } = await open(t, { width: 390, colorScheme: 'dark' });
  t.deepEqual(await accessibilityProblems(page), []);
  t.is(await page.evaluate('document.documentElement.scrollWidth'), 390);
});

test('the column of the rules and the names of the areas stay visible when a wide table scrolls', async (t) => {
  const file = join(await emptyFolder(t), 'matrix.html');
  await writeOutputFile(file, renderMatrix(Array.from({ length: 8 }, () => ({ report: one }))));
  const { page } = await openFile(t, file, { width: 390 });
  const xOf = (selector: string) =>
    page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().x`);
  const selectors = ['.matrix thead th', 'tr.area span', 'tr.rule > th'];
  const before = await Promise.all(selectors.map(xOf));
  await page.evaluate("document.querySelector('.matrix').scrollLeft = 300");
  t.is(await page.evaluate("document.querySelector('.matrix').scrollLeft"), 300);
  t.deepEqual(await Promise.all(selectors.map(xOf)), before);
});
