import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { readReport } from './read.js';
import { emptyFolder } from './testing/folder.js';
import { hostile, sample } from './testing/sample.js';
import { writeReport } from './write.js';

test('reads a report that writeReport wrote', async (t) => {
  const folder = await emptyFolder(t);
  await writeReport(sample, folder);
  const read = await readReport(join(folder, 'report.json'));
  t.deepEqual(read, JSON.parse(JSON.stringify(sample)));
});

const [first] = sample.checks;
const invalid: Record<string, [text: string, message: RegExp]> = {
  'a file that is not JSON': ['{"format":', /: not a JSON file$/],
  'an empty file': ['', /: not a JSON file$/],
  'other JSON': ['null', /: not a docfeed report$/],
  'a report of an earlier version': [
    JSON.stringify({ format: 'docfeed-report/1' }),
    /: an earlier version of docfeed wrote this report \(docfeed-report\/1\); run the check again$/,
  ],
  'a different format': [
    JSON.stringify({ format: 'docfeed-report/9' }),
    /: the format is "docfeed-report\/9", expected "docfeed-report\/2"$/,
  ],
  'a missing field': [
    JSON.stringify({ ...sample, suite: undefined }),
    /: \$ must have the property "suite"$/,
  ],
  'an unknown field': [
    JSON.stringify({ ...sample, [hostile]: 1 }),
    /: \$ must not have the property "<\/pre>/,
  ],
  'a wrong value': [
    JSON.stringify({ ...sample, checks: [{ ...first, outcome: 'passed' }] }),
    /: \$\.checks\[0\]\.outcome must be one of pass, /,
  ],
  'two results of one check': [
    JSON.stringify({ ...sample, checks: [first, first] }),
    /: check root-greeting has two results$/,
  ],
  'a summary that hides a failure': [
    JSON.stringify({ ...sample, summary: { ...sample.summary, fail: 0 } }),
    /: the summary counts 0 fail, the checks have 1$/,
  ],
};

for (const [what, [text, message]] of Object.entries(invalid)) {
  test(`rejects ${what} with one line that names the file`, async (t) => {
    const file = join(await emptyFolder(t), 'some.json');
    await writeFile(file, text);
    const error = await t.throwsAsync(readReport(file), { code: 'docfeed.file' });
    t.like(error, { exitCode: 2 });
    t.true(error.message.startsWith(file));
    t.regex(error.message, message);
    t.notRegex(error.message, /\n/);
  });
}

test('rejects a missing file', async (t) => {
  const file = join(await emptyFolder(t), 'none.json');
  await t.throwsAsync(readReport(file), {
    code: 'docfeed.file',
    message: `${file}: cannot read the file (ENOENT)`,
  });
});
