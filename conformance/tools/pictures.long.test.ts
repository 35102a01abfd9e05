import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { requireBrowser } from '../../reports/testing/browser.js';
import { imagesFolder, makePictures } from './pictures.js';

test.before(requireBrowser);

test('the pictures show what docfeed prints today: npm run pictures', async (t) => {
  const text = await makePictures(() => Promise.resolve());
  t.is(text, await readFile(join(imagesFolder, 'pictures.txt'), 'utf8'));
});
