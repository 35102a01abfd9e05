/** A short kill test. `npm run kill-test` runs 200 rounds. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { killRounds } from './kill.js';

test('20 kills lose no acknowledged data', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const program = ['--import=tsx', 'bin/docfeed.ts'];
  const { acknowledged, rejected, unanswered } = await killRounds({
    program,
    directory,
    rounds: 20,
    seed: 2,
  });
  t.true(acknowledged > 0 && rejected > 0 && unanswered > 0);
});
