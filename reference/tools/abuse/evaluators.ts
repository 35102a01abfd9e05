/** Attacks with programs that the server evaluates. Each returns how long feeds of another user wait meanwhile. */
import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { Administrator } from '../../index.js';
import { Client } from '../client.js';

export interface EvaluatorTarget {
  readonly url: string;
  readonly admin: Administrator;
}

export interface EvaluatorResult {
  /** Time from request to the first byte of filtered feeds of another user, in milliseconds. */
  readonly latencies: readonly number[];
  /** The same directly before the attack. */
  readonly calmLatencies: readonly number[];
  /** Statuses of the attacker's responses. Requests that the attack itself ended have none. */
  readonly attackStatuses: readonly number[];
}

const attacks = 20;
const victimFeeds = 20;

/** Filters with endless loops. */
export const endlessFilters = (target: EvaluatorTarget) => attackWith(target, 'filter=attack/loops');

/** Filters that call a built-in function that never ends, which nothing but a signal can interrupt. */
export const endlessBuiltins = (target: EvaluatorTarget) => attackWith(target, 'filter=attack/builtin');

/** Filters that allocate memory without end. */
export const allocatingFilters = (target: EvaluatorTarget) => attackWith(target, 'filter=attack/allocates');

/** Selectors with a regular expression that needs exponential time in engines with backtracking. */
export const backtrackingSelectors = (target: EvaluatorTarget) =>
  attackWith(target, 'filter=_selector', { selector: { text: { $regex: '^(a+)+$' } } });

const design = {
  filters: {
    loops: 'function () { for (;;); }',
    builtin: 'function () { return Array.prototype.indexOf.call({ length: 9007199254740991 }, 1) > 0; }',
    allocates: 'function () { for (var all = []; ; ) all.push({ a: [1, 2, 3] }); }',
    good: 'function (doc) { return doc.n % 2 === 1; }',
  },
};

/** Opens feeds of an attacker, and meanwhile, one after the other, good feeds of another user. */
async function attackWith(target: EvaluatorTarget, query: string, body?: object): Promise<EvaluatorResult> {
  const database = `evaluators-${process.hrtime.bigint()}`;
  await prepare(target, database);
  // With session cookies, the time for checking passwords is not measured.
  const attacker = await new Client(target.url).logIn(mallory);
  const victim = await new Client(target.url).logIn(target.admin);
  const readGoodFeeds = () => firstByteTimes(victim, `/${database}/_changes?filter=attack/good`);
  const calmLatencies = await readGoodFeeds();
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const sent = Array.from({ length: attacks }, () =>
    attacker.open(body ? 'POST' : 'GET', `/${database}/_changes?${query}`, body, end.signal),
  );
  const statuses = sent.map((response) => response.then(({ statusCode }) => [statusCode]).catch(() => []));
  const latencies = await readGoodFeeds();
  // The attacker gives up after the other user is done.
  end.abort();
  const attackStatuses = (await Promise.all(statuses)).flat();
  await Promise.all([attacker.close(), victim.close()]);
  return { latencies, calmLatencies, attackStatuses };
}

async function firstByteTimes(client: Client, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let feed = 0; feed < victimFeeds; feed++) {
    const start = performance.now();
    const response = await client.open('GET', path);
    for await (const chunk of response.body) {
      times.push(performance.now() - start);
      if (response.statusCode !== 200) throw new Error(String(chunk));
      break;
    }
  }
  return times;
}

const mallory = { name: 'mallory', password: 'mallory' };

async function prepare({ url, admin }: EvaluatorTarget, database: string): Promise<void> {
  const client = await new Client(url).logIn(admin);
  const asAdmin = async (method: Dispatcher.HttpMethod, path: string, body?: object) =>
    (await (await client.open(method, path, body)).body.json()) as Record<string, string>;
  const greeting = await asAdmin('GET', '/');
  const prefix = 'couchdb' in greeting ? 'org.couchdb.user:' : 'org.service.user:';
  await asAdmin('PUT', `/_users/${prefix}mallory`, { ...mallory, roles: [], type: 'user' });
  await asAdmin('PUT', `/${database}`);
  await asAdmin('PUT', `/${database}/_security`, { members: { names: [mallory.name] } });
  const docs = Array.from({ length: 200 }, (_, n) => ({ _id: `n${n}`, n, text: `${'a'.repeat(60)}b` }));
  await asAdmin('POST', `/${database}/_bulk_docs`, { docs });
  await asAdmin('PUT', `/${database}/_design/attack`, design);
  await client.close();
}
