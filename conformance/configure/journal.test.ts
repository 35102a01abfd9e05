import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';

import { isAbandoned, Journal, journalHeader } from './journal.js';

test('a journal is abandoned after its run has ended, but not while the run continues', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-journal-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const journal = new Journal(folder, journalHeader('run', [new URL('http://127.0.0.1:5984')]));
  journal.add({ kind: 'database', name: 'docfeed-a' });
  t.false(isAbandoned(journal.file));
  journal.close();
  t.true(isAbandoned(journal.file), 'with a task that is not done');
});
