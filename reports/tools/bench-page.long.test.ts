import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { accessibilityProblems } from '../testing/accessibility.js';
import { openFile, requireBrowser } from '../testing/browser.js';
import { emptyFolder } from '../testing/folder.js';
import { writeOutputFile } from '../write.js';
import type { BenchReport } from './bench-report.js';
import { renderPages, resultsFolder } from './results.js';

test.before(requireBrowser);

/** How many times as long as docfeed CouchDB took, as a whole number. */
async function timesOfCouchDB(workload: string): Promise<string> {
  const file = join(resultsFolder, 'bench/bench.json');
  const { results } = JSON.parse(await readFile(file, 'utf8')) as BenchReport;
  const { CouchDB, docfeed } = results.find(({ name }) => name === workload)!.measured;
  return (CouchDB!.median / docfeed!.median).toFixed(0);
}

const pages = renderPages();

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the benchmark has whole labels and bars on a phone, and axe finds nothing (${colorScheme})`, async (t) => {
    const file = join(await emptyFolder(t), 'bench.html');
    await writeOutputFile(file, (await pages).get('bench/bench.html')!);
    const { page, problems } = await openFile(t, file, { width: 390, colorScheme });
    t.is(await page.evaluate('document.documentElement.scrollWidth'), 390);
    const widths = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.track span')].map((bar) => bar.getBoundingClientRect().width)`,
    );
    t.true(Math.max(...widths) > 150);
    t.regex(
      await page.locator('.chart').first().innerText(),
      new RegExp(
        `\\nCouchDB\\s+${await timesOfCouchDB('filter-function')}\\n[^]*docfeed keeps what a function decided`,
      ),
    );
    t.deepEqual(await accessibilityProblems(page), []);
    t.deepEqual(problems, []);
  });
}
