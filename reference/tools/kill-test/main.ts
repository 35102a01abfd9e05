/** `npm run kill-test -- [ROUNDS] [SEED]`: kills the built server repeatedly (default: 200 times). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killRounds } from './kill.js';

const [rounds = 200, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const directory = await mkdtemp(join(tmpdir(), 'docfeed-kill-'));
const start = performance.now();
console.error(`${rounds} rounds, seed ${seed}, data in ${directory}`);
const summary = await killRounds({ program: ['dist/bin/docfeed.js'], directory, rounds, seed });
const seconds = Math.round((performance.now() - start) / 1000);
console.log(JSON.stringify({ rounds, seed, ...summary, seconds }));
// After a failure, the directory is kept for inspection.
await rm(directory, { recursive: true });
