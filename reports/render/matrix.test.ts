import { join } from 'node:path';
import test from 'ava';
import { openFile, requireBrowser } from '../testing/browser.js';
import { emptyFolder } from '../testing/folder.js';
import { hostile, reportOf, result, sample } from '../testing/sample.js';
import { writeOutputFile } from '../write.js';
import { renderMatrix } from './matrix.js';

test.before(requireBrowser);

const one = reportOf([
  result('feed-limit/a', 'pass'),
  result('feed-limit/b', 'fail', hostile),
  result('root-vendor', 'pass'),
  result('jwt-accepts', 'skipped'),
]);
const other = reportOf(
  [result('feed-limit', 'skipped'), result('root-vendor', 'pass'), result('totp-login/x', 'pass')],
  { target: { ...sample.target, greeting: 'odd', url: 'http://b/', version: undefined } },
);

test('has a row for each rule, a column for each server and the most urgent outcome in each cell', async (t) => {
  const file = join(await emptyFolder(t), 'matrix.html');
  await writeOutputFile(file, renderMatrix([one, other]));
  const { page, problems } = await openFile(t, file);
  t.deepEqual(await page.locator('thead th').allInnerTexts(), [
    'rule',
    'An <i>Example</i> 3.5.0',
    'http://b/',
  ]);
  const rows = await Promise.all(
    (await page.locator('tr.rule').all()).map((row) => row.locator('td > code, .outcome').allInnerTexts()),
  );
  t.deepEqual(rows, [
    ['feed-limit', 'fail', 'skipped'],
    ['root-vendor', 'pass', 'pass'],
    ['jwt-accepts', 'skipped', 'absent'],
    ['totp-login', 'absent', 'pass'],
  ]);
  await page.locator('tr.rule').first().locator('summary').first().click();
  t.regex(await page.locator('tr.rule').first().innerText(), /feed-limit\/b: <\/pre><script>/);
  t.deepEqual(problems, []);
});

test('the checkbox hides rules with equal outcomes', async (t) => {
  const file = join(await emptyFolder(t), 'matrix.html');
  await writeOutputFile(file, renderMatrix([one, other]));
  const { page } = await openFile(t, file);
  const visible = () => page.locator('tr.rule:visible').count();
  t.is(await visible(), 4);
  await page.getByLabel('Show only rules with different outcomes').check();
  t.is(await visible(), 3);
});
