import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { emptyFolder } from '../testing/folder.js';
import type { ConsumerResult } from './consumer-results.js';
import { kinds, readFindings } from './findings.js';
import { readServers } from './results.js';

test('each finding names a rule and a check of it that published runs have', async (t) => {
  const scenarios = JSON.parse(await readFile('reports/results/consumers.json', 'utf8')) as ConsumerResult[];
  const checks = [
    ...(await readServers()).flatMap(({ report }) => report.checks),
    ...scenarios.flatMap((consumer) => consumer.checks),
  ];
  const findings = await readFindings();
  t.true(findings.length > 0);
  for (const { id, rule, check, body } of findings) {
    t.true(
      checks.some((one) => one.id === check && one.rule === rule),
      `${id}: ${check} is no check of ${rule}`,
    );
    t.regex(body, /^```sh\n[^]*?curl [^]*?\n```$/m, id);
    t.regex(body, /^```sh\ndocfeed (check|consumer) /m, id);
  }
});

test('what costs a user most comes first', async (t) => {
  const order = (await readFindings()).map(({ kind }) => kinds.indexOf(kind));
  t.deepEqual(order, order.toSorted());
});

test('a finding with wrong front matter or other headings is refused', async (t) => {
  const folder = await emptyFolder(t);
  const front = 'title: A\nproduct: B\nversion: 1.0.0\nrule: c\ncheck: c\nkind: lost change\n';
  const write = (text: string): Promise<void> => writeFile(join(folder, 'one.md'), text);
  await write(`---\n${front}state: told\n---\n`);
  await t.throwsAsync(readFindings(folder), { message: /^one\.md: \/state must match pattern/ });
  await write(`---\n${front}state: not reported\n---\n\n## What\n`);
  await t.throwsAsync(readFindings(folder), {
    message: /^one\.md: the headings are What, expected What a user loses, /,
  });
});
