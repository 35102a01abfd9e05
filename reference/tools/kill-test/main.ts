/** `npm run kill-test`: kills the built server again and again under load, and then lets it live on. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { positive, runTool, seed } from '../command-line.js';
import { killRounds } from './kill.js';
import { longLife } from './long-life.js';

const program = new Command('kill-test')
  .description(
    'kill the built reference server under load, and verify that no acknowledged data and no row of a feed is lost. ' +
      'Then let it live on, and look for leaks.',
  )
  .option('--rounds <n>', 'number of kills', positive, 200)
  .option('--minutes <n>', 'how long the server then lives on', positive, 0)
  .option('--seed <n>', 'seed of the requests and kills', seed, Date.now() % 1_000_000)
  .action(run);

await runTool(program);

async function run(options: { rounds: number; minutes: number; seed: number }): Promise<void> {
  const { rounds, minutes, seed } = options;
  const log = (message: string): boolean => process.stderr.write(`${message}\n`);
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-kill-'));
  log(`${rounds} rounds, seed ${seed}, data in ${folder}`);
  const start = performance.now();
  const summary = await killRounds({ folder, rounds, seed });
  const leaks = minutes > 0 ? await longLife({ folder, seed, seconds: minutes * 60, log }) : [];
  const seconds = Math.round((performance.now() - start) / 1000);
  process.stdout.write(`${JSON.stringify({ rounds, minutes, seed, ...summary, leaks, seconds })}\n`);
  // After a failure, the folder is kept for inspection.
  await rm(folder, { recursive: true });
  if (leaks.length > 0) process.exitCode = 1;
}
