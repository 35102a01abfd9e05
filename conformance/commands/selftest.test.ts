import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { docfeedVersion } from '../../reports/origin.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { selftestCommand } from './selftest.js';
import { expectError } from './testing/expect-error.js';

const ofAnotherCommit = {
  format: 'docfeed-selftest/1',
  version: docfeedVersion,
  environment: { commit: '0123456789ab' },
};

const invalid: Readonly<
  Record<string, readonly [args: readonly string[], message: RegExp, previousReport?: object]>
> = {
  'a glob that matches no fault': [
    ['--only', 'feed-pendin'],
    /^--only feed-pendin .*did you mean feed-pending/,
  ],
  'zero concurrent trials': [['--jobs', '0'], /--jobs <n>.* whole number from 1 to 1000/],
  'zero cases': [['--cases', '0'], /--cases <n>.* whole number from 1 to 1000000/],
  'a seed that is not a number': [['--seed', 'x'], /--seed <n>.* whole number from 0 to 2000000000/],
  'a previous report of another format': [['--resume'], /selftest\.json is not a report of the self-test/],
  'a previous report of another commit': [
    ['--resume'],
    /selftest\.json: it is from docfeed .* \(commit 0123456789ab\), and this is docfeed .*Omit --resume/,
    ofAnotherCommit,
  ],
  'an argument': [['http://127.0.0.1:5984'], /too many arguments/],
};

for (const [title, [args, message, previous = {}]] of Object.entries(invalid)) {
  test(`${title} exits with 2`, async (t) => {
    const folder = await emptyFolder(t);
    await writeFile(join(folder, 'selftest.json'), JSON.stringify(previous));
    await expectError(t, selftestCommand(), ['--report-dir', folder, ...args], 2, message);
  });
}
