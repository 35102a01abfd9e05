/** `npm run fuzz`: sends malformed requests to the built reference server. */
import { Command } from 'commander';
import { positive, runTool, seed } from '../command-line.js';
import { fuzz } from './fuzz.js';

const program = new Command('fuzz')
  .description('send malformed requests to the reference server')
  .option('--requests <number>', 'number of requests', positive, 20_000)
  .option('--seed <number>', 'seed of the requests', seed, Math.floor(Math.random() * 2 ** 31))
  .option('--path <path>', 'replay only the failing batch with this path')
  .action(async (options: { requests: number; seed: number; path?: string }) => {
    const problem = await fuzz({ ...options, log: (message) => console.log(message) });
    if (problem !== undefined) console.error(problem);
    // A run that fast-check interrupted may still be active, with its own server.
    process.exit(problem === undefined ? 0 : 1);
  });

await runTool(program);
