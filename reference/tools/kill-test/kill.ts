/**
 * Kills a server again and again while several clients write and follow its feed, restarts it with the same data, and
 * compares its state with the acknowledged writes. A write without a response must be stored completely or not at all.
 */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { startServer } from '../../index.js';
import { Client } from '../client.js';
import { range } from '../measure.js';
import {
  KilledAtStart,
  startServerProcess,
  withServerProcess,
  type ServerProcess,
  type ServerProcessOptions,
} from '../server-process.js';
import type { Row } from '../../testing/feed.js';
import { Follower, followerKinds, filters, positionOf } from './follower.js';
import { Life } from './life.js';
import { tornWrite } from './torn-write.js';
import { operation, sharedName, validation, Writer } from './writer.js';

export interface KillOptions extends Pick<ServerProcessOptions, 'program' | 'args'> {
  /** For the data. */
  readonly folder: string;
  readonly rounds: number;
  readonly seed: number;
}

export const emptySummary = () => ({
  acknowledged: 0,
  /** Number of documents that the validation function rejected. */
  rejected: 0,
  /** Number of requests without a response. */
  unanswered: 0,
  /** How many of them were stored. */
  applied: 0,
  /** Number of rows that followers have seen. */
  rows: 0,
  /** Number of rounds that ended in the middle of a write to disk. */
  torn: 0,
  /** Number of starts that found an incomplete write. */
  incomplete: 0,
});

export type KillSummary = ReturnType<typeof emptySummary>;

const writerCount = 4;
/** Number of operations of a writer in a life of the server, if there is no kill. */
const operations = 250;
/** Time for the followers to catch up. */
const catchUpMs = 120_000;

/** Kill the server after this number of responses and milliseconds. */
const killFromOutside = fc.record({
  responses: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 150 }) },
    { weight: 1, arbitrary: fc.integer({ min: 150, max: 800 }) },
  ),
  milliseconds: fc.nat(20),
});

/** The kernel finishes a system call before a kill. Only a server that kills itself ends in the middle of a write. */
const killInWrite = fc.record({
  writes: fc.integer({ min: 1, max: 60 }),
  share: fc.nat(999).map((part) => part / 1000),
  hasSize: fc.boolean(),
});

const round = fc.record({
  kill: fc.oneof(killFromOutside, killInWrite),
  // Small journals are compacted continuously, so the kill often interrupts that.
  journalBytes: fc.constantFrom(1000, 20_000, 16 * 1024 * 1024),
  killedAtStart: fc.option(fc.integer({ min: 0, max: 1500 }), { freq: 5 }),
});

/** @throws AssertionError if acknowledged or shown data is lost, or a request fails. Error if the server does not start */
export function killRounds(options: KillOptions): Promise<KillSummary> {
  return withTwin((twin) => killWith(twin, options));
}

/** Calls `task` with a client of a server in memory, which stops afterwards. */
export async function withTwin<T>(task: (twin: Client) => Promise<T>): Promise<T> {
  const server = await startServer();
  const client = await new Client(server.url).logIn(server.admin!);
  try {
    return await task(client);
  } finally {
    await client.close();
    await server.stop();
  }
}

async function killWith(twin: Client, { folder, rounds, seed, ...given }: KillOptions): Promise<KillSummary> {
  const summary = emptySummary();
  const workload = new Workload(summary, twin);
  const args = ['--data', folder, ...(given.args ?? [])];
  // Before the first kill, which may come with the first write.
  await withServerProcess({ ...given, args }, async (server) => {
    await server.client.logIn(server.admin);
    await workload.create(server);
  });
  let wasTorn = false;
  for (const [number, plan] of fc.sample(round, { seed, numRuns: rounds }).entries()) {
    const { kill, journalBytes, killedAtStart } = plan;
    let isIncomplete = false;
    const options: ServerProcessOptions = {
      ...given,
      args: [...args, '--journal-bytes', String(journalBytes)],
      onLog: (line) => (isIncomplete ||= line.includes('not completed')),
    };
    if (killedAtStart !== null)
      await startServerProcess({ ...options, killAfter: killedAtStart }).then(
        (server) => server.stop(),
        (error) => assert.ok(error instanceof KilledAtStart, error as Error),
      );
    const isTorn = 'writes' in kill;
    const server = await startServerProcess({ ...options, ...(isTorn && { preload: tornWrite(kill) }) });
    // The log of a start that was killed may be cut.
    if (wasTorn && killedAtStart === null)
      assert.ok(isIncomplete, 'the server did not see the incomplete write');
    if (isIncomplete) summary.incomplete++;
    try {
      await server.client.logIn(server.admin);
      await workload.compare(server);
      // Writers never reuse a seed, because they would replicate revisions that exist already.
      const life = new Life(server);
      await workload.run(life, seed + number * writerCount, async (written) => {
        if (isTorn) await written;
        else await Promise.race([workload.responses(kill.responses), written]);
        wasTorn = isTorn && !server.isRunning();
        if (isTorn) return;
        await pause(kill.milliseconds);
        assert.ok(server.isRunning(), 'the server ended without a kill');
        await server.stop();
      });
      if (wasTorn) summary.torn++;
    } finally {
      await server.stop();
    }
  }
  await withServerProcess({ ...given, args }, async (server) => {
    await server.client.logIn(server.admin);
    await workload.compare(server);
    await workload.runToEnd(server, seed + rounds * writerCount);
  });
  return summary;
}

/** Clients and their databases. */
export class Workload {
  readonly #summary: KillSummary;
  readonly #twin: Client;
  readonly #writers: readonly Writer[];
  readonly #followers = followerKinds.map((kind) => new Follower(kind, sharedName));
  readonly #events = new EventEmitter<{ response: [] }>();

  constructor(summary: KillSummary, twin: Client) {
    this.#summary = summary;
    this.#twin = twin;
    this.#writers = range(0, writerCount).map((number) => new Writer(number, twin));
  }

  /** Creates the shared database. */
  async create({ client }: ServerProcess): Promise<void> {
    for (const each of [client, this.#twin]) {
      await each.expect(201, 'PUT', `/${sharedName}`);
      const design = { validate_doc_update: validation, filters };
      await each.expect(201, 'PUT', `/${sharedName}/_design/test`, design);
    }
  }

  /** Waits for a number of responses. */
  async responses(count: number): Promise<void> {
    for (let left = count; left > 0; left--) await once(this.#events, 'response');
  }

  /** All clients write and follow until `isEnough` resolves or the server ends. Then the life ends. */
  async run(life: Life, seed: number, isEnough: (written: Promise<unknown>) => Promise<void>): Promise<void> {
    const written = Promise.all(
      this.#writers.map((writer, number) => this.#write(life, writer, seed + number)),
    );
    const followed = Promise.all(this.#followers.map((follower) => follower.follow(life)));
    const ended = Promise.all([written, followed]);
    try {
      await Promise.race([isEnough(written), ended]);
    } finally {
      life.ending.abort();
    }
    await ended;
    this.#summary.rows += this.#followers.reduce((sum, follower) => sum + follower.takeCount(), 0);
  }

  /** Without a kill: all clients finish, and the followers see everything. */
  runToEnd(server: ServerProcess, seed: number): Promise<void> {
    return this.run(new Life(server), seed, async (written) => {
      await written;
      const rows = await this.compare(server);
      const missing = () => this.#followers.flatMap((follower) => follower.missing(rows));
      for (const end = performance.now() + catchUpMs; missing().length > 0 && performance.now() < end;)
        await pause(20);
      assert.deepEqual(missing(), []);
    });
  }

  async #write(life: Life, writer: Writer, seed: number): Promise<void> {
    const send = (...request: Parameters<Client['json']>) =>
      life.attempt(() => life.server.client.json(...request));
    for (const next of fc.sample(operation, { seed, numRuns: operations })) {
      const reply = await writer.write(next, send);
      if (!reply) {
        this.#summary.unanswered++;
        return;
      }
      const results = [reply.json].flat() as { error?: string }[];
      this.#summary.rejected += results.filter(({ error }) => error === 'forbidden').length;
      if (reply.status < 300) this.#summary.acknowledged++;
      this.#events.emit('response');
    }
  }

  /** Compares the state of the server with the twin and with what the followers have seen. @returns the rows of the shared database */
  async compare({ client }: ServerProcess): Promise<Row[]> {
    for (const writer of this.#writers) if (await writer.compare(client)) this.#summary.applied++;
    const [rows, twinRows] = [await sharedRows(client), await sharedRows(this.#twin)];
    assert.deepEqual(revisionsOf(rows), revisionsOf(twinRows));
    assert.equal(positionOf(rows.at(-1)!), positionOf(twinRows.at(-1)!));
    for (const follower of this.#followers) follower.compare(rows);
    return rows;
  }
}

async function sharedRows(client: Client): Promise<Row[]> {
  const { json } = await client.json('GET', `/${sharedName}/_changes?style=all_docs`);
  return (json as { results: Row[] }).results;
}

/** Writes of different writers may have another order on the twin. */
const revisionsOf = (rows: readonly Row[]) => new Map(rows.map(({ id, changes }) => [id, changes]));
