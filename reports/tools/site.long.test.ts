import { join } from 'node:path';
import test from 'ava';
import { accessibilityProblems } from '../testing/accessibility.js';
import { openFile, requireBrowser } from '../testing/browser.js';
import { emptyFolder } from '../testing/folder.js';
import { writeOutputFile } from '../write.js';
import { renderPages } from './results.js';

test.before(requireBrowser);

const pages = renderPages();

for (const path of ['index.html', 'findings.html', 'consumers.html', 'rules.html']) {
  test(`${path} fits a phone, and axe finds nothing`, async (t) => {
    const file = join(await emptyFolder(t), path);
    await writeOutputFile(file, (await pages).get(path)!);
    const { page, problems } = await openFile(t, file, { width: 390, colorScheme: 'dark' });
    t.deepEqual(await accessibilityProblems(page), []);
    t.is(await page.evaluate('document.documentElement.scrollWidth'), 390);
    // A column that is too narrow breaks its words.
    const narrow = `[...document.querySelectorAll('.servers small')].filter(({ clientWidth }) => clientWidth < 150).length`;
    t.is(await page.evaluate(narrow), 0);
    t.deepEqual(problems, []);
  });
}
