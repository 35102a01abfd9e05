import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { emptyFolder } from './testing/folder.js';
import { reportOf, result, sample } from './testing/sample.js';
import type { Report } from './report.js';
import { folderFor, writeReport } from './write.js';

const files = ['junit.xml', 'report.html', 'report.json', 'summary.md'];

test('creates the folder, replaces the previous report and leaves no other files', async (t) => {
  const folder = join(await emptyFolder(t), 'a', 'b');
  await writeReport(sample, folder);
  const later = reportOf([]);
  await writeReport(later, folder);
  t.deepEqual((await readdir(folder)).sort(), files);
  t.is(await readFile(join(folder, 'report.json'), 'utf8'), `${JSON.stringify(later, null, 2)}\n`);
});

test('names a file that cannot be written in one line, and leaves no incomplete file', async (t) => {
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

test('a report of some checks does not replace a report of more', async (t) => {
  const folder = await emptyFolder(t);
  const one = reportOf([result('a', 'pass')]);
  t.is(await folderFor(one, folder, 'replay'), folder);
  await writeReport(sample, folder);
  t.is(await folderFor(one, folder, 'replay'), join(folder, 'replay'));
  t.is(await folderFor(one, folder), folder);
  t.is(await folderFor(sample, folder, 'selection'), folder);
});

test('a report of a smaller profile does not replace one with as many checks', async (t) => {
  const folder = await emptyFolder(t);
  const withProfile = (profile: Report['suite']['profile'], ...ids: string[]) =>
    reportOf(
      ids.map((id) => result(id, 'pass')),
      { suite: { ...sample.suite, profile } },
    );
  await writeReport(withProfile('default', 'a', 'b'), folder);
  t.is(await folderFor(withProfile('smoke', 'a'), folder), join(folder, 'smaller'));
  t.is(await folderFor(withProfile('smoke', 'a', 'b', 'c'), folder), folder);
  t.is(await folderFor(withProfile('default', 'a'), folder), folder);
  t.is(await folderFor(withProfile('thorough', 'a', 'b'), folder), folder);
});
