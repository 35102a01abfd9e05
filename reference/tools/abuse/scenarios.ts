/** All attacks of `npm run abuse`. To add one, add an entry to the list. */
import { once, setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '../client.js';
import { mebibyte, range, timed } from '../measure.js';
import type { AttackTarget, Scenario } from './run-scenario.js';

/** The default of the setting `docfeed/max_items_per_request`. */
const maxItems = 50_000;

/**
 * A request with many items: one beyond the limit is refused, and the largest allowed one delays nobody.
 *
 * @param bodyOf makes the body with these keys
 */
function manyItems(
  path: string,
  excessive: number,
  status: number,
  bodyOf: (keys: readonly string[]) => object,
): Scenario {
  const body = (count: number) => JSON.stringify(bodyOf(range(0, count).map((index) => `key${index}`)));
  return {
    name: `${path} with ${excessive.toLocaleString('en')} items`,
    prepare: ({ client }) => client.expect(201, 'PUT', '/attacked'),
    attack: async ({ client, scaled }) => {
      await client.expect(413, 'POST', `/attacked/${path}`, body(excessive));
      const [few, many] = [scaled(maxItems) / 5, scaled(maxItems)];
      const fewMs = await timed(() => client.expect(status, 'POST', `/attacked/${path}`, body(few)));
      const manyMs = await timed(() => client.expect(status, 'POST', `/attacked/${path}`, body(many)));
      const cost = (ms: number, count: number) =>
        `${count} items: ${((ms * 1000) / count).toFixed(0)} us each`;
      return `413 for ${excessive}; ${cost(fewMs, few)}; ${cost(manyMs, many)}`;
    },
  };
}

const putUser = (client: Client, status: number, name: string, more: object): Promise<void> =>
  client.expect(status, 'PUT', `/_users/org.service.user:${name}`, {
    name,
    roles: [],
    type: 'user',
    ...more,
  });

/** Writes documents of one megabyte each. */
async function writeLargeDocuments({ client }: AttackTarget, count: number): Promise<void> {
  await client.expect(201, 'PUT', '/large');
  const text = 'x'.repeat(mebibyte);
  for (const index of range(0, count)) await client.expect(201, 'PUT', `/large/${index}`, { text });
}

/** The server may grow by this share of what its clients request: it need not have a response in memory as a whole. */
const memoryShare = 0.5;

/** Runs a task, and verifies that the server grows by much less than the size of the responses, in megabytes. */
async function boundedMemory(
  { memory }: AttackTarget,
  requested: number,
  task: () => Promise<unknown>,
): Promise<string> {
  const before = await memory();
  let most = before;
  const sample = () =>
    memory().then(
      (now) => (most = Math.max(most, now)),
      // The server may have ended meanwhile.
      () => {},
    );
  const timer = setInterval(() => void sample(), 50);
  await task().finally(() => clearInterval(timer));
  const growth = Math.round((most - before) / mebibyte);
  const limit = requested * memoryShare;
  const seen = `the server grew by ${growth} MiB for ${requested} MiB`;
  if (growth > limit) throw new Error(`${seen}; at most ${limit} MiB are expected`);
  return seen;
}

/** A response with many documents of one megabyte each. */
function largeResponse(
  name: string,
  request: (target: AttackTarget, count: number) => Promise<unknown>,
): Scenario {
  // With less, the noise of a measurement would be a large part of it.
  const size = ({ scaled }: AttackTarget): number => Math.max(scaled(555), 200);
  return {
    name: `${name} of 555 MB`,
    prepare: (target) => writeLargeDocuments(target, size(target)),
    attack: (target) => boundedMemory(target, size(target), () => request(target, size(target))),
  };
}

/** A filtered feed of another user may begin this much later during an attack, in milliseconds. */
const longestFeedDelay = 1000;
/** Number of programs of an attack, and of filtered feeds of another user meanwhile. */
const feeds = 20;

const mallory = { name: 'mallory', password: 'mallory' };
const filters = {
  loops: 'function () { for (;;); }',
  // Nothing but a signal can interrupt it.
  builtin: 'function () { return Array.prototype.indexOf.call({ length: 9007199254740991 }, 1) > 0; }',
  allocates: 'function () { for (var all = []; ; ) all.push({ a: [1, 2, 3] }); }',
  // What it decides depends on the request, so the server has to run it for each feed.
  good: 'function (doc, req) { return doc.n % 2 === Number(req.query.rest); }',
};

const goodFeed = '/attacked/_changes?filter=attack/good&rest=1';

/**
 * An attack with programs that the server evaluates: filtered feeds of other users begin soon all the same.
 *
 * @param statuses what the attacker may get before it gives up
 */
function programs(name: string, statuses: readonly number[], query: string, body?: object): Scenario {
  return {
    name: `${feeds} ${name}`,
    prepare: async ({ client }) => {
      await putUser(client, 201, mallory.name, mallory);
      await client.expect(201, 'PUT', '/attacked');
      await client.expect(200, 'PUT', '/attacked/_security', { members: { names: [mallory.name] } });
      const docs = range(0, 200).map((n) => ({ _id: `n${n}`, n, text: `${'a'.repeat(60)}b` }));
      await client.expect(201, 'POST', '/attacked/_bulk_docs', { docs });
      await client.expect(201, 'PUT', '/attacked/_design/attack', { filters });
      // The first filter starts a process, which takes longer than any later feed.
      await client.expect(200, 'GET', goodFeed);
    },
    attack: async ({ url, client }) => {
      // With a session cookie, the time for checking passwords is not measured.
      const attacker = await new Client(url).logIn(mallory);
      const calm = Math.max(...(await firstByteTimes(client)));
      const end = new AbortController();
      setMaxListeners(0, end.signal);
      const sent = range(0, feeds).map(() =>
        attacker.open(body ? 'POST' : 'GET', `/attacked/_changes?${query}`, body, end.signal).then(
          ({ statusCode }) => [statusCode],
          () => [],
        ),
      );
      const slowest = Math.max(...(await firstByteTimes(client)));
      end.abort();
      const unexpected = (await Promise.all(sent)).flat().filter((status) => !statuses.includes(status));
      await attacker.close();
      if (unexpected.length > 0) throw new Error(`the attacker got the status ${unexpected.join(', ')}`);
      const seen = `the slowest feed of another user began after ${slowest.toFixed(0)} ms, before after ${calm.toFixed(0)} ms`;
      if (slowest > calm + longestFeedDelay) throw new Error(seen);
      return seen;
    },
  };
}

/** Reads good feeds one after the other, for long enough that an attack arrives. @returns the times to their first bytes */
async function firstByteTimes(client: Client): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + 1000; times.length < feeds || performance.now() < end;) {
    const start = performance.now();
    const { body } = await client.openOk('GET', goodFeed);
    await once(body, 'readable');
    times.push(performance.now() - start);
    await body.dump();
  }
  return times;
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'slow passwords',
    durable: true,
    attack: async ({ url, client }) => {
      const hash = {
        password_scheme: 'pbkdf2',
        pbkdf2_prf: 'sha256',
        salt: 'ab',
        derived_key: 'cd'.repeat(32),
      };
      const attackers = range(0, 10).map((index) => `mallory${Date.now()}-${index}`);
      await putUser(client, 400, attackers[0]!, { ...hash, iterations: 10_000_000 });
      for (const name of attackers) await putUser(client, 201, name, { ...hash, iterations: 1_000_000 });
      const anonymous = new Client(url);
      const logins = attackers.flatMap((name) =>
        range(0, 5).map((index) => anonymous.send('POST', '/_session', { name, password: `wrong${index}` })),
      );
      const ms = await timed(() => putUser(client, 201, `carol${Date.now()}`, { password: 'pear' }));
      await Promise.all(logins);
      await anonymous.close();
      return `400 for 10,000,000 iterations; creating a user took ${ms.toFixed(0)} ms`;
    },
  },
  manyItems('_bulk_docs', 50_001, 201, (keys) => ({ docs: keys.map(() => ({})) })),
  manyItems('_revs_diff', 300_000, 200, (keys) => Object.fromEntries(keys.map((key) => [key, ['1-a']]))),
  manyItems('_all_docs', 500_000, 200, (keys) => ({ keys })),
  manyItems('_bulk_get', 200_000, 200, (keys) => ({ docs: keys.map((id) => ({ id })) })),
  largeResponse('_all_docs', ({ client }) => client.expect(200, 'GET', `/large/_all_docs?include_docs=true`)),
  largeResponse('_bulk_get', ({ client }, count) => {
    const docs = range(0, count).map((index) => ({ id: String(index) }));
    return client.expect(200, 'POST', '/large/_bulk_get', { docs });
  }),
  {
    name: 'five stalled readers of 105 MB',
    prepare: (target) => writeLargeDocuments(target, 105),
    attack: (target) =>
      boundedMemory(target, 5 * 105, async () => {
        const end = new AbortController();
        const path = '/large/_all_docs?include_docs=true';
        // The client reads no more than the first bytes of a body that nobody reads.
        const open = () => target.client.openOk('GET', path, undefined, end.signal);
        await Promise.all(range(0, 5).map(open));
        await pause(1000);
        end.abort();
      }),
  },
  programs('endless filters', [], 'filter=attack/loops'),
  programs('endless built-in functions', [], 'filter=attack/builtin'),
  programs('filters that allocate without end', [400], 'filter=attack/allocates'),
  // In engines with backtracking, this regular expression needs exponential time.
  programs('selectors with a catastrophic regular expression', [200], 'filter=_selector', {
    selector: { text: { $regex: '^(a+)+$' } },
  }),
];
