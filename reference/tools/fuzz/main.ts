/**
 * `npm run fuzz`: malformed requests to a reference server in a process of its own, a few at a time. They may be
 * refused in any way that is lawful, but the server must not fail, and must be as it was before when they are over.
 */
import { Command, InvalidArgumentError } from 'commander';
import fc from 'fast-check';
import { send, type RawRequest, type RawResponse } from './raw-http.js';
import { findProblem } from './validate-response.js';
import { requests } from './requests.js';
import type { ResourceUsage } from './server.js';
import { Failure, FuzzedServer } from './server-process.js';

interface Options {
  readonly requests: number;
  readonly seed: number;
  readonly path?: string;
}

/** Requests that are under way at once. */
const batchSize = 20;
/** So weighted the server is asked whether it is well, and filled anew. */
const batchesBetweenChecks = 5;
/** Batches until everything that is made once has been made. */
const warmUp = 100;
/** What may stay for good: code that was compiled late, caches within their bounds. Measured: at most 2.2 MiB. */
const heapTolerance = 8 * 1024 * 1024;
/** Memory that node keeps for later. Measured: at most 8 MiB. */
const residentTolerance = 32 * 1024 * 1024;

/** For sending, and for finding a smaller form of a failure. */
const timeLimitMs = 110_000;

const integer = (text: string) => {
  if (/^-?\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
};

const command = new Command('fuzz')
  .description('send malformed requests to the reference server')
  .option('--requests <number>', 'how many', integer, 20_000)
  .option(
    '--seed <number>',
    'the same seed sends the same requests',
    integer,
    Math.floor(Math.random() * 2 ** 31),
  )
  .option('--path <path>', 'of a failure: the batch that failed, and no other')
  .parse();
const isWell = await fuzz(command.opts<Options>());
// What fast-check has interrupted may still be under way, with a server of its own.
process.exit(isWell ? 0 : 1);

async function fuzz({ requests: total, seed, path }: Options): Promise<boolean> {
  const startedAt = Date.now();
  const counts = new Map<number, number>();
  let target = await FuzzedServer.start();
  let batches = 0;
  let before: ResourceUsage | undefined;

  const sendBatch = async (batch: readonly RawRequest[]) => {
    const responses = await Promise.all(batch.map((request) => sendAndJudge(target, request)));
    for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1);
    if (target.reports.length > 0) throw new Failure(target.reports.splice(0).join('\n'));
    batches++;
    if (batches === warmUp) {
      await target.empty();
      before = await target.measure();
    }
    if (batches % batchesBetweenChecks === 0) {
      await target.checkHealth();
      await target.fill();
    }
  };

  const run = async (batch: readonly RawRequest[]) => {
    try {
      if (!target.isRunning) throw new Failure('the server has ended after a batch');
      await sendBatch(batch);
    } catch (error) {
      // Smaller forms of a failure are tried each on a server that is well.
      await target.stop();
      target = await FuzzedServer.start();
      await target.fill();
      throw error;
    }
  };

  await target.fill();
  const property = fc.asyncProperty(fc.array(requests, { minLength: batchSize, maxLength: batchSize }), run);
  const details = await fc.check(property, {
    seed,
    ...(path !== undefined && { path }),
    numRuns: Math.ceil(total / batchSize),
    ...(path === undefined && { interruptAfterTimeLimit: timeLimitMs }),
  });
  if (details.failed) {
    const { errorInstance } = details;
    console.error(errorInstance instanceof Error ? errorInstance.message : errorInstance);
    console.error(`replay: npm run fuzz -- --seed ${details.seed} --path ${details.counterexamplePath}`);
    await target.stop();
    return false;
  }
  const problem = await judgeAfterwards(target, before);
  await target.stop();
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const statuses = [...counts]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`);
  console.log(
    `seed ${seed}: ${batches * batchSize} requests in ${seconds} s; statuses ${statuses.join(', ')}`,
  );
  if (problem !== undefined)
    console.error(`${problem}\nreplay: npm run fuzz -- --seed ${seed} --requests ${total}`);
  return problem === undefined;
}

async function judgeAfterwards(
  target: FuzzedServer,
  before: ResourceUsage | undefined,
): Promise<string | undefined> {
  await target.checkHealth();
  await target.empty();
  const after = await target.measure();
  const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  if (!before) return undefined;
  console.log(
    `heap ${mebibytes(before.heap)} before and ${mebibytes(after.heap)} after, ` +
      `resident ${mebibytes(before.resident)} and ${mebibytes(after.resident)}, ` +
      `sockets ${before.sockets} and ${after.sockets}`,
  );
  if (after.heap - before.heap > heapTolerance) return 'the heap has grown';
  if (after.resident - before.resident > residentTolerance) return 'the process has grown';
  return after.sockets > before.sockets + batchSize ? 'sockets were left open' : undefined;
}

async function sendAndJudge(target: FuzzedServer, request: RawRequest): Promise<RawResponse> {
  try {
    const response = await send(target.port, request);
    const problem = findProblem(request, response);
    if (problem !== undefined) throw new Error(problem);
    return response;
  } catch (error) {
    const crash = target.isRunning ? '' : 'the server has ended; ';
    throw new Failure(`${crash}${(error as Error).message}\n${shown(request.bytes)}`, { cause: error });
  }
}

/** The request as a line that a shell can send again: `printf '...' | nc 127.0.0.1 PORT`. */
function shown(bytes: Buffer): string {
  const text = bytes.subarray(0, 4000).toString('latin1');
  const printable = text.replace(/[^\x20-\x7e]|[\\'%]/g, (character) => {
    if (character === '\r') return '\\r';
    if (character === '\n') return '\\n';
    return character === '%' ? '%%' : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `printf '${printable}'${bytes.length > 4000 ? ' # cut' : ''}`;
}
