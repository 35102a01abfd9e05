import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { check, type Check, type CheckContext, forAll, type Run } from './check.js';
import { httpError } from '../reference/index.js';
import { type ConformanceOptions, Refusal, runConformance } from './index.js';
import { Blocked, Inconclusive, Skip, Violation } from './verdict/outcomes.js';
import type { TargetRequest } from './client/client.js';
import { admin, referenceServer } from './testing/reference.js';
import { unhandledRejections } from './testing/unhandled.js';

/** Runs checks of the test against a reference server of its own. */
async function judged(
  t: ExecutionContext,
  checks: readonly Check[],
  options: Partial<ConformanceOptions> = {},
) {
  const server = await referenceServer(t);
  const report = await runConformance({ urls: [server.url], admin, checks, ...options });
  return { report, server, result: report.checks[0]! };
}

const throwing = (verdict: Error): Run => {
  return () => Promise.reject(verdict);
};

test('each verdict has its outcome', async (t) => {
  const verdicts = {
    pass: async () => {},
    fail: throwing(new Violation('It is wrong', { path: '$.a', expected: 1, actual: 2 })),
    skip: throwing(new Skip('It is not offered.')),
    block: throwing(new Blocked('It cannot begin.')),
    error: throwing(new TypeError('x is not a function')),
  };
  const { report } = await judged(
    t,
    Object.entries(verdicts).map(([variant, run]) => check({ rule: 'root-vendor', variant, run })),
  );
  t.deepEqual(
    report.checks.map(({ id, outcome, reason }) => [id, outcome, reason]),
    [
      ['root-vendor/pass', 'pass', undefined],
      ['root-vendor/fail', 'fail', 'It is wrong: at $.a expected 1, got 2.'],
      ['root-vendor/skip', 'skipped', 'It is not offered.'],
      ['root-vendor/block', 'blocked', 'It cannot begin.'],
      ['root-vendor/error', 'error', 'TypeError: x is not a function'],
    ],
  );
  t.like(report.summary, { pass: 1, fail: 1, skipped: 1, blocked: 1, error: 1, warn: 0, known: 0 });
});

test('a target that breaks off writes that go on beside a check blocks that check, not the run', async (t) => {
  const server = await referenceServer(t, {
    parts: (parts) => ({
      ...parts,
      handlers: {
        ...parts.handlers,
        bulkDocs(request, context) {
          if (JSON.stringify(request.body).includes('"busy-2"')) throw httpError(403, 'forbidden', 'Enough.');
          return parts.handlers.bulkDocs(request, context);
        },
      },
    }),
  });
  const unhandled = unhandledRejections(t);
  const only = ['heartbeat-lines', 'root-greeting'];
  const { checks } = await runConformance({ urls: [server.url], admin, only, runs: 20, seed: 1 });
  t.deepEqual(unhandled, []);
  t.deepEqual(
    checks.map(({ id, outcome }) => [id, outcome]),
    [
      ['root-greeting', 'pass'],
      ['heartbeat-lines', 'blocked'],
    ],
  );
});

test('an inconclusive check is run again three times, and a later verdict counts', async (t) => {
  let attempts = 0;
  const never = check({
    rule: 'root-vendor',
    variant: 'never',
    run() {
      attempts += 1;
      return Promise.reject(new Inconclusive('Too slow.'));
    },
  });
  let tries = 0;
  const late = check({
    rule: 'root-vendor',
    variant: 'late',
    run() {
      tries += 1;
      return tries < 3 ? Promise.reject(new Inconclusive('Too slow.')) : Promise.resolve();
    },
  });
  const { report } = await judged(t, [never, late]);
  t.deepEqual(
    report.checks.map(({ outcome }) => outcome),
    ['inconclusive', 'pass'],
  );
  t.is(attempts, 4);
  t.is(tries, 3);
});

test('a check that waits longer than it may is inconclusive, whether it heeds the signal or not', async (t) => {
  const heeding = (context: CheckContext): Promise<void> =>
    new Promise((_, reject) => {
      context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
    });
  const { report } = await judged(
    t,
    [
      check({ rule: 'root-vendor', variant: 'heeding', run: heeding }),
      check({ rule: 'root-vendor', variant: 'deaf', run: () => new Promise<void>(() => {}) }),
    ],
    { deadlineMs: 20 },
  );
  for (const { outcome, reason } of report.checks) {
    t.is(outcome, 'inconclusive');
    t.is(reason, 'The check was not done after 0.02 s.');
  }
});

test('a rule that is younger than the target is skipped, and one that is not is judged', async (t) => {
  const checks = [check({ rule: 'basic-set-cookie', run: async () => {} })];
  const old = await judged(t, checks, { serviceVersion: '3.3.9' });
  t.is(old.result.outcome, 'skipped');
  t.is(old.result.reason, 'The rule is there since version 3.4; the target declares 3.3.9.');
  t.is((await judged(t, checks, { serviceVersion: '3.4' })).result.outcome, 'pass');
  t.is((await judged(t, checks, { serviceVersion: '3.10.1' })).result.outcome, 'pass');
});

test('what the target does not offer skips a check, by the needs of the check and of its rule', async (t) => {
  const run = async (): Promise<void> => {};
  const { report } = await judged(t, [
    check({ rule: 'root-vendor', needs: ['cluster'], run }),
    check({ rule: 'cluster-converges', run }),
  ]);
  for (const { outcome, reason } of report.checks) {
    t.is(outcome, 'skipped');
    t.is(reason, 'The target does not offer "cluster": one URL was given.');
  }
});

test('checks of the traffic come last, and results stay in order', async (t) => {
  const order: string[] = [];
  const noting = (variant: string, last: boolean): Check =>
    check({ rule: 'root-vendor', variant, last, run: () => Promise.resolve(void order.push(variant)) });
  const { report } = await judged(t, [noting('a', true), noting('b', false), noting('c', false)]);
  t.is(order.at(-1), 'a');
  t.deepEqual(
    report.checks.map(({ id }) => id),
    ['root-vendor/a', 'root-vendor/b', 'root-vendor/c'],
  );
});

test('no more checks than allowed run beside each other', async (t) => {
  let running = 0;
  let most = 0;
  const run = async (context: CheckContext): Promise<void> => {
    most = Math.max(most, (running += 1));
    await context.target.request({ path: '/' });
    running -= 1;
  };
  const checks = Array.from({ length: 12 }, (_, i) =>
    check({ rule: 'root-vendor', variant: String(i), run }),
  );
  await judged(t, checks, { concurrency: 3 });
  t.is(most, 3);
});

/** What is on the server that the server did not bring itself. */
async function leftOn(url: string): Promise<unknown> {
  const headers = {
    Authorization: `Basic ${Buffer.from(`${admin.name}:${admin.password}`).toString('base64')}`,
  };
  const databases = (await (await fetch(`${url}/_all_dbs`, { headers })).json()) as string[];
  const users = (await (await fetch(`${url}/_users/_all_docs`, { headers })).json()) as {
    rows: { id: string }[];
  };
  return [
    databases.filter((name) => !name.startsWith('_')),
    users.rows.map(({ id }) => id).filter((id) => !id.startsWith('_design/')),
  ];
}

test('databases and users are removed however a check ends', async (t) => {
  const making = (end: unknown): Run => {
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
  const { report, server } = await judged(
    t,
    ends.map((end, i) => check({ rule: 'root-vendor', variant: String(i), run: making(end) })),
  );
  t.deepEqual(
    report.checks.map(({ outcome }) => outcome),
    ['pass', 'fail', 'blocked', 'inconclusive', 'error'],
  );
  t.deepEqual(await leftOn(server.url), [[], []]);
  t.deepEqual(report.warnings, []);
});

test('what the target makes after the time of a check goes too', async (t) => {
  let made = (): void => {};
  const late = new Promise<void>((resolve) => (made = resolve));
  const server = await referenceServer(t, {
    parts: (parts) => ({
      ...parts,
      handlers: {
        ...parts.handlers,
        async putDatabase(request, context) {
          // The second is that of the check; the first is the one that tells what the target offers.
          if (request.params.db.endsWith('-2')) await late;
          return parts.handlers.putDatabase(request, context);
        },
      },
    }),
  });
  const interrupt = new AbortController();
  const run: Run = async (context) => {
    const database = context.createDatabase();
    interrupt.abort();
    // Nothing tells that a run has begun to remove what it made, before it can.
    setTimeout(made, 300);
    await database;
    context.signal.throwIfAborted();
  };
  const checks = [check({ rule: 'root-vendor', run })];
  await runConformance({ urls: [server.url], admin, checks, signal: interrupt.signal });
  t.deepEqual(await leftOn(server.url), [[], []]);
});

test('an interrupted run says what was not done, and removes what it made', async (t) => {
  const interrupt = new AbortController();
  const checks = [
    check({
      rule: 'root-vendor',
      variant: 'under-way',
      async run(context) {
        await context.createDatabase();
        interrupt.abort();
        await context.target.request({ path: '/' });
      },
    }),
    check({ rule: 'root-vendor', variant: 'not-begun', run: async () => {} }),
  ];
  const { report, server } = await judged(t, checks, { signal: interrupt.signal, concurrency: 1 });
  for (const { outcome, reason } of report.checks) {
    t.is(outcome, 'inconclusive');
    t.is(reason, 'The run was interrupted.');
  }
  t.deepEqual(await leftOn(server.url), [[], []]);
});

test('a request outside the description is an error of the kit, unless it is meant or comes from the target', async (t) => {
  const asking = (kind: Pick<TargetRequest, 'deliberatelyWrong' | 'echoesTarget'>): Run => {
    return async ({ target }) => void (await target.request({ path: '/', query: { x: 1 }, ...kind }));
  };
  const { report } = await judged(t, [
    check({ rule: 'root-vendor', variant: 'slip', run: asking({}) }),
    check({ rule: 'root-vendor', variant: 'meant', run: asking({ deliberatelyWrong: true }) }),
    check({ rule: 'root-vendor', variant: 'echo', run: asking({ echoesTarget: true }) }),
  ]);
  const [slip, meant, echo] = report.checks;
  t.is(slip?.outcome, 'error');
  t.regex(slip!.reason!, /The kit sent what it must not: getRoot has no query parameter "x"/);
  t.is(meant?.outcome, 'pass');
  t.is(echo?.outcome, 'blocked');
  t.regex(echo!.reason!, /The target gave what cannot be sent back to it: getRoot has no/);
});

test('a failure comes with its exchanges, and no secret is in the report', async (t) => {
  const { report, result } = await judged(t, [
    check({
      rule: 'root-vendor',
      async run(context) {
        const user = await context.createUser();
        await context.target.request({ path: '/_session', as: { basic: user } });
        context.observe('told', { password: `is ${admin.password}` });
        throw new Violation('It tells them', {
          path: '$',
          expected: `${user.name}, not ${admin.password}`,
          actual: { password: admin.password },
        });
      },
    }),
  ]);
  t.deepEqual(
    result.counterexample?.exchanges.map(({ request }) => request.method),
    ['PUT', 'GET'],
  );
  t.is(result.requests, 2);
  const text = JSON.stringify(report);
  t.false(text.includes(admin.password));
  t.false(text.includes(Buffer.from(`${admin.name}:${admin.password}`).toString('base64').slice(0, -4)));
});

test('what was asked in passing is no evidence', async (t) => {
  const { result } = await judged(t, [
    check({
      rule: 'root-vendor',
      async run({ target }) {
        await target.request({ path: '/' });
        await target.request({ path: '/', background: true });
        throw new Violation('It fails', { path: '$', expected: 1, actual: 2 });
      },
    }),
  ]);
  t.is(result.counterexample?.exchanges.length, 1);
  t.is(result.requests, 2);
});

test('a violation that no report can hold is a fault of the kit, and the other checks have their verdicts', async (t) => {
  const { report } = await judged(t, [
    check({
      rule: 'root-vendor',
      variant: 'unspeakable',
      run: () => Promise.reject(new Violation('It is large', { path: '$', expected: 1, actual: 2n })),
    }),
    check({ rule: 'root-vendor', variant: 'right', run: () => Promise.resolve() }),
  ]);
  t.deepEqual(
    report.checks.map(({ outcome }) => outcome),
    ['error', 'pass'],
  );
  t.regex(report.checks[0]!.reason!, /BigInt/);
});

test('a request without an answer is evidence too, and what has come of one that goes on', async (t) => {
  const { result } = await judged(t, [
    check({
      rule: 'root-vendor',
      async run(context) {
        const database = await context.createDatabase();
        const query = { feed: 'continuous', heartbeat: 50 };
        const open = await database.open({ path: '/_changes', query });
        await open.chunks[Symbol.asyncIterator]().next();
        const longpoll = database.request({ path: '/_changes', query: { feed: 'longpoll' } });
        longpoll.catch(() => {});
        throw new Violation('It waits');
      },
    }),
  ]);
  const responses = result.counterexample?.exchanges.map(({ response }) => response);
  t.deepEqual(
    responses?.map((response) => response?.unfinished),
    [undefined, true, undefined],
  );
  t.is(responses?.[1]?.chunks[0]?.text, '\n');
  t.is(responses?.[2], undefined);
});

test('the words of the kit stay, whatever the password is', async (t) => {
  const server = await referenceServer(t, { admin: { name: 'admin', password: 'secret' } });
  const { checks } = await runConformance({
    urls: [server.url],
    admin: { name: 'admin', password: 'secret' },
    checks: [
      check({ rule: 'root-vendor', variant: 'needs', needs: ['proxy-secret'], run: () => Promise.resolve() }),
      check({
        rule: 'root-vendor',
        variant: 'fails',
        run: () => Promise.reject(new Violation('A secret', { path: '$', expected: 1, actual: 'secret' })),
      }),
      check({
        rule: 'root-vendor',
        variant: 'quotes',
        run: () => Promise.reject(new Blocked('the target says: secret')),
      }),
    ],
  });
  const [skipped, failed, blocked] = checks;
  t.regex(skipped!.reason!, /"proxy-secret"/);
  t.is(failed!.reason, 'A secret: at $ expected 1, got "[redacted]".');
  t.is(blocked!.reason, 'the target says: [redacted]');
});

const isSmall: Run = forAll(
  fc.nat(1000),
  async (context, value) => {
    await context.target.request({ path: '/' });
    if (value >= 50) throw new Violation('The number is large');
  },
  { runs: { default: 200 } },
);

test('a property reports the smallest input, its exchange alone, and a token that leads back', async (t) => {
  const checks = [check({ rule: 'root-vendor', run: isSmall })];
  const { result, server } = await judged(t, checks, { seed: 1 });
  t.is(result.outcome, 'fail');
  t.deepEqual(result.counterexample?.input, 50);
  t.is(result.counterexample?.exchanges.length, 1);
  t.true(result.runs > 1);

  const options = {
    urls: [server.url],
    admin,
    checks,
    replay: result.replay!,
    profile: 'smoke' as const,
    runs: 1,
  };
  const again = await runConformance(options);
  t.is(again.checks[0]?.outcome, 'fail');
  t.is(again.checks[0]?.runs, 1);
  t.deepEqual(again.checks[0]?.counterexample?.input, 50);
  t.is(again.checks[0]?.replay, result.replay);

  const mended = [check({ rule: 'root-vendor', run: forAll(fc.nat(1000), async () => {}) })];
  const fixed = await runConformance({ urls: [server.url], admin, checks: mended, replay: result.replay! });
  t.is(fixed.checks[0]?.outcome, 'pass');
  t.is(fixed.checks[0]?.runs, 1);
});

test('a property has as many cases as the profile, or the caller, says', async (t) => {
  const holding = (runs?: Record<'smoke' | 'default' | 'thorough', number>): Check[] => [
    check({ rule: 'root-vendor', run: forAll(fc.nat(), async () => {}, runs ? { runs } : {}) }),
  ];
  const counted = async (checks: Check[], options: Partial<ConformanceOptions>): Promise<number> =>
    (await judged(t, checks, options)).result.runs;
  t.is(await counted(holding({ smoke: 2, default: 5, thorough: 9 }), { profile: 'smoke' }), 2);
  t.is(await counted(holding({ smoke: 2, default: 5, thorough: 9 }), {}), 5);
  t.is(await counted(holding({ smoke: 2, default: 5, thorough: 9 }), { profile: 'thorough' }), 9);
  t.is(await counted(holding(), { runs: 7 }), 7);
});

test('the same seed gives the same cases', async (t) => {
  const cases = async (seed: number): Promise<number[]> => {
    const seen: number[] = [];
    const run = forAll(fc.nat(), (_, value) => Promise.resolve(void seen.push(value)));
    await judged(t, [check({ rule: 'root-vendor', run })], { seed });
    return seen;
  };
  t.deepEqual(await cases(5), await cases(5));
  t.notDeepEqual(await cases(5), await cases(6));
});

test('a case that cannot be judged ends the property with its reason', async (t) => {
  let cases = 0;
  const run = forAll(fc.nat(), () => {
    cases += 1;
    return cases === 3 ? Promise.reject(new Blocked('It cannot go on.')) : Promise.resolve();
  });
  const { result } = await judged(t, [check({ rule: 'root-vendor', run })]);
  t.is(result.outcome, 'blocked');
  t.is(cases, 3);
});

test('a violation stands although a smaller case could not be judged', async (t) => {
  let cases = 0;
  const run = forAll(fc.nat({ max: 1000 }), () => {
    cases += 1;
    return Promise.reject(cases === 1 ? new Violation('It is wrong') : new Inconclusive('Nobody knows.'));
  });
  const { result } = await judged(t, [check({ rule: 'root-vendor', run })], { seed: 3 });
  t.is(result.outcome, 'fail');
  t.is(cases, 2);
});

test('the baseline turns expected failures into known ones, and tells when they are gone', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(dir, { recursive: true }));
  const baseline = join(dir, 'baseline.yaml');
  await writeFile(
    baseline,
    '- { check: root-vendor/bad, reason: known }\n- { check: root-vendor/good, reason: gone }\n',
  );
  const { report } = await judged(
    t,
    [
      check({ rule: 'root-vendor', variant: 'bad', run: throwing(new Violation('wrong')) }),
      check({ rule: 'root-vendor', variant: 'good', run: async () => {} }),
    ],
    { baseline },
  );
  t.deepEqual(
    report.checks.map(({ outcome }) => outcome),
    ['known', 'error'],
  );
});

test('without an administrator, what needs none is judged and the report says what is lacking', async (t) => {
  const server = await referenceServer(t);
  const report = await runConformance({
    urls: [server.url],
    checks: [
      check({ rule: 'root-greeting', run: async () => {} }),
      check({ rule: 'users-create', run: async () => {} }),
      check({ rule: 'feed-shape', run: async (context) => void (await context.createDatabase()) }),
    ],
  });
  t.deepEqual(
    report.checks.map(({ outcome }) => outcome),
    ['pass', 'skipped', 'blocked'],
  );
  t.regex(report.warnings.join(), /^The target lets only administrators create databases/);
});

test('the dialect is that of the greeting, or the one that is asked for', async (t) => {
  const server = await referenceServer(t, { dialect: 'couchdb' });
  const checks = [check({ rule: 'root-greeting', run: async () => {} })];
  const detected = await runConformance({ urls: [server.url], admin, checks });
  t.is(detected.target.dialect, 'couchdb');
  t.is(detected.target.version, (detected.target.greeting as { version: string }).version);
  const wanted = await runConformance({ urls: [server.url], admin, checks, dialect: 'service' });
  t.is(wanted.target.dialect, 'service');
});

test('nodes of different dialects are no cluster', async (t) => {
  const [one, other] = [await referenceServer(t), await referenceServer(t, { dialect: 'couchdb' })];
  await t.throwsAsync(runConformance({ urls: [one.url, other.url], admin }), {
    instanceOf: Refusal,
    message: /different dialects/,
  });
});
