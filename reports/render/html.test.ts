import { join } from 'node:path';
import test from 'ava';
import { openFile, requireBrowser } from '../testing/browser.js';
import { emptyFolder } from '../testing/folder.js';
import { failed, hostile, reportOf, result, sample } from '../testing/sample.js';
import { writeOutputFile } from '../write.js';
import { renderHtml } from './html.js';
import { escapeInvisible } from './text.js';

test.before(requireBrowser);

test('shows counts and warnings first, then failures with all their evidence', async (t) => {
  const file = join(await emptyFolder(t), 'report.html');
  await writeOutputFile(file, renderHtml(sample));
  const { page, problems } = await openFile(t, file);
  t.is(await page.title(), 'docfeed: http://127.0.0.1:5984/');
  t.is(await page.locator('h1').innerText(), 'docfeed: 4 of 10 rules checked');
  t.regex(await page.locator('h1 + p').innerText(), /^Checks: 1 fail, 1 error/);
  t.deepEqual(await page.locator('h1 ~ ul > li').allInnerTexts(), [
    '2 skipped without jwt-hmac: use --configure',
    '1 blocked: because login-cookie',
    '1 inconclusive: because continuous-timeout',
    '1 error: because feed-limit',
    '1 not selected',
  ]);
  t.is(await page.locator('ul + .warning').innerText(), 'Warning: The target has no users database.');

  const checks = page.locator('details.check');
  const outcomes = await checks.locator('.outcome').allInnerTexts();
  t.deepEqual(outcomes, [
    'fail',
    'error',
    'blocked',
    'inconclusive',
    'warn',
    'known',
    'pass',
    'skipped',
    'skipped',
  ]);
  const failure = checks.first();
  const text = await failure.innerText();
  for (const part of [
    'Without a filter `last_seq` is the seq of the last row. (SERVICE 2.5)',
    'POST /db/_changes?limit=1 200 shows the violation',
    'last_seq is not the seq of the last row',
    '$.last_seq',
    '2-b',
    '"limit": 1',
    "docfeed check http://127.0.0.1:5984/ --configure --target 'a file.yaml' --replay 'feed-last-seq/limit:7:0:1'\"'\"",
    'POST /db/_changes?limit=1',
    'Content-Type: application/json',
    '{"results":[\\r\n',
    '1.3 ms',
    '40.0 ms',
    'The rest of the body is not in the report.',
  ]) {
    t.true(text.includes(part), part);
  }
  t.deepEqual(await page.locator('details.check[open]').count(), 1);
  t.deepEqual(problems, []);
});

test('escapes values of a hostile target everywhere', async (t) => {
  const { counterexample } = failed;
  const report = reportOf(
    [
      {
        ...failed,
        reason: hostile,
        counterexample: { ...counterexample, message: hostile, path: hostile, expected: hostile },
      },
      result('a-b', 'error', hostile),
    ],
    {
      warnings: [hostile],
      observations: [{ id: hostile, value: hostile }],
      target: {
        ...sample.target,
        url: `http://a/${hostile}`,
        version: hostile,
        greeting: { [hostile]: hostile },
        capabilities: [{ name: hostile, available: true, how: hostile }],
      },
    },
  );
  const file = join(await emptyFolder(t), 'report.html');
  await writeOutputFile(file, renderHtml(report));
  const { page, problems } = await openFile(t, file);
  t.is(await page.locator('script, b, i').count(), 0);
  t.true((await page.locator('.warning').first().innerText()).endsWith(escapeInvisible(hostile)));
  t.is(await page.title(), `docfeed: http://a/${escapeInvisible(hostile)}`.replace(/ +/g, ' '));
  t.notRegex(await page.locator('body').innerText(), /[\u001b\u009b\u202e]/); // eslint-disable-line no-control-regex
  t.deepEqual(problems, []);
});

test('the Content Security Policy prevents scripts from running', async (t) => {
  const file = join(await emptyFolder(t), 'report.html');
  const page = renderHtml(sample).replace('</body>', '<script>document.title = "owned"</script></body>');
  await writeOutputFile(file, page);
  const opened = await openFile(t, file);
  t.not(await opened.page.title(), 'owned');
  t.regex(opened.problems.join(), /Content Security Policy/);
});

test('the checkboxes hide and show outcomes', async (t) => {
  const file = join(await emptyFolder(t), 'report.html');
  await writeOutputFile(file, renderHtml(sample));
  const { page } = await openFile(t, file);
  const visible = () => page.locator('details.check:visible > summary code').allInnerTexts();
  t.is((await visible()).length, 9);
  await page.getByLabel('2 skipped').uncheck();
  await page.getByLabel('1 fail').uncheck();
  const rest = await visible();
  t.is(rest.length, 6);
  t.false(rest.includes('feed-last-seq/limit') || rest.includes('jwt-accepts'));
  await page.getByLabel('1 fail').check();
  t.is((await visible()).length, 7);
});

test('the page follows the colour scheme of the browser', async (t) => {
  const file = join(await emptyFolder(t), 'report.html');
  await writeOutputFile(file, renderHtml(sample));
  const background = async (scheme: 'light' | 'dark') => {
    const { page } = await openFile(t, file, scheme);
    return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  };
  t.is(await background('light'), 'rgb(255, 255, 255)');
  t.is(await background('dark'), 'rgb(18, 21, 26)');
});
