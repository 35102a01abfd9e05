/** More kills than `npm test` has; `npm run kill-test` has 200. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { killRounds } from './kill.js';

test('what has been acknowledged outlasts 20 kills', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const program = ['--import=tsx', 'bin/docfeed.ts'];
  const { acknowledged, unanswered } = await killRounds({ program, directory, rounds: 20, seed: 2 });
  t.true(acknowledged > 0 && unanswered > 0);
});
