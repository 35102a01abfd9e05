import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { readLastResults } from './last-results.js';
import type { CheckResult } from './report.js';
import { emptyFolder } from './testing/folder.js';
import { complete, reportOf, result } from './testing/sample.js';

test('the latest result that decides counts, of full and of partial runs', async (t) => {
  const dir = await emptyFolder(t);
  const save = async (part: string, startedAt: string, checks: CheckResult[]): Promise<void> => {
    const suite = { ...complete.suite, stopped: undefined, startedAt };
    await mkdir(join(dir, part), { recursive: true });
    await writeFile(join(dir, part, 'report.json'), JSON.stringify(reportOf(checks, { suite })));
  };
  t.is(await readLastResults(dir), undefined);
  await save(
    '.',
    '2026-01-01T00:00:00.000Z',
    ['a-a', 'b-b', 'c-c'].map((id) => result(id, 'fail')),
  );
  await save('last-failed', '2026-01-02T00:00:00.000Z', [result('a-a', 'pass'), result('b-b', 'fail')]);
  await save('selection', '2026-01-03T00:00:00.000Z', [result('b-b', 'pass'), result('c-c', 'blocked')]);
  await save('replay', '2026-01-04T00:00:00.000Z', [result('c-c', 'pass')]);
  await save('smaller', '2026-01-05T00:00:00.000Z', [result('c-c', 'pass'), result('d-d', 'fail')]);
  const last = await readLastResults(dir);
  t.deepEqual(
    [...last!].map(([id, { result, folder }]) => [id, result.outcome, folder]),
    [
      ['a-a', 'pass', join(dir, 'last-failed')],
      ['b-b', 'pass', join(dir, 'selection')],
      ['c-c', 'fail', dir],
      ['d-d', 'fail', join(dir, 'smaller')],
    ],
  );
});
