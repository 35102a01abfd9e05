/** Kills twenty runs at random moments and restores the target after each. */
import test from 'ava';
import { emptyFolder } from '../../reports/testing/folder.js';
import { admin, referenceServer } from '../testing/reference.js';
import { restoreFrom } from './restore.js';
import { journalsOf, killRun } from './testing/killing.js';
import { plain, stateOf } from './testing/target-state.js';

test('restore after kill -9 at twenty random moments', async (t) => {
  const server = await referenceServer(t, { config: plain });
  const state = await emptyFolder(t);
  const before = await stateOf(server.url);
  let killed = 0;
  for (let round = 0; round < 20; round += 1) {
    const lines = 1 + Math.floor(Math.random() * 60);
    if (await killRun(server.url, state, lines)) killed += 1;
    for (const file of await journalsOf(state)) t.deepEqual((await restoreFrom(file, admin)).left, []);
    t.deepEqual(await stateOf(server.url), before, `killed when the journal has ${lines} lines`);
  }
  t.true(killed >= 10, `${killed} of 20 runs were killed before they ended`);
});
