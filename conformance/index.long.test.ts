/** Tests runs of small checks against the reference server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import anyTest, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { checksOf, type Check, type CheckContext, type Run } from './session/scope/rule-checks.js';
import { forAll } from './engine/property.js';
import { httpError } from '../reference/index.js';
import type { Report } from '../reports/report.js';
import { emptyFolder } from '../reports/testing/folder.js';
import { requests } from './arbitraries/requests.js';
import { type ConformanceOptions, Refusal, runConformance } from './index.js';
import { type FeedQuery, type FeedRequest, withQuery } from './oracle/allowed-rows.js';
import { readFeed } from './play/read-feed.js';
import { Blocked, Inconclusive, Skip, Violation } from './engine/outcomes.js';
import type { TargetRequest } from './http/client.js';
import { stateOf } from './session/testing/target-state.js';
import { admin, referenceServer } from './testing/reference.js';
import { unhandledRejections } from './testing/unhandled.js';

/** One after the other: side by side, so many runs would take longer to clean up than they may. */
const test = anyTest.serial;

/** Runs checks against a new reference server. */
async function runOnReference(
  t: ExecutionContext,
  checks: readonly Check[],
  options: Partial<ConformanceOptions> = {},
) {
  const server = await referenceServer(t);
  const report = await runConformance({ urls: [server.url], admin, checks, ...options });
  return { report, server, result: report.checks[0]! };
}

const outcomesOf = ({ checks }: Report) => checks.map(({ outcome }) => outcome);

const throwing = (error: Error): Run => {
  return () => Promise.reject(error);
};

test('a check has the outcome of what it throws', async (t) => {
  const runs = {
    pass: async () => {},
    fail: throwing(new Violation('The value is wrong', { path: '$.a', expected: 1, actual: 2 })),
    skip: throwing(new Skip('Not supported.')),
    block: throwing(new Blocked('Cannot start.')),
    error: throwing(new TypeError('x is not a function')),
  };
  const { report } = await runOnReference(
    t,
    Object.entries(runs).flatMap(([variant, run]) => checksOf({ [`root-vendor/${variant}`]: run })),
  );
  t.deepEqual(
    report.checks.map(({ id, outcome, reason }) => [id, outcome, reason]),
    [
      ['root-vendor/pass', 'pass', undefined],
      ['root-vendor/fail', 'fail', 'The value is wrong: at $.a expected 1, got 2.'],
      ['root-vendor/skip', 'skipped', 'Not supported.'],
      ['root-vendor/block', 'blocked', 'Cannot start.'],
      ['root-vendor/error', 'error', 'TypeError: x is not a function'],
    ],
  );
  t.like(report.summary, { pass: 1, fail: 1, skipped: 1, blocked: 1, error: 1, warn: 0, known: 0 });
});

test('a target that rejects concurrent writes of a check blocks that check, but not the run', async (t) => {
  const server = await referenceServer(t, {
    components: (components) => ({
      ...components,
      handlers: {
        ...components.handlers,
        bulkDocs(request, context) {
          if (JSON.stringify(request.body).includes('"busy-2"')) throw httpError(403, 'forbidden', 'Enough.');
          return components.handlers.bulkDocs(request, context);
        },
      },
    }),
  });
  const unhandled = unhandledRejections(t);
  const ids = ['heartbeat-lines', 'root-greeting'];
  const { checks } = await runConformance({ urls: [server.url], admin, ids, cases: 20, seed: 1 });
  t.deepEqual(unhandled, []);
  t.deepEqual(
    checks.map(({ id, outcome }) => [id, outcome]),
    [
      ['root-greeting', 'pass'],
      ['heartbeat-lines', 'blocked'],
    ],
  );
});

test('an inconclusive check runs up to three more times, and the last outcome counts', async (t) => {
  let attempts = 0;
  let tries = 0;
  const checks = checksOf({
    'root-vendor/never': () => {
      attempts += 1;
      return Promise.reject(new Inconclusive('Too slow.'));
    },
    'root-vendor/late': () => {
      tries += 1;
      return tries < 3 ? Promise.reject(new Inconclusive('Too slow.')) : Promise.resolve();
    },
  });
  const { report } = await runOnReference(t, checks);
  t.deepEqual(outcomesOf(report), ['inconclusive', 'pass']);
  t.is(attempts, 4);
  t.is(tries, 3);
});

test('a check that exceeds its deadline is inconclusive, whether it obeys the signal or not', async (t) => {
  const obeying = (context: CheckContext): Promise<void> =>
    new Promise((_, reject) => {
      context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
    });
  const { report } = await runOnReference(
    t,
    checksOf({ 'root-vendor/obeying': obeying, 'root-vendor/ignoring': () => new Promise<void>(() => {}) }),
    { deadlineMs: 20 },
  );
  for (const { outcome, reason } of report.checks) {
    t.is(outcome, 'inconclusive');
    t.is(reason, 'The check did not finish within 0.02 s.');
  }
});

test('a rule of a later version is skipped', async (t) => {
  const checks = checksOf({ 'basic-set-cookie': async () => {} });
  const old = await runOnReference(t, checks, { serviceVersion: '3.3.9' });
  t.is(old.result.outcome, 'skipped');
  t.is(old.result.reason, 'The rule applies from version 3.4; the target declares 3.3.9.');
  t.is((await runOnReference(t, checks, { serviceVersion: '3.4' })).result.outcome, 'pass');
  t.is((await runOnReference(t, checks, { serviceVersion: '3.10.1' })).result.outcome, 'pass');
});

test('a check that always uses what came later is skipped without a request', async (t) => {
  const uses = { query: { feed: 'eventsource' } };
  const checks = checksOf({ 'root-vendor': { uses, run: async () => {} } });
  const { outcome, reason, requests } = (await runOnReference(t, checks, { serviceVersion: '1.2.0' })).result;
  t.is(outcome, 'skipped');
  t.is(reason, 'feed=eventsource applies from version 1.3.0; the target declares 1.2.0.');
  t.is(requests, 0);
  t.is((await runOnReference(t, checks, { serviceVersion: '1.3.0' })).result.outcome, 'pass');
});

test('what came after the version of the target is not sent', async (t) => {
  const reading = (request: FeedRequest): readonly Check[] =>
    checksOf({
      'root-vendor': async (context) => void (await readFeed(await context.createDatabase(), request)),
    });
  for (const [version, request, reason] of [
    ['1.2.9', { query: { since: 'now' } }, 'since=now applies from version 1.3.0'],
    ['1.3.1', { headers: { 'Last-Event-ID': '1' } }, 'Last-Event-ID applies from version 1.4.0'],
    ['0.10', { query: { include_docs: false } }, 'include_docs applies from version 0.11.0'],
    [
      '1.7',
      { query: { filter: '_selector' }, method: 'POST' },
      'filter=_selector applies from version 2.0.0',
    ],
  ] as const) {
    const { result } = await runOnReference(t, reading(request), { serviceVersion: version });
    t.is(result.outcome, 'skipped');
    t.is(result.reason, `${reason}; the target declares ${version}.`);
    // The only request of the check creates the database.
    t.is(result.requests, 1);
  }
});

test('a property tries other cases instead of those that use what came later', async (t) => {
  const sent: (FeedRequest | undefined)[] = [];
  const reading = (since: fc.Arbitrary<FeedQuery['since']>): readonly Check[] =>
    checksOf({
      'root-vendor': forAll(
        fc.record({ request: requests({ include_docs: true }), since }),
        async (context, { request, since }) => {
          await readFeed(await context.createDatabase(), withQuery(request, { since }));
          sent.push(withQuery(request, { since }));
        },
      ),
    });
  const options = { serviceVersion: '0.10.0', cases: 10, deadlineMs: 300_000 };
  const { result } = await runOnReference(t, reading(fc.constantFrom('now', 0)), options);
  t.like(result, { outcome: 'pass', cases: 10 });
  t.is(sent.length, 10);
  t.true(sent.every((request) => request?.query?.since === 0 && !('include_docs' in request.query)));

  const { result: skipped } = await runOnReference(t, reading(fc.constant('now')), options);
  t.is(skipped.outcome, 'skipped');
  t.is(skipped.reason, 'since=now applies from version 1.3.0; the target declares 0.10.0.');
});

test('a check is skipped if the target lacks a capability that the check or its rule needs', async (t) => {
  const run = async (): Promise<void> => {};
  const { report } = await runOnReference(
    t,
    checksOf({ 'root-vendor': { needs: ['cluster'], run }, 'cluster-converges': run }),
  );
  for (const { outcome, reason } of report.checks) {
    t.is(outcome, 'skipped');
    t.is(reason, 'The target lacks the capability "cluster": only one URL given.');
  }
});

test('checks that evaluate all traffic run last, and results keep their order', async (t) => {
  const order: string[] = [];
  const recording = (variant: string) => (): Promise<void> => Promise.resolve(void order.push(variant));
  const { report } = await runOnReference(
    t,
    checksOf({
      'root-vendor/a': { runsLast: true, run: recording('a') },
      'root-vendor/b': recording('b'),
      'root-vendor/c': recording('c'),
    }),
  );
  t.is(order.at(-1), 'a');
  t.deepEqual(
    report.checks.map(({ id }) => id),
    ['root-vendor/a', 'root-vendor/b', 'root-vendor/c'],
  );
});

test('the number of concurrent checks is limited', async (t) => {
  let running = 0;
  let most = 0;
  const run = async (context: CheckContext): Promise<void> => {
    most = Math.max(most, (running += 1));
    await context.target.request({ path: '/' });
    running -= 1;
  };
  const checks = checksOf(
    Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`root-vendor/${i}`, run])),
  );
  await runOnReference(t, checks, { concurrency: 3 });
  t.is(most, 3);
});

test('databases and users are removed, whatever a check throws', async (t) => {
  const creating = (end: unknown): Run => {
    return async (context) => {
      await context.createDatabase();
      await context.createUser({ nameEnd: ' é@x' });
      context.planUser();
      await context.inScope(async (inner) => void (await inner.createDatabase()));
      if (end) throw end as Error;
    };
  };
  const ends = [
    undefined,
    new Violation('wrong'),
    new Blocked('no'),
    new Inconclusive('late'),
    new Error('bug'),
  ];
  const { url } = await referenceServer(t);
  const before = await stateOf(url);
  const checks = ends.flatMap((end, i) => checksOf({ [`root-vendor/${String(i)}`]: creating(end) }));
  const report = await runConformance({ urls: [url], admin, checks });
  t.deepEqual(outcomesOf(report), ['pass', 'fail', 'blocked', 'inconclusive', 'error']);
  t.deepEqual(await stateOf(url), before);
  t.deepEqual(report.warnings, []);
});

test('a database that the target creates after the end of a check is removed', async (t) => {
  let checkEnded = (): void => {};
  const afterCheck = new Promise<void>((resolve) => (checkEnded = resolve));
  const server = await referenceServer(t, {
    components: (components) => ({
      ...components,
      handlers: {
        ...components.handlers,
        async putDatabase(request, context) {
          // The first database is for the probes, the second for the check.
          if (request.params.db.endsWith('-2')) await afterCheck;
          return components.handlers.putDatabase(request, context);
        },
      },
    }),
  });
  const before = await stateOf(server.url);
  const interruption = new AbortController();
  const run: Run = async (context) => {
    const database = context.createDatabase();
    interruption.abort();
    await database;
  };
  const { checks } = await runConformance({
    urls: [server.url],
    admin,
    checks: checksOf({ 'root-vendor': run }),
    signal: interruption.signal,
    deadlineMs: 100,
    onProgress: () => checkEnded(),
  });
  t.is(checks[0]?.outcome, 'inconclusive');
  t.deepEqual(await stateOf(server.url), before);
});

test('a request that violates the description is an internal error, unless it is deliberate or repeats a value of the target', async (t) => {
  const requesting = (options: Pick<TargetRequest, 'deliberatelyWrong' | 'echoesTarget'>): Run => {
    return async ({ target }) => void (await target.request({ path: '/', query: { x: 1 }, ...options }));
  };
  const { report } = await runOnReference(
    t,
    checksOf({
      'root-vendor/mistake': requesting({}),
      'root-vendor/deliberate': requesting({ deliberatelyWrong: true }),
      'root-vendor/echo': requesting({ echoesTarget: true }),
    }),
  );
  const [mistake, deliberate, echo] = report.checks;
  t.is(mistake?.outcome, 'error');
  t.regex(mistake!.reason!, /Internal error in docfeed, invalid request: getRoot has no query parameter "x"/);
  t.is(deliberate?.outcome, 'pass');
  t.is(echo?.outcome, 'blocked');
  t.regex(echo!.reason!, /A value from the target is invalid in a request: getRoot has no/);
});

test('a failure includes its exchanges, and the report contains no secret', async (t) => {
  const { report, result } = await runOnReference(
    t,
    checksOf({
      'root-vendor': async (context) => {
        const user = await context.createUser();
        await context.target.request({ path: '/_session', as: { basic: user } });
        context.observe('leaked', { password: `is ${admin.password}` });
        throw new Violation('The target leaks secrets', {
          path: '$',
          expected: `${user.name}, not ${admin.password}`,
          actual: { password: admin.password },
        });
      },
    }),
  );
  t.deepEqual(
    result.counterexample?.exchanges.map(({ request }) => request.method),
    ['PUT', 'GET'],
  );
  t.is(result.requests, 2);
  const text = JSON.stringify(report);
  t.false(text.includes(admin.password));
  t.false(text.includes(Buffer.from(`${admin.name}:${admin.password}`).toString('base64').slice(0, -4)));
});

test('background requests are neither evidence nor counted', async (t) => {
  const { result } = await runOnReference(
    t,
    checksOf({
      'root-vendor': async ({ target }) => {
        await target.request({ path: '/' });
        await target.request({ path: '/', background: true });
        throw new Violation('The value is wrong', { path: '$', expected: 1, actual: 2 });
      },
    }),
  );
  t.is(result.counterexample?.exchanges.length, 1);
  t.is(result.requests, 1);
});

test('a violation that is not JSON is an internal error and does not affect other checks', async (t) => {
  const { report } = await runOnReference(
    t,
    checksOf({
      'root-vendor/bigint': () =>
        Promise.reject(new Violation('The value is large', { path: '$', expected: 1, actual: 2n })),
      'root-vendor/right': () => Promise.resolve(),
    }),
  );
  t.deepEqual(outcomesOf(report), ['error', 'pass']);
  t.regex(report.checks[0]!.reason!, /BigInt/);
});

test('unfinished exchanges are evidence, with the part of the response that has arrived', async (t) => {
  const { result } = await runOnReference(
    t,
    checksOf({
      'root-vendor': async (context) => {
        const database = await context.createDatabase();
        const query = { feed: 'continuous', heartbeat: 50 };
        const open = await database.open({ path: '/_changes', query });
        await open.chunks[Symbol.asyncIterator]().next();
        const longpoll = database.request({ path: '/_changes', query: { feed: 'longpoll' } });
        longpoll.catch(() => {});
        throw new Violation('The response is missing');
      },
    }),
  );
  const responses = result.counterexample?.exchanges.map(({ response }) => response);
  t.deepEqual(
    responses?.map((response) => response?.unfinished),
    [undefined, true, undefined],
  );
  t.is(responses?.[1]?.chunks[0]?.text, '\n');
  t.is(responses?.[2], undefined);
});

test('texts of the suite are not redacted, whatever the password is', async (t) => {
  const server = await referenceServer(t, { admin: { name: 'admin', password: 'secret' } });
  const { checks } = await runConformance({
    urls: [server.url],
    admin: { name: 'admin', password: 'secret' },
    checks: checksOf({
      'root-vendor/needs': { needs: ['proxy-secret'], run: () => Promise.resolve() },
      'root-vendor/fails': () =>
        Promise.reject(new Violation('A secret', { path: '$', expected: 1, actual: 'secret' })),
      'root-vendor/quotes': () => Promise.reject(new Blocked('the target responds: secret')),
    }),
  });
  const [skipped, failed, blocked] = checks;
  t.regex(skipped!.reason!, /"proxy-secret"/);
  t.is(failed!.reason, 'A secret: at $ expected 1, got "[redacted]".');
  t.is(blocked!.reason, 'the target responds: [redacted]');
});

const isSmall: Run = forAll(
  fc.nat(1000),
  async (context, value) => {
    await context.target.request({ path: '/' });
    if (value >= 50) throw new Violation('The number is large');
  },
  { cases: { default: 200 } },
);

test('a property reports the smallest input with only its exchange, and a replay token', async (t) => {
  const checks = checksOf({ 'root-vendor': isSmall });
  const { result, server } = await runOnReference(t, checks, { seed: 1 });
  t.is(result.outcome, 'fail');
  t.deepEqual(result.counterexample?.input, 50);
  t.true(result.counterexample?.shrunk);
  t.is(result.counterexample?.exchanges.length, 1);
  t.true(result.cases > 1);

  const options = {
    urls: [server.url],
    admin,
    checks,
    replay: result.replay!,
    profile: 'smoke' as const,
    cases: 1,
  };
  const again = await runConformance(options);
  t.is(again.checks[0]?.outcome, 'fail');
  t.is(again.checks[0]?.cases, 1);
  t.deepEqual(again.checks[0]?.counterexample?.input, 50);
  t.is(again.checks[0]?.replay, result.replay);

  const { checks: unshrunk } = await runConformance({
    urls: [server.url],
    admin,
    checks,
    seed: 1,
    shrinkMs: 0,
  });
  t.is(unshrunk[0]?.counterexample?.shrunk, false, 'there was no time');

  const corrected = checksOf({ 'root-vendor': forAll(fc.nat(1000), async () => {}) });
  const fixed = await runConformance({
    urls: [server.url],
    admin,
    checks: corrected,
    replay: result.replay!,
  });
  t.is(fixed.checks[0]?.outcome, 'pass');
  t.is(fixed.checks[0]?.cases, 1);
});

test('the profile or the caller determines the number of cases of a property', async (t) => {
  const passing = (cases?: Record<'smoke' | 'default' | 'thorough', number>): readonly Check[] =>
    checksOf({ 'root-vendor': forAll(fc.nat(), async () => {}, cases ? { cases } : {}) });
  const counted = async (checks: readonly Check[], options: Partial<ConformanceOptions>): Promise<number> =>
    (await runOnReference(t, checks, options)).result.cases;
  t.is(await counted(passing({ smoke: 2, default: 5, thorough: 9 }), { profile: 'smoke' }), 2);
  t.is(await counted(passing({ smoke: 2, default: 5, thorough: 9 }), {}), 5);
  t.is(await counted(passing({ smoke: 2, default: 5, thorough: 9 }), { profile: 'thorough' }), 9);
  t.is(await counted(passing(), { cases: 7 }), 7);
});

test('without an administrator, checks that need none run, and the report warns', async (t) => {
  const server = await referenceServer(t);
  const report = await runConformance({
    urls: [server.url],
    checks: checksOf({
      'root-greeting': async () => {},
      'users-create': async () => {},
      'feed-shape': async (context) => void (await context.createDatabase()),
    }),
  });
  t.deepEqual(outcomesOf(report), ['pass', 'skipped', 'blocked']);
  t.regex(report.warnings.join(), /^Only administrators can create databases/);
});

test('the dialect is that of the greeting unless one is given', async (t) => {
  const server = await referenceServer(t, { dialect: 'couchdb' });
  const checks = checksOf({ 'root-greeting': async () => {} });
  const detected = await runConformance({ urls: [server.url], admin, checks });
  t.is(detected.target.dialect, 'couchdb');
  t.is(detected.target.version, (detected.target.greeting as { version: string }).version);
  const wanted = await runConformance({ urls: [server.url], admin, checks, dialect: 'service' });
  t.is(wanted.target.dialect, 'service');
});

test('refuses nodes with different dialects', async (t) => {
  const [one, other] = [await referenceServer(t), await referenceServer(t, { dialect: 'couchdb' })];
  await t.throwsAsync(runConformance({ urls: [one.url, other.url], admin }), {
    instanceOf: Refusal,
    message: /different dialects/,
  });
});

/** A property that fails for small numbers in one way, and for some others in another way. */
const numbers = (fails: (value: number) => string | undefined): readonly Check[] =>
  checksOf({
    'root-vendor': forAll(fc.integer({ min: 0, max: 1000 }), (_, value) => {
      const what = fails(value);
      if (what === undefined) return Promise.resolve();
      return Promise.reject(new Violation(what, { path: '$.value', expected: 0, actual: value }));
    }),
  });

test('a known failure does not hide another one of the same check', async (t) => {
  const baseline = join(await emptyFolder(t), 'baseline.yaml');
  await writeFile(baseline, '- { check: root-vendor, reason: expected, message: The value is odd }');
  // Not among the large values, so that a search that halves steps finds the smallest of these.
  const isOdd = (value: number) => (value < 400 && value % 2 === 1 ? 'The value is odd' : undefined);
  const options = { baseline, cases: 100, seed: 1 };

  const known = await runOnReference(t, numbers(isOdd), options);
  t.is(known.result.outcome, 'known');
  t.is(known.result.cases, 100);
  t.is((known.result.counterexample!.input as number) % 2, 1);

  const isLarge = (value: number) => isOdd(value) ?? (value >= 500 ? 'The value is large' : undefined);
  const other = await runOnReference(t, numbers(isLarge), options);
  t.is(other.result.outcome, 'fail');
  t.like(other.result.counterexample, { message: 'The value is large', input: 500 });
});
