import { mkdtemp, rm } from 'node:fs/promises';
import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';

import { isAbandoned, Journal, journalHeader } from './journal.js';

test('a journal is abandoned after its run has ended, but not while the run starts or continues', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-journal-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const starting = join(folder, 'starting.journal.jsonl');
  closeSync(openSync(starting, 'wx'));
  t.false(isAbandoned(starting), 'a run creates its journal before it locks it');

  const journal = new Journal(folder, journalHeader('run', [new URL('http://127.0.0.1:5984')]));
  journal.add({ kind: 'database', name: 'docfeed-a' });
  t.false(isAbandoned(journal.file));
  journal.close();
  t.true(isAbandoned(journal.file), 'with a task that is not done');
});
