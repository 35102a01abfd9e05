/** A target whose probes fail must not skip its checks and end green. */
import test, { type ExecutionContext } from 'ava';
import { type Components, httpError } from '../reference/index.js';
import { exitCode, type Report } from '../reports/report.js';
import { checks } from './rules/checks.js';
import { type ConformanceOptions, Refusal, runConformance } from './index.js';
import { admin, referenceServer } from './testing/reference.js';

type Handlers = Components['handlers'];

const broken = (): never => {
  throw httpError(500, 'internal_server_error', 'It is broken.');
};
const missing = (): never => {
  throw httpError(404, 'not_found', 'There is no such resource.');
};

/** Runs some checks against a reference server with other handlers. */
async function runOn(
  t: ExecutionContext,
  replace: (handlers: Handlers) => Partial<Handlers>,
  options: Partial<ConformanceOptions>,
): Promise<Report> {
  const server = await referenceServer(t, {
    config: { chttpd: { authentication_handlers: 'cookie, proxy, jwt, default' } },
    components: (components) => ({
      ...components,
      handlers: { ...components.handlers, ...replace(components.handlers) },
    }),
  });
  return runConformance({ urls: [server.url], admin, seed: 1, cases: 1, shrinkMs: 0, ...options });
}

const usersDatabase =
  (respond: () => never) =>
  (handlers: Handlers): Partial<Handlers> => ({
    getDatabase: (request, context) =>
      request.params.db === '_users' ? respond() : handlers.getDatabase(request, context),
  });

const filterFunctions =
  (respond: () => never) =>
  (handlers: Handlers): Partial<Handlers> => ({
    getChanges: (request, context) =>
      request.query.filter?.includes('/') ? respond() : handlers.getChanges(request, context),
    postChanges: (request, context) =>
      request.query.filter?.includes('/') ? respond() : handlers.postChanges(request, context),
  });

const configuration = (respond: () => never): Partial<Handlers> => ({
  getConfigSection: respond,
  getConfigKey: respond,
});

const droppedAttachments = (handlers: Handlers): Partial<Handlers> => ({
  putDocument: (request, context) =>
    handlers.putDocument(
      { ...request, body: { ...(request.body as object), _attachments: undefined } },
      context,
    ),
});

const blind: Readonly<
  Record<
    string,
    { replace: (handlers: Handlers) => Partial<Handlers>; only: string; missing: string; how: RegExp }
  >
> = {
  'filter functions return 500': {
    replace: filterFunctions(broken),
    only: 'filter-function',
    missing: 'functions',
    how: /filter function returns 500/,
  },
  'attachments are dropped': {
    replace: droppedAttachments,
    only: 'feed-attachments',
    missing: 'attachments',
    how: /the attachment is missing when read/,
  },
  'the users database is missing': {
    replace: usersDatabase(missing),
    only: 'users-create',
    missing: 'users',
    how: /GET \/_users returns 404, but POST \/_session returns 401/,
  },
  'the users database returns 500': {
    replace: usersDatabase(broken),
    only: 'users-create',
    missing: 'users',
    how: /GET \/_users returns 500/,
  },
  'the users database returns 500, for one-time codes': {
    replace: usersDatabase(broken),
    only: 'totp-login',
    missing: 'totp',
    how: /users cannot be created: GET \/_users returns 500/,
  },
  'the configuration returns 500': {
    replace: () => configuration(broken),
    only: 'session-handlers-order',
    missing: 'config-read',
    how: /_config\/chttpd returns 500/,
  },
  'the configuration returns 500, for keys': {
    replace: () => configuration(broken),
    only: 'jwt-sub-required',
    missing: 'jwt-hmac',
    how: /_config\/chttpd returns 500/,
  },
  'one section of the configuration returns 500': {
    replace: (handlers) => ({
      getConfigSection: (request, context) =>
        request.params.section === 'jwt_keys' ? broken() : handlers.getConfigSection(request, context),
    }),
    only: 'session-handlers-order',
    missing: 'config-read',
    how: /_config\/jwt_keys returns 500/,
  },
};

for (const [title, { replace, only, missing: capability, how }] of Object.entries(blind)) {
  test(`checks are blocked if ${title}`, async (t) => {
    const report = await runOn(t, replace, { only: [only, 'root-greeting'] });
    const blocked = report.checks.filter(({ rule }) => rule === only);
    t.true(blocked.length > 0);
    for (const { outcome, reason, missing: name } of blocked) {
      t.is(outcome, 'blocked');
      t.is(name, capability);
      t.regex(reason!, how);
    }
    t.is(exitCode(report), 3);
  });
}

test('checks are blocked if --configure meets a broken configuration', async (t) => {
  const report = await runOn(t, () => configuration(broken), {
    only: ['jwt-roles-claim-name', 'root-greeting'],
    configure: true,
  });
  t.like(report.checks[1], { outcome: 'blocked', missing: 'config-write' });
});

const absent: Readonly<
  Record<string, { replace: (handlers: Handlers) => Partial<Handlers>; only: string; missing: string }>
> = {
  'filter functions': { replace: filterFunctions(missing), only: 'filter-function', missing: 'functions' },
  'users and their login': {
    replace: (handlers) => ({ ...usersDatabase(missing)(handlers), postSession: missing }),
    only: 'users-create',
    missing: 'users',
  },
  'the configuration': {
    replace: () => configuration(missing),
    only: 'session-handlers-order',
    missing: 'config-read',
  },
};

for (const [title, { replace, only, missing: name }] of Object.entries(absent)) {
  test(`checks are skipped if the target does not offer ${title}, and blocked if that is required`, async (t) => {
    const selection = [only, 'root-greeting'];
    const report = await runOn(t, replace, { only: selection });
    t.true(report.checks.some(({ rule }) => rule === only));
    for (const { rule, outcome, missing: capability } of report.checks) {
      if (rule === only) t.deepEqual([outcome, capability], ['skipped', name]);
    }
    t.is(exitCode(report), 0);

    const required = await runOn(t, replace, { only: selection, require: [name] });
    for (const { rule, outcome, reason } of required.checks) {
      if (rule !== only) continue;
      t.is(outcome, 'blocked');
      t.true(reason!.startsWith(`The required capability "${name}" is not available: `), reason);
    }
    t.is(exitCode(required), 3);
  });
}

test('checks that need other settings are blocked if changing them is required', async (t) => {
  const only = checks.filter(
    // 60000 is the value of the server already.
    ({ settings }) =>
      typeof settings === 'object' && Number(settings['chttpd/changes_timeout'] ?? 60_000) !== 60_000,
  );
  t.true(only.length > 0);
  const options = { only: only.map(({ id }) => id) };
  const skipped = await runOn(t, () => ({}), options);
  t.is(skipped.summary.skipped, only.length);
  t.like(skipped.checks[0], { missing: 'config-write' });
  const required = await runOn(t, () => ({}), { ...options, require: ['config-write'] });
  t.is(required.summary.blocked, only.length);
});

test('declaring that the target lacks a capability turns blocked checks into skipped ones', async (t) => {
  const report = await runOn(t, droppedAttachments, {
    only: ['feed-attachments', 'root-greeting'],
    lack: ['attachments'],
  });
  t.is(exitCode(report), 0);
  t.is(report.summary.blocked, 0);
});

test('refuses to require an unknown capability', async (t) => {
  const error = await t.throwsAsync(runConformance({ urls: ['http://127.0.0.1:1'], require: ['functons'] }), {
    instanceOf: Refusal,
  });
  t.is(error.message, '--require functons is not a capability; did you mean functions?');
  t.is(error.exitCode, 2);
});
