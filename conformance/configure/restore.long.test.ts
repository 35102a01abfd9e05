/** Twenty runs, each killed at another moment, and each put right. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { admin, referenceServer } from '../testing/reference.js';
import { restoreFrom } from './restore.js';
import { journalsOf, killedRun } from './testing/killing.js';
import { plain, stateOf } from './testing/target-state.js';

test('twenty times kill -9 and restore', async (t) => {
  const server = await referenceServer(t, { config: plain });
  const state = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(state, { recursive: true }));
  const before = await stateOf(server.url);
  let killed = 0;
  for (let round = 0; round < 20; round += 1) {
    const lines = 1 + Math.floor(Math.random() * 60);
    if (await killedRun(server.url, state, lines)) killed += 1;
    for (const file of await journalsOf(state)) t.deepEqual((await restoreFrom(file, admin)).left, []);
    t.deepEqual(await stateOf(server.url), before, `killed after ${lines} lines of the journal`);
  }
  t.true(killed >= 10, `${killed} of 20 runs were still going on`);
});
