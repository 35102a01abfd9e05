import { join } from 'node:path';
import test from 'ava';
import { openFile, requireBrowser } from '../testing/browser.js';
import { emptyFolder } from '../testing/folder.js';
import { failed, hostile, reportOf, result, sample } from '../testing/sample.js';
import { writeOutputFile } from '../write.js';
import { renderJunit } from './junit.js';

test.before(requireBrowser);

test('has a case for each check, and counts failures, errors and skipped cases', async (t) => {
  const file = join(await emptyFolder(t), 'junit.xml');
  await writeOutputFile(file, renderJunit(sample));
  const { page } = await openFile(t, file);
  const cases = await page.evaluate<unknown>(`[...document.querySelectorAll('testcase')].map((element) => ({
    name: element.getAttribute('name'),
    children: [...element.children].map(({ tagName }) => tagName),
  }))`);
  t.deepEqual(cases, [
    { name: 'root-greeting', children: [] },
    { name: 'feed-last-seq/limit', children: ['failure'] },
    { name: 'proxy-secret-recommended', children: ['system-out'] },
    { name: 'root-vendor', children: ['skipped', 'system-out'] },
    { name: 'jwt-accepts', children: ['skipped', 'system-out'] },
    { name: 'jwt-alg-bound', children: ['skipped', 'system-out'] },
    { name: 'login-cookie', children: ['error'] },
    { name: 'continuous-timeout', children: ['error'] },
    { name: 'feed-limit', children: ['error'] },
  ]);
  const suite = page.locator('testsuite');
  const attributes = ['tests', 'failures', 'errors', 'skipped', 'time'];
  t.deepEqual(await Promise.all(attributes.map((name) => suite.getAttribute(name))), [
    '9',
    '1',
    '3',
    '3',
    '12.345',
  ]);
  t.is(await page.locator('failure').getAttribute('message'), failed.reason);
  t.regex((await page.locator('failure').textContent()) ?? '', /^at: \$\.last_seq\nexpected: 2-b\nactual: /m);
});

test('is well-formed for any values of a target', async (t) => {
  const outcomes = ['fail', 'error', 'warn', 'skipped'] as const;
  const checks = outcomes.map((outcome) => ({ ...failed, id: `a-${outcome}`, outcome, reason: hostile }));
  const target = { ...sample.target, url: `http://a/${hostile}`, version: hostile };
  const file = join(await emptyFolder(t), 'junit.xml');
  await writeOutputFile(file, renderJunit(reportOf([...checks, result('b-b', 'pass')], { target })));
  const { page, problems } = await openFile(t, file);
  t.is(await page.locator('testcase').count(), 5);
  t.is(await page.locator('parsererror, script').count(), 0);
  t.deepEqual(problems, []);
});
