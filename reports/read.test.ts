import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { readReport } from './read.js';
import type { CheckResult, Report } from './report.js';
import { emptyFolder } from './testing/folder.js';
import { hostile, sample } from './testing/sample.js';
import { writeReport } from './write.js';

test('what was written is read again', async (t) => {
  const folder = await emptyFolder(t);
  await writeReport(sample, folder);
  const read = await readReport(join(folder, 'report.json'));
  // Which checks have a script is found out when the report is written.
  const plain = (check: CheckResult) => ({ ...check, script: undefined, noScript: undefined });
  t.deepEqual(
    { ...read, checks: read.checks.map(plain) },
    { ...(JSON.parse(JSON.stringify(sample)) as Report), checks: sample.checks.map(plain) },
  );
});

const [first] = sample.checks;
const wrong: Record<string, [text: string, complaint: RegExp]> = {
  'no JSON': ['{"format":', /: is not JSON$/],
  'an empty file': ['', /: is not JSON$/],
  'other JSON': ['null', /: is no docfeed report$/],
  'another format': [
    JSON.stringify({ format: 'docfeed-report/9' }),
    /: is of format "docfeed-report\/9", not docfeed-report\/1$/,
  ],
  'a missing field': [
    JSON.stringify({ ...sample, suite: undefined }),
    /: \$ must have required property 'suite'$/,
  ],
  'an unknown field': [
    JSON.stringify({ ...sample, [hostile]: 1 }),
    /: \$ must NOT have additional properties: "<\/pre>/,
  ],
  'a wrong value': [
    JSON.stringify({ ...sample, checks: [{ ...first, outcome: 'passed' }] }),
    /: \$\.checks\[0\]\.outcome must be equal to one of the allowed values: \["pass",/,
  ],
  'one check twice': [
    JSON.stringify({ ...sample, checks: [first, first] }),
    /: has two results of check root-greeting$/,
  ],
  'a summary that hides a failure': [
    JSON.stringify({ ...sample, summary: { ...sample.summary, fail: 0 } }),
    /: its summary says 0 fail, its checks 1$/,
  ],
};

for (const [what, [text, complaint]] of Object.entries(wrong)) {
  test(`refuses ${what} in one line that names the file`, async (t) => {
    const file = join(await emptyFolder(t), 'some.json');
    await writeFile(file, text);
    const error = await t.throwsAsync(readReport(file), { code: 'docfeed.file' });
    t.like(error, { exitCode: 2 });
    t.true(error.message.startsWith(file));
    t.regex(error.message, complaint);
    t.notRegex(error.message, /\n/);
  });
}

test('refuses a file that is not there', async (t) => {
  const file = join(await emptyFolder(t), 'none.json');
  await t.throwsAsync(readReport(file), {
    code: 'docfeed.file',
    message: `${file}: cannot be read (ENOENT)`,
  });
});
