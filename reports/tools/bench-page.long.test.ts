import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../testing/accessibility.js';
import { openFile, requireBrowser } from '../testing/browser.js';
import { emptyFolder } from '../testing/folder.js';
import { writeOutputFile } from '../write.js';
import { renderBench } from './bench-page.js';
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

/** @returns the texts of what does not lie within the width of the window. */
const outside = (page: Page, selector: string, width: number): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((element) => {
    const { left, right } = element.getBoundingClientRect();
    return right - left > 0 && left >= 0 && right <= ${width} ? [] : [element.textContent];
  })`);

/** @returns the pairs of texts of a curve that overlap, and the texts that are cut at its border or too small. */
const overlaps = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('svg.curves')].flatMap((svg) => {
    const box = (element) => element.getBoundingClientRect();
    const border = box(svg);
    const texts = [...svg.querySelectorAll('text')].map((text) => [text.textContent, box(text)]);
    const touch = (a, b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom;
    return texts.flatMap(([text, at], index) => [
      ...texts.slice(index + 1).flatMap(([other, there]) => touch(at, there) ? [text + ' / ' + other] : []),
      ...(at.left < border.left - 1 || at.right > border.right + 1 || at.height < 12 ? [text] : []),
    ]);
  })`);

test('the labels of all curves stand apart, also where two curves nearly meet', async (t) => {
  const measured = { docfeed: 10, CouchDB: 10.2, other: 10.4 };
  const { curves = [], ...report } = JSON.parse(
    await readFile(join(resultsFolder, 'bench/bench.json'), 'utf8'),
  ) as BenchReport;
  const points = [1000, 1_000_000, 1_500_000].map((size) => ({ size, measured }));
  const near = { ...curves[0]!, points };
  const file = join(await emptyFolder(t), 'bench.html');
  await writeOutputFile(file, renderBench({ ...report, curves: [...curves, near] }));
  for (const width of [768, 1280]) {
    const { page } = await openFile(t, file, { width });
    t.deepEqual(await overlaps(page), []);
    t.is(await page.evaluate('document.documentElement.scrollWidth'), width);
  }
});

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
    t.deepEqual(await outside(page, '.stacked :is(th, td):not(thead *, :empty)', 390), []);
    t.deepEqual(await overlaps(page), []);
    t.deepEqual(await accessibilityProblems(page), []);
    t.deepEqual(problems, []);
  });
}
