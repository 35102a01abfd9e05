/** `npm run fuzz`: sends malformed requests to the built reference server. */
import { Command, InvalidArgumentError } from 'commander';
import { fuzz } from './fuzz.js';

const integer = (text: string) => {
  if (/^-?\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be an integer.');
};

const options = new Command('fuzz')
  .description('send malformed requests to the reference server')
  .option('--requests <number>', 'number of requests', integer, 20_000)
  .option('--seed <number>', 'seed of the requests', integer, Math.floor(Math.random() * 2 ** 31))
  .option('--path <path>', 'replay only the failing batch with this path')
  .parse()
  .opts<{ requests: number; seed: number; path?: string }>();
const problem = await fuzz({ ...options, log: (message) => console.log(message) });
if (problem !== undefined) console.error(problem);
// A run that fast-check interrupted may still be active, with its own server.
process.exit(problem === undefined ? 0 : 1);
