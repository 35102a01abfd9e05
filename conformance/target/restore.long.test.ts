/** Kills twenty runs, each later than the one before, and restores the target after each. */
import test from 'ava';
import { emptyFolder } from '../../reports/testing/folder.js';
import { admin, referenceServer } from '../testing/reference.js';
import { restoreFrom } from './restore.js';
import { journalsOf, killRun } from './testing/killing.js';
import { plain, stateOf } from './testing/target-state.js';

test('restore after kill -9 at twenty moments', async (t) => {
  const server = await referenceServer(t, { config: plain });
  const state = await emptyFolder(t);
  const before = await stateOf(server.url);
  let killed = 0;
  for (let lines = 1; lines <= 58; lines += 3) {
    if (await killRun(server.url, state, lines)) killed += 1;
    for (const file of await journalsOf(state)) t.deepEqual((await restoreFrom(file, admin)).left, []);
    t.deepEqual(await journalsOf(state), []);
    t.deepEqual(await stateOf(server.url), before, `killed when the journal has ${lines} lines`);
  }
  t.true(killed >= 10, `${killed} of 20 runs were killed before they ended`);
});
