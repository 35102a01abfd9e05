/** Tests `--configure` with the reference server: which settings change when, and that all are restored. */
import { createPublicKey } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { emptyFolder } from '../../../reports/testing/folder.js';
import { combine, replaceHandler } from '../../rules/shared/components.faults.js';
import { checksOf, type Check, type CheckContext } from '../scope/rule-checks.js';
import { type ConformanceOptions, checks as suite, Refusal, runConformance } from '../../index.js';
import { Violation } from '../../engine/outcomes.js';
import { handlerList } from '../settings/handler-list.js';
import { admin, asAdmin, referenceServer } from '../../testing/reference.js';
import { everyHandler, plain, refusal, stateOf } from '../testing/target-state.js';

const timeout = 'chttpd/changes_timeout';

/** Runs checks with `--configure`, and verifies that the target is the same before and after. */
async function runConfigured(
  t: ExecutionContext,
  checks: readonly Check[],
  options: Partial<ConformanceOptions> = {},
) {
  const server = await referenceServer(t, { config: everyHandler });
  const journalDir = await emptyFolder(t);
  const before = await stateOf(server.url);
  const report = await runConformance({
    urls: [server.url],
    admin,
    checks,
    configure: true,
    journalDir,
    ...options,
  });
  t.deepEqual(await stateOf(server.url), before);
  t.deepEqual(await readdir(journalDir), [], 'the journal is removed when all tasks are done');
  return report;
}

const checkWith = (
  settings: Check['settings'],
  run: (context: CheckContext) => unknown,
  waits: Check['waits'] = false,
): Check =>
  checksOf({
    'root-greeting': {
      settings,
      waits,
      run: async (context) => {
        await run(context);
      },
    },
  })[0]!;

function gate(): { open: () => void; opened: Promise<void> } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

test('checks run under their settings, concurrently only with checks of the same settings', async (t) => {
  const observed: [string, unknown, unknown][] = [];
  const observe = (settings: Check['settings'], what: string): Check =>
    checkWith(
      settings,
      async ({ target }) => {
        const { text } = await target.request({ path: `/_node/_local/_config/${timeout}`, as: 'admin' });
        observed.push([what, JSON.parse(text), target.setting(timeout)]);
      },
      'changes',
    );
  const report = await runConfigured(t, [
    observe({ [timeout]: '1000' }, 'short'),
    observe({ [timeout]: '500' }, 'shorter'),
    observe({}, 'any'),
    observe({ [timeout]: '1000' }, 'short too'),
  ]);
  t.deepEqual(
    report.checks.map(({ outcome }) => outcome),
    ['pass', 'pass', 'pass', 'pass'],
  );
  t.deepEqual(
    observed.slice(0, 2).sort(([a], [b]) => a.localeCompare(b)),
    [
      ['short', '1000', '1000'],
      ['short too', '1000', '1000'],
    ],
  );
  t.deepEqual(observed.slice(2), [
    ['shorter', '500', '500'],
    ['any', '60000', '60000'],
  ]);
});

test('checks that do not wait run beside those under another default timeout, but not under other settings', async (t) => {
  const order: string[] = [];
  const [short, beside] = [gate(), gate()];
  const report = await runConfigured(t, [
    checkWith({ 'jwt_auth/required_claims': 'exp, nbf' }, () => order.push('other settings')),
    checkWith(
      { [timeout]: '1000' },
      async () => {
        short.open();
        await beside.opened;
        order.push('short');
      },
      'period',
    ),
    checkWith({}, async () => {
      await short.opened;
      order.push('does not wait');
      beside.open();
    }),
  ]);
  t.true(report.checks.every(({ outcome }) => outcome === 'pass'));
  t.deepEqual(order, ['does not wait', 'short', 'other settings']);
});

test('adds keys of all types, including default keys, in the form of jwt_keys', async (t) => {
  const names: string[] = [];
  const report = await runConfigured(t, [
    checkWith({}, async ({ target }) => {
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
    'hmac:docfeed-run-secret',
    'hmac:_default',
    'rsa:docfeed-run',
    'rsa:_default',
    'ec:docfeed-run',
    'ec:_default',
    'hmac:docfeed-run=1',
  ]);
  const available = report.target.capabilities.flatMap((one) => (one.available ? one.name : []));
  for (const name of ['config-write', 'jwt-hmac', 'jwt-rsa', 'jwt-ec', 'jwt-required-claims', 'proxy']) {
    t.true(available.includes(name), name);
  }
});

test('without --configure, checks whose settings differ on the target are skipped with these settings', async (t) => {
  const server = await referenceServer(t);
  const checks = [
    checkWith({ [timeout]: '60000' }, () => {}),
    checkWith({ [timeout]: '1000', 'jwt_auth/roles_claim_path': null }, () => {}),
  ];
  const { checks: results } = await runConformance({ urls: [server.url], admin, checks });
  t.deepEqual(
    results.map(({ outcome, reason }) => [outcome, reason]),
    [
      ['pass', undefined],
      [
        'skipped',
        `The check needs the settings ${timeout} = 1000, which differ on the target; use --configure.`,
      ],
    ],
  );
});

for (const dialect of ['service', 'couchdb'] as const) {
  test(`adds missing handlers for the run, and requires a token from proxies: ${dialect}`, async (t) => {
    const handlers = 'chttpd/authentication_handlers';
    const written: string[] = [];
    const server = await referenceServer(t, {
      dialect,
      config: plain,
      components: replaceHandler('putConfigKey', (putConfigKey, request, context) => {
        written.push(`${request.params.section}/${request.params.key}`);
        return putConfigKey(request, context);
      }),
    });
    const before = await stateOf(server.url);
    let list: unknown;
    const handlersCheck = checkWith({}, async ({ target }) => {
      list = target.setting(handlers);
      const session = await target.request({ path: '/_session', as: 'admin' });
      t.like(session.object(), { info: { authentication_handlers: ['cookie', 'default', 'proxy', 'jwt'] } });
    });
    const report = await runConformance({
      urls: [server.url],
      admin,
      configure: true,
      journalDir: await emptyFolder(t),
      checks: [handlersCheck],
    });
    t.is(report.checks[0]?.outcome, 'pass', report.checks[0]?.reason);
    t.is(list, handlerList(['cookie', 'default', 'proxy', 'jwt'], dialect));
    t.true(written.indexOf('chttpd_auth/proxy_use_secret') < written.indexOf(handlers));
    t.deepEqual(report.target.provided?.slice(0, 2), ['chttpd_auth/proxy_use_secret', handlers]);
    t.deepEqual(await stateOf(server.url), before);
  });
}

test('restores the handlers of a target that reads them only at startup, and explains skipped checks', async (t) => {
  const server = await referenceServer(t, {
    config: plain,
    components: replaceHandler('getSession', async (getSession, request, context) => {
      const response = await getSession(request, context);
      const body = response.body as { info: object };
      const info = { ...body.info, authentication_handlers: ['cookie', 'default'] };
      return { ...response, body: { ...body, info } };
    }),
  });
  const before = await stateOf(server.url);
  const handlers = 'chttpd/authentication_handlers';
  const handlersCheck = checkWith({}, async ({ target }) => {
    const { text } = await target.request({ path: `/_node/_local/_config/${handlers}`, as: 'admin' });
    t.is(JSON.parse(text), 'cookie, default');
    t.is(target.setting(handlers), 'cookie, default');
  });
  const { checks: results } = await runConformance({
    urls: [server.url],
    admin,
    configure: true,
    journalDir: await emptyFolder(t),
    seed: 1,
    checks: [handlersCheck, ...suite.filter(({ rule }) => /^(proxy|jwt)-/.test(rule))],
  });
  const outcomes = new Map(results.map((result) => [result.id, result]));
  const withoutHandler = ['proxy', 'jwt'].flatMap((handler) => [
    `${handler}-handler-required`,
    `${handler}-handler-required/alone`,
  ]);
  for (const id of [handlersCheck.id, ...withoutHandler]) {
    t.is(outcomes.get(id)?.outcome, 'pass', outcomes.get(id)?.reason);
    outcomes.delete(id);
  }
  const why =
    ', and adding it to chttpd/authentication_handlers has no effect because the target reads that at startup.';
  for (const { id, outcome, reason } of outcomes.values()) {
    t.is(outcome, 'skipped', id);
    t.true(reason?.endsWith(why), `${id}: ${reason}`);
  }
  t.deepEqual(await stateOf(server.url), before);
});

test('a setting that the target refuses blocks only the checks that need it', async (t) => {
  const report = await runConfigured(t, [
    checkWith({ 'jwt_auth/roles_claim_name': 'x', [timeout]: 'soon' }, () => t.fail()),
    checkWith({}, () => {}),
  ]);
  t.deepEqual(
    report.checks.map(({ outcome, reason }) => [outcome, reason]),
    [
      ['blocked', `Cannot set ${timeout}: PUT returns 400.`],
      ['pass', undefined],
    ],
  );
});

test('no key or secret of the run is in the report', async (t) => {
  let secrets: string[] = [];
  const report = await runConfigured(t, [
    checkWith({}, async ({ target }) => {
      secrets = [
        target.auth.proxy.secret!,
        ...target.auth.jwt.keys
          .filter(({ type }) => type === 'hmac')
          .map(({ key }) => key.export().toString('base64')),
      ];
      await target.request({ path: '/_node/_local/_config/jwt_keys', as: 'admin' });
      throw new Violation('The target leaks secrets', {
        path: '$',
        expected: 'nothing',
        actual: secrets.join(' '),
      });
    }),
  ]);
  t.is(secrets.length, 4);
  const text = JSON.stringify(report);
  for (const secret of secrets) t.false(text.includes(secret));
  t.regex(report.checks[0]!.reason!, /^The target leaks secrets: at \$ expected nothing, got "\[redacted\]/);
});

test('if settings cannot be restored, the report warns and the journal and lock stay', async (t) => {
  const server = await referenceServer(t, {
    config: everyHandler,
    components: replaceHandler('deleteConfigKey', refusal(403)),
  });
  const journalDir = await emptyFolder(t);
  const options = { urls: [server.url], admin, configure: true, journalDir, checks: [] };
  const { warnings } = await runConformance(options);
  t.regex(
    warnings[0]!,
    /^The run could not restore or remove: lock, setting jwt_keys\/.* and \d+ more; use `docfeed restore` to try again\.$/,
  );
  t.is((await readdir(journalDir)).length, 1);
  await t.throwsAsync(runConformance(options), { instanceOf: Refusal });
});

test('a concurrent run is refused with the id of the first run', async (t) => {
  const server = await referenceServer(t, { config: everyHandler });
  const [journalDir, otherDir] = [await emptyFolder(t), await emptyFolder(t)];
  const options = { urls: [server.url], admin, configure: true };
  const second = checkWith({}, async () => {
    const error = await t.throwsAsync(runConformance({ ...options, journalDir: otherDir, checks: [] }), {
      instanceOf: Refusal,
    });
    t.is(error.exitCode, 3);
    t.regex(
      error.message,
      /^run [0-9a-f]{8} on \S+ has been changing the settings of this target since 2\d{3}-.*restore/,
    );
  });
  const { checks } = await runConformance({ ...options, journalDir, checks: [second] });
  t.is(checks[0]?.outcome, 'pass', checks[0]?.reason);
  t.deepEqual(await readdir(otherDir), []);
  t.is((await asAdmin(server.url, 'GET', '/docfeed-lock')).status, 404);
});

test('a target without a configuration endpoint leads to a warning', async (t) => {
  const server = await referenceServer(t, {
    components: combine(
      replaceHandler('getConfigSection', refusal(404)),
      replaceHandler('getConfigKey', refusal(404)),
    ),
  });
  const journalDir = await emptyFolder(t);
  const report = await runConformance({ urls: [server.url], admin, configure: true, journalDir, checks: [] });
  t.deepEqual(report.warnings, [
    '--configure has no effect: the configuration of the target cannot be read.',
  ]);
});

test('changes settings on every node of a cluster', async (t) => {
  const servers = [
    await referenceServer(t, { config: everyHandler }),
    await referenceServer(t, { config: everyHandler }),
  ];
  const urls = servers.map(({ url }) => url);
  const before = await Promise.all(urls.map(stateOf));
  const values: string[] = [];
  const both = checkWith({ [timeout]: '1000' }, async ({ target }) => {
    for (const node of [0, 1]) {
      values.push(
        (await target.request({ path: `/_node/_local/_config/${timeout}`, as: 'admin', node })).text.trim(),
      );
    }
  });
  const report = await runConformance({
    urls,
    admin,
    configure: true,
    journalDir: await emptyFolder(t),
    checks: [both],
  });
  t.is(report.checks[0]?.outcome, 'pass', report.checks[0]?.reason);
  t.deepEqual(values, ['"1000"', '"1000"']);
  t.deepEqual(await Promise.all(urls.map(stateOf)), before);
});
