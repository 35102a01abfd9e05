/**
 * Runs a server for a long time while clients write, follow the feed in each mode, use filters and log in. Kills and
 * restarts it in the first half of the time. In the second half it lives on, and must not keep anything of databases
 * that are deleted.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '../client.js';
import { describeUsage, findLeaks } from '../leaks.js';
import { startServerProcess, type ServerProcess } from '../server-process.js';
import { attempt, Follower, followerKinds, type Session } from './follower.js';
import { Writer } from './writer.js';

export interface SoakOptions {
  /** Arguments of Node.js, up to the main module. Default: the built program. */
  readonly program?: readonly string[];
  /** Further arguments of `serve`. */
  readonly args?: readonly string[];
  readonly seconds: number;
  /** Number of kills in the first half. */
  readonly kills: number;
  readonly log: (message: string) => void;
}

export interface SoakSummary {
  readonly writes: number;
  readonly rows: number;
  readonly logins: number;
  readonly kills: number;
  readonly problems: readonly string[];
}

const database = 'soak';
const writerCount = 4;
const documentsPerWriter = 250;
/** Number of times that the second half repeats the same work after a warm-up. */
const repetitions = 2;
/** With 500 rows for each, these fill 32 MiB. */
const cachedSelectors = 240;
/** Time for the followers to catch up at the end. */
const catchUpMs = 30_000;

export async function soak({ program, args = [], seconds, kills, log }: SoakOptions): Promise<SoakSummary> {
  const directory = await mkdtemp(join(tmpdir(), 'docfeed-soak-'));
  const summary = { writes: 0, rows: 0, logins: 0, kills: 0, problems: [] as string[] };
  const report = (problem: string): void => void summary.problems.push(problem);
  let server: ServerProcess;
  let life: AbortController;
  let client: Client;
  const start = async (): Promise<Session> => {
    const options = ['--data', directory, '--log-level', 'error', ...args];
    server = await startServerProcess({ ...(program && { program }), args: options, measured: true });
    life = new AbortController();
    client = new Client(server.url);
    // A restarted server has another secret for session cookies, so its clients log in again.
    await logIn(client);
    return { client, killed: life.signal };
  };
  const logIn = async (client: Client): Promise<void> => {
    await client.logIn(server.admin);
    summary.logins++;
  };
  let session = start();
  const connect = () => session;
  /** Session cookies expire after ten minutes. */
  const keepLoggingIn = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await attempt(connect, ({ client }) => logIn(client), report);
      await pause(1000, undefined, { signal }).catch(() => {});
    }
  };
  const send = async (method: 'PUT' | 'POST' | 'DELETE', path: string, body?: object): Promise<void> => {
    await (await connect()).client.read(method, path, body);
  };

  /** All clients work in a new database until `isEnough` resolves. @returns the number of writes */
  const work = async (isEnough: (writes: () => number) => Promise<void>): Promise<number> => {
    await send('PUT', `/${database}`);
    await send('PUT', `/${database}/_design/soak`, {
      filters: { even: 'function (doc) { return doc.even; }' },
    });
    const writers = Array.from(
      { length: writerCount },
      (_, number) => new Writer(number, database, documentsPerWriter, report),
    );
    const followers = followerKinds.map((kind) => new Follower(kind, database, report));
    const writes = (): number => writers.reduce((sum, writer) => sum + writer.writes, 0);
    const [writing, following] = [new AbortController(), new AbortController()];
    const written = Promise.all([
      keepLoggingIn(writing.signal),
      ...writers.map((writer) => writer.write(connect, writing.signal)),
    ]);
    const followed = Promise.all(followers.map((follower) => follower.follow(connect, following.signal)));
    try {
      await isEnough(writes);
      writing.abort();
      await written;
      (await lostRows(writers, followers)).forEach(report);
    } finally {
      writing.abort();
      following.abort();
      await Promise.all([written, followed]);
    }
    await send('DELETE', `/${database}`);
    summary.writes += writes();
    summary.rows += followers.reduce((sum, { rows }) => sum + rows, 0);
    return writes();
  };

  /**
   * Fills the memory that the server uses for rows of feeds, so that it grows no further: rows of a deleted database stay
   * there until others need the place.
   */
  const fillRowCache = async (): Promise<void> => {
    await send('PUT', `/${database}`);
    const docs = Array.from({ length: 500 }, (_, number) => ({ _id: `writer-${number}`, number }));
    await send('POST', `/${database}/_bulk_docs`, { docs });
    // Each selector has rows of its own. A limit keeps the server from storing the text of the response with them.
    for (let least = 0; least > -cachedSelectors; least--)
      await send('POST', `/${database}/_changes?filter=_selector&limit=499`, {
        selector: { number: { $gte: least } },
      });
    await send('DELETE', `/${database}`);
  };

  const restart = async (): Promise<Session> => {
    life.abort();
    await server.stop();
    await client.close();
    return start();
  };

  try {
    await session;
    await work(async () => {
      while (summary.kills < kills) {
        await pause((seconds * 500) / kills);
        session = restart();
        await session;
        log(`killed and restarted ${++summary.kills} of ${kills} times`);
      }
    });
    await fillRowCache();
    const count = await work(() => pause((seconds * 500) / (1 + repetitions)));
    const before = await server!.measure();
    log(describeUsage(before));
    // The same number of writes needs the same memory, so what grows is a leak.
    for (let repetition = 0; repetition < repetitions; repetition++)
      await work(async (writes) => {
        while (writes() < count) await pause(10);
      });
    const after = await server!.measure();
    log(describeUsage(after));
    findLeaks(before, after, repetitions * count).forEach(report);
    return summary;
  } finally {
    await server!.stop();
    await client!.close();
    await rm(directory, { recursive: true });
  }
}

/** Waits until each follower has seen the last revision of each document that its filter accepts. */
async function lostRows(writers: readonly Writer[], followers: readonly Follower[]): Promise<string[]> {
  const end = performance.now() + catchUpMs;
  for (;;) {
    const lost = followers.flatMap(({ kind, revisions }) =>
      writers
        .filter(({ number }) => kind.accepts(number))
        .flatMap((writer) => [...writer.revisions])
        .filter(([id, rev]) => revisions.get(id) !== rev)
        .map(([id, rev]) => `${kind.name}: no row for ${id} ${rev}, but ${revisions.get(id) ?? 'none'}`),
    );
    if (lost.length === 0 || performance.now() > end) return lost;
    await pause(100);
  }
}
