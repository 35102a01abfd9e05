/** `--configure` against the reference server: what is changed, when, and that all is as before afterwards. */
import { createPublicKey } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { check, type Check, type CheckContext } from '../checks/check.js';
import { type ConformanceOptions, checks as suite, Refusal, runConformance } from '../index.js';
import { Violation } from '../runner/verdict.js';
import { handlerList } from '../target/handlers.js';
import { admin, referenceServer } from '../testing/reference.js';
import { adminFetch, everyHandler, plain, stateOf } from './testing/target-state.js';

const timeout = 'chttpd/changes_timeout';

async function folder(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(dir, { recursive: true }));
  return dir;
}

/** Runs checks of the test with `--configure`, and says how the target was before and after. */
async function configured(
  t: ExecutionContext,
  checks: readonly Check[],
  options: Partial<ConformanceOptions> = {},
) {
  const server = await referenceServer(t, { config: everyHandler });
  const journalDir = await folder(t);
  const before = await stateOf(server.url);
  const report = await runConformance({
    ...{ urls: [server.url], admin, checks, configure: true, journalDir },
    ...options,
  });
  t.deepEqual(await stateOf(server.url), before);
  t.deepEqual(await readdir(journalDir), [], 'the journal of a run that owes nothing goes away');
  return report;
}

const asking = (what: string, settings: Check['settings'], run: (context: CheckContext) => unknown): Check =>
  check({
    ...{ rule: 'root-greeting', what, settings },
    run: async (context) => {
      await run(context);
    },
  });

test('checks see their settings in force, those that want the same at once and no others meanwhile', async (t) => {
  const seen: [string, unknown, unknown][] = [];
  const note =
    (what: string) =>
    async ({ target }: CheckContext): Promise<void> => {
      const { text } = await target.request({ path: `/_node/_local/_config/${timeout}`, as: 'admin' });
      seen.push([what, JSON.parse(text), target.setting(timeout)]);
    };
  const report = await configured(t, [
    asking('short', { [timeout]: '1000' }, note('short')),
    asking('shorter', { [timeout]: '500' }, note('shorter')),
    asking('any', {}, note('any')),
    asking('short too', { [timeout]: '1000' }, note('short too')),
  ]);
  t.deepEqual(
    report.checks.map(({ outcome }) => outcome),
    ['pass', 'pass', 'pass', 'pass'],
  );
  t.deepEqual(seen[0], ['any', '60000', '60000']);
  t.deepEqual(
    seen.slice(1, 3).sort(([a], [b]) => a.localeCompare(b)),
    [
      ['short', '1000', '1000'],
      ['short too', '1000', '1000'],
    ],
  );
  t.deepEqual(seen[3], ['shorter', '500', '500']);
});

test('a setting of a group counts in what checks are told of authentication', async (t) => {
  const settings = {
    'jwt_auth/required_claims': 'nbf, {iss, "x"}',
    'jwt_auth/roles_claim_path': 'a.b\\.c',
    'chttpd_auth/proxy_use_secret': 'true',
  };
  let told: CheckContext['target'] | undefined;
  const report = await configured(t, [
    asking('authentication', settings, ({ target }) => {
      told = target;
    }),
  ]);
  t.is(report.checks[0]?.outcome, 'pass', report.checks[0]?.reason);
  t.deepEqual(told?.auth.jwt.requiredClaims, [{ name: 'nbf' }, { name: 'iss', value: 'x' }]);
  t.deepEqual(told?.auth.jwt.rolesClaim, ['a', 'b.c']);
  t.true(told?.auth.proxy.tokenRequired);
  t.true(told?.has('proxy-secret'));
});

test('keys of all kinds are there, one of them the default, in the form that jwt_keys has', async (t) => {
  const names: string[] = [];
  const report = await configured(t, [
    asking('keys', {}, async ({ target }) => {
      const section = await target.request({ path: '/_node/_local/_config/jwt_keys', as: 'admin' });
      const values = section.object();
      for (const { type, kid, key } of target.auth.jwt.keys) {
        const value = String(values[`${type}:${kid ?? '_default'}`]);
        names.push(`${type}:${kid?.replace(/[0-9a-f]{8}/, 'run') ?? '_default'}`);
        if (type === 'hmac') t.is(value, key.export().toString('base64'));
        else t.true(createPublicKey(value.replaceAll('\\n', '\n')).equals(createPublicKey(key)));
      }
    }),
  ]);
  t.is(report.checks[0]?.outcome, 'pass', report.checks[0]?.reason);
  t.deepEqual(names, [
    ...['hmac:docfeed-run-secret', 'hmac:_default', 'rsa:docfeed-run', 'rsa:_default'],
    ...['ec:docfeed-run', 'ec:_default', 'hmac:docfeed-run=1'],
  ]);
  const there = report.target.capabilities.flatMap(({ name, available }) => (available ? name : []));
  for (const name of ['config-write', 'jwt-hmac', 'jwt-rsa', 'jwt-ec', 'jwt-required-claims', 'proxy']) {
    t.true(there.includes(name), name);
  }
});

test('without --configure settings that are right will do, and others skip with what they should be', async (t) => {
  const server = await referenceServer(t);
  const checks = [
    asking('right', { [timeout]: '60000' }, () => {}),
    asking('wrong', { [timeout]: '1000', 'jwt_auth/roles_claim_path': null }, () => {}),
  ];
  const { checks: results } = await runConformance({ urls: [server.url], admin, checks });
  t.deepEqual(
    results.map(({ outcome, reason }) => [outcome, reason]),
    [
      ['pass', undefined],
      [
        'skipped',
        `It judges the target with ${timeout} = 1000, no jwt_auth/roles_claim_path, which is not so; ` +
          '--configure would set it.',
      ],
    ],
  );
});

for (const dialect of ['service', 'couchdb'] as const) {
  test(`handlers that are missing are added for the run, and proxies must send a token: ${dialect}`, async (t) => {
    const handlers = 'chttpd/authentication_handlers';
    const written: string[] = [];
    const server = await referenceServer(t, {
      dialect,
      config: plain,
      components: (parts) => ({
        ...parts,
        handlers: {
          ...parts.handlers,
          putConfigKey(request, context) {
            written.push(`${request.params.section}/${request.params.key}`);
            return parts.handlers.putConfigKey(request, context);
          },
        },
      }),
    });
    const before = await stateOf(server.url);
    let list: unknown;
    const asked = asking('handlers', {}, async ({ target }) => {
      list = target.setting(handlers);
      const session = await target.request({ path: '/_session', as: 'admin' });
      t.like(session.object(), { info: { authentication_handlers: ['cookie', 'default', 'proxy', 'jwt'] } });
    });
    const options = { urls: [server.url], admin, configure: true, journalDir: await folder(t), seed: 1 };
    const report = await runConformance({
      ...options,
      checks: [asked, ...suite.filter(({ rule }) => /^(proxy|jwt)-/.test(rule))],
      runs: 2,
    });
    t.deepEqual(
      report.checks.filter(({ outcome }) => outcome !== 'pass').map(({ id, reason }) => [id, reason]),
      [],
    );
    t.is(list, handlerList(['cookie', 'default', 'proxy', 'jwt'], dialect));
    t.true(written.indexOf('chttpd_auth/proxy_use_secret') < written.indexOf(handlers));
    t.deepEqual(report.target.provided?.slice(0, 2), ['chttpd_auth/proxy_use_secret', handlers]);
    t.deepEqual(await stateOf(server.url), before);
  });
}

test('a target that reads its handlers at start only gets its list back at once, and skips say so', async (t) => {
  const server = await referenceServer(t, {
    config: plain,
    components: (parts) => ({
      ...parts,
      handlers: {
        ...parts.handlers,
        async getSession(request, context) {
          const answer = await parts.handlers.getSession(request, context);
          const { info } = answer.body as { info: object };
          const body = { ...answer.body, info: { ...info, authentication_handlers: ['cookie', 'default'] } };
          return { ...answer, body } as typeof answer;
        },
      },
    }),
  });
  const before = await stateOf(server.url);
  const handlers = 'chttpd/authentication_handlers';
  const asked = asking('handlers', {}, async ({ target }) => {
    const { text } = await target.request({ path: `/_node/_local/_config/${handlers}`, as: 'admin' });
    t.is(JSON.parse(text), 'cookie, default');
    t.is(target.setting(handlers), 'cookie, default');
  });
  const { checks: results } = await runConformance({
    ...{ urls: [server.url], admin, configure: true, journalDir: await folder(t), seed: 1 },
    checks: [asked, ...suite.filter(({ rule }) => /^(proxy|jwt)-/.test(rule))],
  });
  const outcomes = new Map(results.map((result) => [result.id, result]));
  for (const id of [asked.id, 'proxy-handler-required', 'jwt-handler-required']) {
    t.is(outcomes.get(id)?.outcome, 'pass', outcomes.get(id)?.reason);
    outcomes.delete(id);
  }
  const why =
    ', and adding it to chttpd/authentication_handlers has no effect: the target reads that when it starts.';
  for (const { id, outcome, reason } of outcomes.values()) {
    t.is(outcome, 'skipped', id);
    t.true(reason?.endsWith(why), `${id}: ${reason}`);
  }
  t.deepEqual(await stateOf(server.url), before);
});

test('what the target refuses to be set blocks the checks that want it, and nothing else', async (t) => {
  const report = await configured(t, [
    asking('refused', { 'jwt_auth/roles_claim_name': 'x', [timeout]: 'soon' }, () => t.fail()),
    asking('other', {}, () => {}),
  ]);
  t.deepEqual(
    report.checks.map(({ outcome, reason }) => [outcome, reason]),
    [
      ['blocked', `${timeout} cannot be set: PUT is answered with 400.`],
      ['pass', undefined],
    ],
  );
});

test('keys and secrets of the run are in no report, and other values are not taken for secrets', async (t) => {
  let secrets: string[] = [];
  const report = await configured(t, [
    asking('leaking', {}, async ({ target }) => {
      secrets = [
        target.auth.proxy.secret!,
        ...target.auth.jwt.keys
          .filter(({ type }) => type === 'hmac')
          .map(({ key }) => key.export().toString('base64')),
      ];
      await target.request({ path: '/_node/_local/_config/jwt_keys', as: 'admin' });
      throw new Violation('It tells them', { path: '$', expected: 'nothing', actual: secrets.join(' ') });
    }),
  ]);
  t.is(secrets.length, 4);
  const text = JSON.stringify(report);
  for (const secret of secrets) t.false(text.includes(secret));
  t.regex(report.checks[0]!.reason!, /^It tells them: at \$ expected nothing, got "\[redacted\]/);
});

test('what cannot be put back is said, and stays in the journal and behind the lock', async (t) => {
  const server = await referenceServer(t, {
    config: everyHandler,
    components: (parts) => ({
      ...parts,
      handlers: {
        ...parts.handlers,
        deleteConfigKey: () => ({ status: 403, body: { error: 'forbidden', reason: 'no' } }) as never,
      },
    }),
  });
  const journalDir = await folder(t);
  const options = { urls: [server.url], admin, configure: true, journalDir, checks: [] };
  const { warnings } = await runConformance(options);
  t.regex(
    warnings[0]!,
    /^Left on the target: lock, setting jwt_keys\/.* and \d+ more; `docfeed restore` tries again\.$/,
  );
  t.is((await readdir(journalDir)).length, 1);
  await t.throwsAsync(runConformance(options), { instanceOf: Refusal });
});

test('an interrupted run puts everything back', async (t) => {
  const interrupted = new AbortController();
  const report = await configured(
    t,
    [
      asking('waits', { [timeout]: '1000' }, async (context) => {
        await context.createDatabase();
        interrupted.abort();
        await new Promise((_, reject) =>
          context.signal.addEventListener('abort', () => reject(context.signal.reason as Error)),
        );
      }),
    ],
    { signal: interrupted.signal },
  );
  t.is(report.checks[0]?.outcome, 'inconclusive');
});

test('two runs do not tread on each other: the second says who is at work', async (t) => {
  const server = await referenceServer(t, { config: everyHandler });
  const [journalDir, other] = [await folder(t), await folder(t)];
  const options = { urls: [server.url], admin, configure: true };
  const second = asking('second', {}, async () => {
    const error = await t.throwsAsync(runConformance({ ...options, journalDir: other, checks: [] }), {
      instanceOf: Refusal,
    });
    t.is(error.exitCode, 3);
    t.regex(
      error.message,
      /^run [0-9a-f]{8} on \S+ changes the settings of this target since 2\d{3}-.*restore/,
    );
  });
  const { checks } = await runConformance({ ...options, journalDir, checks: [second] });
  t.is(checks[0]?.outcome, 'pass', checks[0]?.reason);
  t.deepEqual(await readdir(other), []);
  t.is((await adminFetch(server.url, '/docfeed-lock')).status, 404);
});

test('a target without a configuration is left as it is, with a warning', async (t) => {
  const missing = () => ({ status: 404, body: { error: 'x', reason: 'y' } }) as never;
  const server = await referenceServer(t, {
    components: (parts) => ({
      ...parts,
      handlers: { ...parts.handlers, getConfigSection: missing, getConfigKey: missing },
    }),
  });
  const journalDir = await folder(t);
  const report = await runConformance({ urls: [server.url], admin, configure: true, journalDir, checks: [] });
  t.deepEqual(report.warnings, ['--configure: the configuration cannot be read; settings stay as they are.']);
});

test('every node of a cluster is configured', async (t) => {
  const servers = [
    await referenceServer(t, { config: everyHandler }),
    await referenceServer(t, { config: everyHandler }),
  ];
  const urls = servers.map(({ url }) => url);
  const before = await Promise.all(urls.map(stateOf));
  const seen: string[] = [];
  const both = asking('both', { [timeout]: '1000' }, async ({ target }) => {
    for (const node of [0, 1]) {
      seen.push(
        (await target.request({ path: `/_node/_local/_config/${timeout}`, as: 'admin', node })).text.trim(),
      );
    }
  });
  const report = await runConformance({
    urls,
    admin,
    configure: true,
    journalDir: await folder(t),
    checks: [both],
  });
  t.is(report.checks[0]?.outcome, 'pass', report.checks[0]?.reason);
  t.deepEqual(seen, ['"1000"', '"1000"']);
  t.deepEqual(await Promise.all(urls.map(stateOf)), before);
});
