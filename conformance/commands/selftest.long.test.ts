import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { execaNode } from 'execa';
import type { SelftestReport } from '../../reports/selftest.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { program } from '../../reports/testing/program.js';

const selftest = (...args: string[]) => execaNode(program, ['selftest', ...args], { reject: false });

test('writes a report and a page, and --resume keeps finished trials', async (t) => {
  const dir = await emptyFolder(t);
  const report = async () => JSON.parse(await readFile(join(dir, 'selftest.json'), 'utf8')) as SelftestReport;
  const args = ['--report-dir', dir, '--only', 'root-*', '--variations', '1'];
  const first = await selftest(...args);
  t.is(first.exitCode, 0, first.stdout + first.stderr);
  const before = await report();
  t.true(before.faults.length > 2);
  t.true(before.faults.every(({ outcome }) => outcome === 'killed'));
  t.is(before.variations.length, 1);
  const again = await selftest(...args, '--resume');
  t.is(again.exitCode, 0, again.stdout + again.stderr);
  const after = await report();
  t.deepEqual(after.faults, before.faults);
  t.deepEqual(after.variations, before.variations);
  t.regex(await readFile(join(dir, 'selftest.html'), 'utf8'), /<title>docfeed: self-test/);
});

test('the thorough profile runs all checks against each fault, also after --resume', async (t) => {
  const dir = await emptyFolder(t);
  const args = ['--report-dir', dir, '--only', 'root-uuid-not-hexadecimal', '--variations', '0'];
  const others = async () => {
    const text = await readFile(join(dir, 'selftest.json'), 'utf8');
    return (JSON.parse(text) as SelftestReport).faults.map((fault) => fault.others);
  };
  await selftest(...args);
  t.deepEqual(await others(), [undefined]);
  t.is((await selftest(...args, '--profile', 'thorough', '--resume')).exitCode, 0);
  t.deepEqual(await others(), [['response-schema/getRoot']]);
});

test('an invalid option exits with 2', async (t) => {
  t.is((await selftest('--seeds', 'many')).exitCode, 2);
});
