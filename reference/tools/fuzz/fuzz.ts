/**
 * Sends malformed requests to a reference server. It may reject them, but must not fail, and must not leak memory or
 * sockets.
 */
import fc from 'fast-check';
import { describeUsage, findLeaks } from '../leaks.js';
import type { ResourceUsage, ServerProcess, ServerProcessOptions } from '../server-process.js';
import { send, type RawRequest, type RawResponse } from './raw-http.js';
import { findDifference } from './described-response.js';
import { findProblem } from './validate-response.js';
import { requests } from './requests.js';
import { checkHealth, fill, startFuzzed } from './fuzzed-server.js';

export interface FuzzOptions extends Pick<ServerProcessOptions, 'program' | 'args'> {
  readonly requests: number;
  readonly seed: number;
  /** Replays only the failing batch with this path, without the search for leaks. */
  readonly path?: string;
  readonly log: (message: string) => void;
}

/** Number of concurrent requests. */
const batchSize = 20;
/** Number of batches between health checks. */
const batchesBetweenChecks = 5;
/** The least number of batches that shows a leak. The first quarter is a warm-up. */
const minBatches = 200;
/** Time limit including shrinking. */
const timeLimitMs = 110_000;

/** @returns the first problem; undefined if there is none */
export async function fuzz({
  requests: total,
  seed,
  path,
  log,
  ...server
}: FuzzOptions): Promise<string | undefined> {
  const startedAt = performance.now();
  const counts = new Map<number, number>();
  const expectedBatches = Math.ceil(total / batchSize);
  const warmUpBatches = Math.floor(expectedBatches / 4);
  const reports: string[] = [];
  const start = () => startFuzzed(server, (line) => reports.push(line));
  let target = await start();
  let batches = 0;
  let before: ResourceUsage | undefined;

  /** Measures the server without the data that it stores. */
  const measure = async (): Promise<ResourceUsage> => {
    await target.client.deleteDatabases();
    const usage = await target.measure();
    log(`after ${batches * batchSize} requests: ${describeUsage(usage)}`);
    return usage;
  };

  const sendBatch = async (batch: readonly RawRequest[]) => {
    const responses = await Promise.all(batch.map((request) => sendAndValidate(target, request)));
    for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1);
    if (reports.length > 0) throw new Error(reports.splice(0).join('\n'));
    batches++;
    if (batches === warmUpBatches) before = await measure();
    if (batches % batchesBetweenChecks === 0) {
      await checkHealth(target.client);
      await fill(target.client);
    }
  };

  const run = async (batch: readonly RawRequest[]) => {
    try {
      if (!target.isRunning()) throw new Error('the server exited after a batch');
      await sendBatch(batch);
    } catch (error) {
      // Shrinking needs a new server for each attempt.
      await target.stop();
      target = await start();
      reports.length = 0;
      throw error;
    }
  };

  /** @returns a sentence for each leak, or one that says that it is too early to find any */
  const searchLeaks = async (): Promise<readonly string[]> => {
    if (path !== undefined) return [];
    if (!before || batches < minBatches)
      return [`only ${batches * batchSize} requests were sent; a leak shows after ${minBatches * batchSize}`];
    await checkHealth(target.client);
    return findLeaks(before, measure, (batches - warmUpBatches) * batchSize);
  };

  try {
    const property = fc.asyncProperty(
      fc.array(requests, { minLength: batchSize, maxLength: batchSize }),
      run,
    );
    const details = await fc.check(property, {
      seed,
      ...(path !== undefined && { path }),
      numRuns: expectedBatches,
      ...(path === undefined && { interruptAfterTimeLimit: timeLimitMs }),
    });
    if (details.failed) {
      const { errorInstance, counterexamplePath } = details;
      const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
      return `${message}\nreplay: npm run fuzz -- --seed ${seed} --path ${counterexamplePath}`;
    }
    const leaks = await searchLeaks();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const statuses = [...counts]
      .sort(([one], [other]) => one - other)
      .map(([status, count]) => `${status}: ${count}`);
    log(`seed ${seed}: ${batches * batchSize} requests in ${seconds} s; statuses ${statuses.join(', ')}`);
    if (leaks.length === 0) return undefined;
    return [...leaks, `replay: npm run fuzz -- --seed ${seed} --requests ${total}`].join('\n');
  } finally {
    await target.stop();
  }
}

async function sendAndValidate(server: ServerProcess, request: RawRequest): Promise<RawResponse> {
  try {
    const response = await send(Number(new URL(server.url).port), request);
    const problem = findProblem(request, response) ?? findDifference(request, response);
    if (problem !== undefined) throw new Error(problem);
    return response;
  } catch (error) {
    const crash = server.isRunning() ? '' : 'the server exited; ';
    throw new Error(`${crash}${(error as Error).message}\n${formatRequest(request.bytes)}`, { cause: error });
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
