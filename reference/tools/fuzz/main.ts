/**
 * `npm run fuzz`: sends malformed requests to a reference server. It may reject them, but must not fail, and must not leak
 * memory or sockets.
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

/** Number of concurrent requests. */
const batchSize = 20;
/** Number of batches between health checks. */
const batchesBetweenChecks = 5;
/** Number of batches before the first measurement of resource usage. */
const warmUpBatches = 100;
/** Allowed growth of the heap, for compiled code and caches. */
const heapTolerance = 8 * 1024 * 1024;
/** Allowed growth of the process, because Node keeps freed memory. */
const residentTolerance = 32 * 1024 * 1024;

/** Time limit including shrinking. */
const timeLimitMs = 110_000;

const integer = (text: string) => {
  if (/^-?\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be an integer.');
};

const command = new Command('fuzz')
  .description('send malformed requests to the reference server')
  .option('--requests <number>', 'number of requests', integer, 20_000)
  .option('--seed <number>', 'seed of the requests', integer, Math.floor(Math.random() * 2 ** 31))
  .option('--path <path>', 'replay only the failing batch with this path')
  .parse();
const hasPassed = await fuzz(command.opts<Options>());
// A run that fast-check interrupted may still be active, with its own server.
process.exit(hasPassed ? 0 : 1);

async function fuzz({ requests: total, seed, path }: Options): Promise<boolean> {
  const startedAt = Date.now();
  const counts = new Map<number, number>();
  let target = await FuzzedServer.start();
  let batches = 0;
  let before: ResourceUsage | undefined;

  const sendBatch = async (batch: readonly RawRequest[]) => {
    const responses = await Promise.all(batch.map((request) => sendAndValidate(target, request)));
    for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1);
    if (target.reports.length > 0) throw new Failure(target.reports.splice(0).join('\n'));
    batches++;
    if (batches === warmUpBatches) {
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
      if (!target.isRunning) throw new Failure('the server exited after a batch');
      await sendBatch(batch);
    } catch (error) {
      // Shrinking needs a new server for each attempt.
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
  const problem = await checkResources(target, before);
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

async function checkResources(
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
  if (after.heap - before.heap > heapTolerance) return 'the heap has grown too much';
  if (after.resident - before.resident > residentTolerance) return 'the process has grown too much';
  return after.sockets > before.sockets + batchSize ? 'sockets were left open' : undefined;
}

async function sendAndValidate(target: FuzzedServer, request: RawRequest): Promise<RawResponse> {
  try {
    const response = await send(target.port, request);
    const problem = findProblem(request, response);
    if (problem !== undefined) throw new Error(problem);
    return response;
  } catch (error) {
    const crash = target.isRunning ? '' : 'the server exited; ';
    throw new Failure(`${crash}${(error as Error).message}\n${formatRequest(request.bytes)}`, {
      cause: error,
    });
  }
}

/** Formats a request for a shell: `printf '...' | nc 127.0.0.1 PORT`. */
function formatRequest(bytes: Buffer): string {
  const text = bytes.subarray(0, 4000).toString('latin1');
  const printable = text.replace(/[^\x20-\x7e]|[\\'%]/g, (character) => {
    if (character === '\r') return '\\r';
    if (character === '\n') return '\\n';
    return character === '%' ? '%%' : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `printf '${printable}'${bytes.length > 4000 ? ' # truncated' : ''}`;
}
