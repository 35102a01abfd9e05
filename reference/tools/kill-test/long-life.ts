/** Lets a server live on while clients create, use and delete databases again and again, and looks for leaks. */
import { describeUsage, findLeaks } from '../leaks.js';
import type { Client } from '../client.js';
import { range } from '../measure.js';
import { withServerProcess, type ServerProcess } from '../server-process.js';
import { emptySummary, withTwin, Workload, type KillOptions } from './kill.js';

export interface LongLifeOptions extends Omit<KillOptions, 'rounds'> {
  readonly seconds: number;
  readonly log: (message: string) => void;
}

/** The same work is done this many times as often as in the warm-up before. */
const repetitions = 2;
/** With 500 rows for each, these fill 32 MiB. */
const cachedSelectors = 240;

/** @returns what the server keeps. @throws as `killRounds` does */
export function longLife({ folder, program, args = [], ...options }: LongLifeOptions): Promise<string[]> {
  const server = { program, args: ['--data', folder, ...args], measured: true };
  return withTwin((twin) => withServerProcess(server, (process) => liveWith(process, twin, options)));
}

async function liveWith(
  server: ServerProcess,
  twin: Client,
  { seconds, log, seed: firstSeed }: Pick<LongLifeOptions, 'seconds' | 'log' | 'seed'>,
): Promise<string[]> {
  const { client } = server;
  const summary = emptySummary();
  let seed = firstSeed;
  const work = async (): Promise<void> => {
    // Session cookies expire after ten minutes.
    await client.logIn(server.admin);
    const workload = new Workload(summary, twin);
    await workload.create(server);
    await workload.runToEnd(server, seed++);
    for (const each of [client, twin]) await each.deleteDatabases();
  };
  await client.logIn(server.admin);
  await client.deleteDatabases();
  await fillRowCache(client);
  // Code is compiled when it is first used.
  await work();
  let times = 0;
  const end = performance.now() + (seconds * 1000) / (1 + repetitions);
  for (; performance.now() < end; times++) await work();
  const measure = async () => {
    const usage = await server.measure();
    log(`after ${summary.acknowledged} writes: ${describeUsage(usage)}`);
    return usage;
  };
  const before = await measure();
  const warmUp = summary.acknowledged;
  for (let time = 0; time < repetitions * times; time++) await work();
  return findLeaks(before, measure, summary.acknowledged - warmUp);
}

/**
 * Fills the memory that the server uses for rows of feeds, so that it grows no further: rows of a deleted database stay
 * there until others need the place.
 */
async function fillRowCache(client: Client): Promise<void> {
  await client.expect(201, 'PUT', '/rows');
  const docs = range(0, 500).map((number) => ({ _id: `document-${number}`, number }));
  await client.expect(201, 'POST', '/rows/_bulk_docs', { docs });
  // Each selector has rows of its own. A limit keeps the server from storing the text of the response with them.
  for (let least = 0; least > -cachedSelectors; least--)
    await client.expect(200, 'POST', '/rows/_changes?filter=_selector&limit=499', {
      selector: { number: { $gte: least } },
    });
  await client.deleteDatabases();
}
