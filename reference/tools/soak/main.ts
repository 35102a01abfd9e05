/** `npm run soak -- --minutes N`: runs the built server under load, with kills, and reports what it loses. */
import { Command, InvalidArgumentError } from 'commander';
import { runTool } from '../command-line.js';
import { soak } from './soak.js';

const program = new Command('soak')
  .description('run the built reference server under load, with kills and restarts')
  .option('--minutes <n>', 'duration', positive, 2)
  .option('--kills <n>', 'number of kills in the first half', positive, 3)
  .action(async ({ minutes, kills }: { minutes: number; kills: number }) => {
    const log = (message: string): boolean => process.stderr.write(`${message}\n`);
    const { problems, ...summary } = await soak({ seconds: minutes * 60, kills, log });
    process.stdout.write(`${JSON.stringify({ minutes, ...summary, problems: problems.length })}\n`);
    for (const problem of problems.slice(0, 20)) log(problem);
    if (problems.length > 0) process.exitCode = 1;
  });

await runTool(program);

function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be a positive number.');
}
