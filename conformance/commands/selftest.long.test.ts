import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { execaNode } from 'execa';
import type { SelftestReport } from '../../reports/selftest.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { program } from '../../reports/testing/program.js';

test('writes a report and a page, --resume keeps finished trials, and --profile thorough runs all checks', async (t) => {
  const dir = await emptyFolder(t);
  /** @returns the report */
  const selftest = async (...args: string[]): Promise<SelftestReport> => {
    const only = ['--only', 'root-uuid-not-hexadecimal'];
    const options = ['selftest', '--report-dir', dir, ...only, ...args];
    const { exitCode, all } = await execaNode(program, options, { reject: false, all: true });
    t.is(exitCode, 0, all);
    return JSON.parse(await readFile(join(dir, 'selftest.json'), 'utf8')) as SelftestReport;
  };
  const first = await selftest('--variations', '1', '--profile', 'smoke');
  t.like(first.faults, [{ outcome: 'killed', others: undefined }]);
  t.is(first.variations.length, 1);
  t.regex(await readFile(join(dir, 'selftest.html'), 'utf8'), /<title>docfeed: self-test/);

  const again = await selftest('--variations', '1', '--profile', 'smoke', '--resume');
  t.deepEqual([again.faults, again.variations], [first.faults, first.variations]);

  const thorough = await selftest('--variations', '0', '--profile', 'thorough', '--resume');
  t.like(thorough.faults, [{ outcome: 'killed', others: ['response-schema/getRoot'] }]);
});
