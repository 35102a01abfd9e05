/**
 * Runs a server for a long time while clients write, follow the feed in each mode, use filters and log in. Kills and
 * restarts it in the first half of the time. The second half is one long life, in which memory must not grow.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { logIn, LoginRefused } from '../session.js';
import { startServerProcess, type ServerProcess } from '../server-process.js';
import { Follower, followerKinds, type Connect, type Session } from './follower.js';
import { Writer } from './writer.js';

export interface SoakOptions {
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
  /** Resident memory after a garbage collection, early and late in the last life, in MiB. */
  readonly memory: readonly [early: number, late: number];
  /** Open files and sockets early and late in the last life. */
  readonly handles: readonly [early: number, late: number];
  readonly problems: readonly string[];
}

const database = 'soak';
const writerCount = 4;
const documentsPerWriter = 250;
const admin = { name: 'admin', password: 'soak' };
/** Lets the server collect garbage on a signal: otherwise the heap would grow by a hundred MiB before it does so. */
const collectOnSignal = [
  '--expose-gc',
  "--import=data:text/javascript,process.on('SIGUSR2', () => globalThis.gc())",
];
/** Memory is sampled several times, because the journal is sometimes compacted in memory. */
const memorySamples = 20;
const msBetweenSamples = 500;
/** Trees of revisions grow until each document has 1000 revisions. The rest is fragmentation. */
const allowedGrowthMiB = 48;
/** Connections of the clients may close late. */
const allowedHandles = 10;
/** Time for the followers to catch up at the end. */
const catchUpMs = 30_000;

export async function soak({ seconds, kills, log }: SoakOptions): Promise<SoakSummary> {
  const directory = await mkdtemp(join(tmpdir(), 'docfeed-soak-'));
  const problems: string[] = [];
  const report = (problem: string): void => void problems.push(problem);
  let logins = 0;
  /** A restarted server has another secret for session cookies, so its clients log in again. */
  const open = async ({ url }: ServerProcess): Promise<Session> => {
    const headers = await logIn(url, admin);
    logins++;
    return { url, headers };
  };
  const start = () =>
    startServerProcess(['--data', directory, '--log-level', 'error'], admin, collectOnSignal);

  let server = await start();
  /** Undefined while the server is down. */
  let session: Session | undefined = await open(server);
  const connect: Connect = () =>
    session ? Promise.resolve(session) : Promise.reject(new Error('the server is down'));
  /** Session cookies expire after ten minutes. */
  const keepLoggingIn = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const current = server;
      try {
        const renewed = session && (await open(current));
        if (session && server === current) session = renewed;
      } catch (error) {
        // The server may be killed meanwhile, but it must not refuse.
        if (error instanceof LoginRefused) report(error.message);
      }
      await pause(1000, undefined, { signal }).catch(() => {});
    }
  };
  const put = async (path: string, body?: object): Promise<void> => {
    const { url, headers } = await connect();
    const response = await request(url + path, {
      method: 'PUT',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.body.dump();
    if (response.statusCode !== 201) throw new Error(`PUT ${path}: status ${response.statusCode}`);
  };

  const writers = Array.from(
    { length: writerCount },
    (_, number) => new Writer(number, database, documentsPerWriter, report),
  );
  const followers = followerKinds.map((kind) => new Follower(kind, database, report));
  const writing = new AbortController();
  const following = new AbortController();
  try {
    await put(`/${database}`);
    await put(`/${database}/_design/soak`, { filters: { even: 'function (doc) { return doc.even; }' } });
    const working = Promise.all([
      keepLoggingIn(writing.signal),
      ...writers.map((writer) => writer.write(connect, writing.signal)),
    ]);
    const followed = Promise.all(followers.map((follower) => follower.follow(connect, following.signal)));

    for (let kill = 1; kill <= kills; kill++) {
      await pause((seconds * 500) / kills);
      session = undefined;
      await server.stop();
      server = await start();
      session = await open(server);
      log(`killed and restarted ${kill} of ${kills} times`);
    }
    await pause(seconds * 200);
    const early = await measure(server);
    await pause(seconds * 300);
    const late = await measure(server);
    writing.abort();
    await working;

    for (const problem of await lostRows(writers, followers)) report(problem);
    following.abort();
    await followed;
    if (late.memory - early.memory > allowedGrowthMiB)
      report(`memory grew from ${early.memory.toFixed(0)} to ${late.memory.toFixed(0)} MiB`);
    if (late.handles - early.handles > allowedHandles)
      report(`open handles grew from ${early.handles} to ${late.handles}`);
    return {
      ...{ logins, kills, problems },
      writes: writers.reduce((sum, { writes }) => sum + writes, 0),
      rows: followers.reduce((sum, { rows }) => sum + rows, 0),
      memory: [early.memory, late.memory],
      handles: [early.handles, late.handles],
    };
  } finally {
    writing.abort();
    following.abort();
    await server.stop();
    await rm(directory, { recursive: true });
  }
}

async function measure(server: ServerProcess): Promise<{ memory: number; handles: number }> {
  let memory = Infinity;
  for (let sample = 0; sample < memorySamples; sample++) {
    process.kill(server.pid, 'SIGUSR2');
    await pause(msBetweenSamples);
    memory = Math.min(memory, (await server.memory()) / 1024 / 1024);
  }
  return { memory, handles: await server.openHandles() };
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
