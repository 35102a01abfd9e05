import { join } from 'node:path';
import test from 'ava';
import { accessibilityProblems } from '../testing/accessibility.js';
import { openFile, requireBrowser } from '../testing/browser.js';
import { emptyFolder } from '../testing/folder.js';
import { writeOutputFile } from '../write.js';
import { findings, type SelftestReport } from '../selftest.js';
import { renderSelftest } from './selftest.js';

test.before(requireBrowser);

const report: SelftestReport = {
  format: 'docfeed-selftest/1',
  version: '1.0.0',
  startedAt: '2030-01-01T00:00:00.000Z',
  environment: { commit: '0123456789ab', node: 'v20.20.0', platform: 'linux x64', cores: 2 },
  command: 'docfeed selftest --seeds 2',
  cases: 150,
  faults: [1, 2].map((seed) => ({
    id: 'last-row-lost',
    rule: 'feed-complete',
    area: 'feed',
    summary: 'The last <row> is lost.',
    seed,
    outcome: seed === 1 ? 'killed' : 'survived',
    by: seed === 1 ? ['feed-complete'] : [],
    durationMs: 10,
  })),
  checks: [
    { check: 'feed-limit/zero', rule: 'feed-limit', seed: 1, durationMs: 10 },
    { check: 'feed-limit', rule: 'feed-limit', seed: 1, fault: 'limit-off-by-one', durationMs: 10 },
  ],
  variations: [
    {
      circumstances: 'variation',
      seed: 7,
      profile: 'smoke',
      passed: 69,
      skipped: 1,
      alarms: [{ id: 'feed-limit', outcome: 'fail', reason: 'too few' }],
      durationMs: 10,
    },
  ],
  repeats: [],
  rulesWithoutFault: ['feed-shape'],
};

test('a fault that survives, a false failure and a rule without a fault are problems', (t) => {
  t.deepEqual(findings(report), [
    'No fault breaks feed-shape.',
    'Fault last-row-lost of feed-complete, seed 2: survived.',
    'No fault makes feed-limit/zero fail.',
    'variation, seed 7: feed-limit fail: too few',
  ]);
  t.deepEqual(findings({ ...report, faults: [], checks: [], variations: [], rulesWithoutFault: [] }), []);
});

test('the page has a row for each fault with its worst outcome, and escapes values', (t) => {
  const page = renderSelftest(report);
  t.is(page.match(/<code>last-row-lost<\/code>/g)?.length, 1);
  t.regex(page, /<span class="badge fail">survived<\/span>/);
  t.regex(page, /1 of 2 runs/);
  t.true(page.includes('The last &lt;row&gt; is lost.'));
  t.false(page.includes('Failed checks of other rules'));
});

test('the page lists the failed checks of other rules if they ran', (t) => {
  const [fault] = report.faults;
  const page = renderSelftest({
    ...report,
    faults: [{ ...fault!, others: ['feed-paging', 'feed-pending'] }],
  });
  t.regex(page, /<summary>2<\/summary><code>feed-paging, feed-pending<\/code>/);
});

test('the page can be searched, and axe finds nothing', async (t) => {
  const file = join(await emptyFolder(t), 'selftest.html');
  await writeOutputFile(file, renderSelftest(report));
  const { page, problems } = await openFile(t, file, { width: 390 });
  await page.getByLabel('Search').fill('last-row');
  t.is(await page.locator('tr[data-text]:visible').count(), 1);
  t.deepEqual(await accessibilityProblems(page), []);
  t.is(await page.evaluate('document.documentElement.scrollWidth'), 390);
  t.deepEqual(problems, []);
});
