import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { emptyFolder } from '../../reports/testing/folder.js';
import { Journal, journalHeader, journalsOfKilledRuns } from './journal.js';

const url = new URL('http://127.0.0.1:5984');

test('a journal is that of a killed run after the run has ended, but not while it continues', async (t) => {
  const folder = await emptyFolder(t);
  const journal = new Journal(folder, journalHeader('run', [url]));
  journal.add({ kind: 'database', name: 'docfeed-a' });
  t.deepEqual(await journalsOfKilledRuns(folder, [url]), []);
  journal.close();
  t.like((await journalsOfKilledRuns(folder, [url]))[0], { file: journal.file, header: { run: 'run' } });
});

test('killed runs of other targets, those without a task and damaged journals do not count', async (t) => {
  const folder = await emptyFolder(t);
  const leave = (run: string, urls: readonly URL[], startedAt: string): void => {
    const journal = new Journal(folder, { ...journalHeader(run, urls), startedAt });
    journal.add({ kind: 'database', name: 'docfeed-a' });
    journal.close();
  };
  leave('other', [new URL('http://127.0.0.1:5985')], '2026-01-01T00:00:00Z');
  leave('older', [url], '2026-01-01T00:00:00Z');
  leave('newer', [new URL('http://127.0.0.1:5985'), url], '2026-01-02T00:00:00Z');
  const empty = journalHeader('empty', [url]);
  await writeFile(join(folder, 'empty.journal.jsonl'), `${JSON.stringify(empty)}\n`);
  await writeFile(join(folder, 'damaged.journal.jsonl'), 'x\n');
  const found = await journalsOfKilledRuns(folder, [url]);
  t.deepEqual(
    found.map(({ header }) => header.run),
    ['newer', 'older'],
  );
});
