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
  [
    result('root-vendor', 'pass'),
    { ...result('totp-login/x', 'pass'), traffic: { exchanges: 2, judged: 'Logins.', rest: 'Codes.' } },
    result('feed-limit', 'skipped'),
  ],
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

test('has the rules for which servers differ first, then each area, with the most urgent outcome in each cell', async (t) => {
  const { page, problems } = await open(t);
  const head = page.locator('.matrix').first().locator('thead th');
  t.deepEqual(await head.allInnerTexts(), ['Rule', 'An <i>Example</i> 3.5.0', 'http://b/']);
  const groups = (await page.locator('tr.area').allInnerTexts()).map((text) => text.trim());
  t.deepEqual(groups, [
    'Where they differ 2 of 4 rules',
    'root 1 rule without a difference where they were checked',
    'totp 1 rule without a difference where they were checked',
  ]);
  const rows = await Promise.all(
    (await page.locator('tr.rule').all()).map((row) => row.locator('th > code, .cell').allTextContents()),
  );
  t.deepEqual(rows, [
    ['jwt-accepts', 'known', 'absent'],
    ['feed-limit', 'fail', 'skipped'],
    ['root-vendor', 'pass', 'pass'],
    ['totp-login', 'absent', 'pass in part'],
  ]);
  const row = page.locator('tr.rule').nth(1);
  await row.locator('summary').first().click();
  t.regex(await row.innerText(), /An <i>Example<\/i> 3\.5\.0 \(feed-limit\/b\): <\/pre><script>/);
  t.deepEqual(problems, []);
});

test('cells and known deviations link to the report of the server; deviations have their reason and link', async (t) => {
  const { page } = await open(t);
  const cell = page.locator('tr.rule').nth(1).locator('a.cell');
  t.is(await cell.getAttribute('href'), 'one/report.html#feed-limit%2Fb');
  const why = page.locator('#jwt-accepts details');
  await why.locator('summary').click();
  t.is(await why.locator('a').getAttribute('href'), 'https://issues.test/7');
  await page.locator('#runs ~ details summary').first().click();
  const deviation = page.locator('#runs ~ details .plain li');
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
  t.deepEqual(await visible(), ['jwt-accepts', 'feed-limit']);
  await page.getByRole('button', { name: 'root' }).click();
  t.deepEqual(await visible(), ['jwt-accepts', 'feed-limit', 'root-vendor']);
  await page.getByLabel('Area').selectOption('totp');
  t.deepEqual(await visible(), ['totp-login']);
  await page.getByLabel('Area').selectOption('');
  await page.getByLabel('Only where they differ').check();
  t.deepEqual(await visible(), ['jwt-accepts', 'feed-limit']);
  await page.getByLabel('Outcome').selectOption('skipped');
  t.deepEqual(await visible(), ['feed-limit']);
  t.is(await page.locator('tr.area:visible').count(), 1);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByLabel('Search').fill('totp');
  t.deepEqual(await visible(), ['totp-login']);
});

test('a link to a rule opens its area; without scripts all rules are shown', async (t) => {
  const { page } = await open(t, { hash: '#totp-login' });
  t.true(await page.locator('#totp-login').isVisible());
  t.false(await page.locator('#root-vendor').isVisible());
  const plain = await open(t, { javaScriptEnabled: false });
  t.is(await plain.page.locator('tr.rule:visible').count(), 4);
});

// One after the other, since axe keeps a processor busy.
for (const colorScheme of ['light', 'dark'] as const) {
  test.serial(`axe finds nothing, and only the table scrolls on a phone (${colorScheme})`, async (t) => {
    const { page } = await open(t, { width: 390, colorScheme });
    t.deepEqual(await accessibilityProblems(page), []);
    t.is(await page.evaluate('document.documentElement.scrollWidth'), 390);
    t.true(await page.getByText('The table scrolls sideways.').isVisible());
  });
}

test('the column of the rules and the names of the areas stay visible when a wide table scrolls', async (t) => {
  const file = join(await emptyFolder(t), 'matrix.html');
  await writeOutputFile(file, renderMatrix(Array.from({ length: 16 }, () => ({ report: one }))));
  const { page } = await openFile(t, file, { width: 390 });
  await page.getByRole('button', { name: 'root' }).click();
  const xOf = (selector: string) =>
    page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().x`);
  const selectors = ['.matrix thead th', 'tr.area th', 'tr.rule > th'];
  const before = await Promise.all(selectors.map(xOf));
  await page.evaluate("document.querySelector('.matrix').scrollLeft = 300");
  t.is(await page.evaluate("document.querySelector('.matrix').scrollLeft"), 300);
  t.deepEqual(await Promise.all(selectors.map(xOf)), before);
});
