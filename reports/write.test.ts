import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { emptyFolder } from './testing/folder.js';
import { reportOf, sample } from './testing/sample.js';
import { writeReport } from './write.js';

const files = ['junit.xml', 'report.html', 'report.json', 'summary.md'];

test('writes the report and its renderings, into a folder that it makes', async (t) => {
  const folder = join(await emptyFolder(t), 'a', 'b');
  await writeReport(sample, folder);
  t.deepEqual((await readdir(folder)).sort(), files);
});

test('takes the place of an earlier report and leaves nothing else behind', async (t) => {
  const folder = await emptyFolder(t);
  await writeReport(sample, folder);
  const later = reportOf([]);
  await writeReport(later, folder);
  t.deepEqual((await readdir(folder)).sort(), files);
  t.deepEqual(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')), later);
});

test('says in one line what the file system refuses, and leaves no half-written file', async (t) => {
  const folder = await emptyFolder(t);
  await mkdir(join(folder, 'report.html', 'in the way'), { recursive: true });
  const error = await t.throwsAsync(writeReport(sample, folder), { code: 'docfeed.file' });
  t.like(error, { exitCode: 2 });
  t.regex(error.message, /^cannot write .*report\.html \(\w+\)$/);
  t.deepEqual((await readdir(folder)).sort(), ['report.html', 'report.json']);

  const file = join(folder, 'file');
  await writeFile(file, '');
  await t.throwsAsync(writeReport(sample, file), { message: /^cannot write .*file \(EEXIST\)$/ });
});
