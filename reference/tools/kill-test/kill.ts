/**
 * Kills a server at random moments while several clients write, restarts it with the same data, and compares its state
 * with the acknowledged writes. A write without a response must be stored completely or not at all.
 */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { request } from 'undici';
import { basic } from '../../testing/server.js';
import { KilledAtStart, startServerProcess, type ServerProcess } from '../server-process.js';
import { Client, comparable, newRevision, send, sharedName } from './client.js';
import { operation, validation } from './operations.js';

export interface KillOptions {
  /** Arguments for node, up to the main module of docfeed. */
  readonly program: readonly string[];
  /** Data directory. */
  readonly directory: string;
  readonly rounds: number;
  readonly seed: number;
}

export interface KillSummary {
  acknowledged: number;
  /** Number of documents that the validation function rejected. */
  rejected: number;
  /** Number of requests without a response. */
  unanswered: number;
  /** How many of them were stored. */
  applied: number;
  /** Number of documents whose rows a feed showed before a kill. */
  shown: number;
  /** Number of starts that found an incomplete write. */
  incomplete: number;
}

interface Row {
  seq: string;
  id: string;
  changes: { rev: string }[];
}

const clientCount = 4;

const round = fc.record({
  // Kill the server after this number of responses and milliseconds.
  responses: fc.integer({ min: 1, max: 150 }),
  milliseconds: fc.nat(20),
  // Small journals are compacted continuously, so the kill often interrupts that.
  journalBytes: fc.constantFrom(1000, 20_000, 16 * 1024 * 1024),
  killedAtStart: fc.option(fc.integer({ min: 0, max: 1500 }), { freq: 5 }),
});

/** @throws AssertionError if acknowledged or shown data is lost, or the server does not start */
export async function killRounds({ program, directory, rounds, seed }: KillOptions): Promise<KillSummary> {
  const test = new KillTest();
  for (const [number, plan] of fc.sample(round, { seed, numRuns: rounds }).entries()) {
    const args = [`--data=${directory}`, `--journal-bytes=${plan.journalBytes}`];
    if (plan.killedAtStart !== null && number > 0)
      await startServerProcess({ program, args, killAfter: plan.killedAtStart }).then(
        (server) => server.stop(),
        (error) => {
          if (!(error instanceof KilledAtStart)) throw error;
        },
      );
    let isIncomplete = false;
    const server = await startServerProcess({
      ...{ program, args },
      onLog: (line) => (isIncomplete ||= line.includes('not completed')),
    });
    try {
      if (number === 0) await createShared(server);
      await test.compare(server);
      // Clients never reuse a seed, because they would replicate revisions that exist already.
      const done = test.writeAndFollow(server, seed + number * clientCount);
      await Promise.race([test.responses(plan.responses), done]);
      await delay(plan.milliseconds);
      await server.stop();
      await done;
    } finally {
      await server.stop();
    }
    if (isIncomplete) test.summary.incomplete++;
  }
  const server = await startServerProcess({ program, args: [`--data=${directory}`] });
  await test.compare(server).finally(() => server.stop());
  return test.summary;
}

/** Number of changes in the shared database that no client makes. */
const designDocuments = 1;

async function createShared(server: ServerProcess): Promise<void> {
  await send(server, 'PUT', `/${sharedName}`);
  const { status } = await send(server, 'PUT', `/${sharedName}/_design/validation`, {
    validate_doc_update: validation,
  });
  assert.equal(status, 201);
}

class KillTest {
  readonly summary: KillSummary = {
    ...{ acknowledged: 0, rejected: 0, unanswered: 0, applied: 0, shown: 0, incomplete: 0 },
  };
  readonly #clients = Array.from({ length: clientCount }, (_, number) => new Client(number));
  readonly #events = new EventEmitter<{ response: [] }>();
  /** Rows that the feed has shown, by document. */
  readonly #shown = new Map<string, Row>();
  #lastSequence: string | undefined;

  /** All clients write and one follows the feed, until the server is killed. */
  async writeAndFollow(server: ServerProcess, seed: number): Promise<void> {
    const writes = this.#clients.map((client, number) => this.#write(server, client, seed + number));
    await Promise.all([this.#follow(server), ...writes]);
  }

  /** Waits for a number of responses. */
  async responses(count: number): Promise<void> {
    for (let left = count; left > 0; left--) await once(this.#events, 'response');
  }

  async #write(server: ServerProcess, client: Client, seed: number): Promise<void> {
    for (const next of fc.sample(operation, { seed, numRuns: 500 })) {
      const step = client.step(next);
      if (!step) continue;
      let response;
      try {
        response = await send(server, step.method, step.path, step.body, step.type);
      } catch {
        client.pending = step;
        this.summary.unanswered++;
        return;
      }
      assert.ok(response.status < 300, `${step.method} ${step.path}: ${JSON.stringify(response)}`);
      const results = [response.json].flat() as { id: string; rev: string; error?: string }[];
      const rejected = results.filter(({ error }) => error === 'forbidden').map(({ id }) => id);
      assert.deepEqual(rejected, step.rejected);
      this.summary.rejected += rejected.length;
      step.apply(client.state, (doc) => results[step.edited.indexOf(doc)]!.rev);
      this.summary.acknowledged++;
      this.#events.emit('response');
    }
  }

  /** Resumes the feed where it ended before. */
  async #follow(server: ServerProcess): Promise<void> {
    const since = this.#lastSequence === undefined ? '' : `&since=${this.#lastSequence}`;
    const query = `feed=continuous&heartbeat=10000&style=all_docs${since}`;
    const sent = request(`${server.url}/${sharedName}/_changes?${query}`, {
      headers: basic(server.admin.name, server.admin.password),
    });
    // The server may be killed before it responds.
    const response = await sent.catch(() => undefined);
    if (!response) return;
    assert.equal(response.statusCode, 200);
    try {
      for await (const line of createInterface(response.body)) {
        const row = parseRow(line);
        if (!row) continue;
        this.#shown.set(row.id, row);
        this.#lastSequence = row.seq;
      }
    } catch {
      // The server was killed.
    }
  }

  /** Compares the state of the server with the expected one. */
  async compare(server: ServerProcess): Promise<void> {
    for (const client of this.#clients) {
      const actual = await client.read(server);
      const { pending, state } = client;
      client.pending = undefined;
      if (pending && !isDeepStrictEqual(comparable(actual), comparable(state))) {
        pending.apply(state, (doc) => newRevision(actual, state, pending, doc));
        this.summary.applied++;
      }
      assert.deepEqual(comparable(actual), comparable(state));
    }
    const { json } = await send(server, 'GET', `/${sharedName}/_changes?style=all_docs`);
    const { results, last_seq } = json as { results: Row[]; last_seq: string };
    const changes = this.#clients.reduce((sum, { state }) => sum + state.shared.changes, 0);
    assert.equal(parseInt(last_seq), changes + designDocuments);
    const rows = new Map(results.map((row) => [row.id, row]));
    for (const row of this.#shown.values()) {
      const now = rows.get(row.id)!;
      assert.ok(
        positionOf(now) >= positionOf(row),
        `The feed showed ${JSON.stringify(row)}, and now shows ${JSON.stringify(now)}`,
      );
      if (positionOf(now) === positionOf(row)) assert.deepEqual(now, row);
    }
    this.summary.shown = this.#shown.size;
  }
}

/** @returns undefined for heartbeats and for the last line, which a kill may truncate */
function parseRow(line: string): Row | undefined {
  try {
    return JSON.parse(line) as Row;
  } catch {
    return undefined;
  }
}

const positionOf = ({ seq }: Row) => parseInt(seq);
