/** Reading and changing the configuration over HTTP. Changes take effect immediately (SERVICE 2.8). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { emptyFolder } from '../../reports/testing/folder.js';
import { basic, testServer } from '../testing/server.js';
import { sharedServer } from '../testing/shared-server.js';

const at = (place = '') => `/_node/_local/_config${place}`;
const unknown = { error: 'not_found', reason: 'unknown_config_value' };

test('settings can be read individually, by section and all, including defaults', async (t) => {
  const { asAdmin } = await testServer(t);
  const { json: all } = await asAdmin('GET', at());
  t.like(all, {
    chttpd: { authentication_handlers: 'cookie, default', changes_timeout: '60000' },
    chttpd_auth: { timeout: '600', proxy_use_secret: 'false' },
    jwt_auth: { required_claims: 'exp', roles_claim_name: '_service.roles' },
  });
  const { json: section } = await asAdmin('GET', at('/chttpd_auth'));
  t.deepEqual(section, (all as { chttpd_auth: unknown }).chttpd_auth);
  t.is((await asAdmin('GET', at('/chttpd_auth/timeout'))).text, '"600"');
});

test('the configuration tells how the server was started', async (t) => {
  const { asAdmin } = await testServer(t);
  t.like((await asAdmin('GET', at())).json, { chttpd: { bind_address: '127.0.0.1', port: '0' } });
  t.is((await asAdmin('GET', at('/couchdb/database_dir'))).status, 404, 'nothing is on disk');
  const data = await emptyFolder(t);
  const onDisk = await testServer(t, { data });
  const read = async () => (await onDisk.asAdmin('GET', at('/couchdb/database_dir'))).json;
  t.is(await read(), data);
  await onDisk.asAdmin('PUT', at('/couchdb/database_dir'), '/elsewhere');
  await onDisk.asAdmin('DELETE', at('/couchdb/database_dir'));
  t.is(await read(), data, 'a value that a client sets has no effect');
});

test("the couchdb dialect has CouchDB's names", async (t) => {
  const { asAdmin } = await testServer(t, { dialect: 'couchdb' });
  const { json } = await asAdmin('GET', at());
  t.like(json, {
    chttpd: {
      authentication_handlers:
        '{chttpd_auth, cookie_authentication_handler}, {chttpd_auth, default_authentication_handler}',
    },
    chttpd_auth: { x_auth_roles: 'X-Auth-CouchDB-Roles' },
    jwt_auth: { roles_claim_name: '_couchdb.roles' },
  });
});

test('a setting without a value is 404, and a section without values is empty', async (t) => {
  const { asAdmin } = await testServer(t);
  t.deepEqual((await asAdmin('GET', at('/nothing'))).json, {});
  for (const method of ['GET', 'DELETE']) {
    for (const place of [
      '/nothing/here',
      '/chttpd/nothing',
      '/jwt_auth/roles_claim_path',
      '/__proto__/toString',
    ]) {
      const { status, json } = await asAdmin(method, at(place));
      t.deepEqual([status, json], [404, unknown], `${method} ${place}`);
    }
  }
});

test('a change returns the previous value, and deleting a value restores the default', async (t) => {
  const { asAdmin } = await testServer(t);
  for (const [place, initial, value] of [
    ['/chttpd/changes_timeout', '60000', '1000'],
    ['/jwt_keys/hmac:_default', '', 'c2VjcmV0'],
    ['/jwt_keys/hmac:a%2Fb=%20c', '', 'c2VjcmV0'],
    ['/nobody/knows', '', 'this'],
    ['/__proto__/__proto__', '', 'x'],
  ] as const) {
    t.is((await asAdmin('PUT', at(place), JSON.stringify(value))).json, initial, place);
    t.is((await asAdmin('PUT', at(place), JSON.stringify(value))).json, value, place);
    t.is((await asAdmin('GET', at(place))).json, value, place);
    t.is((await asAdmin('DELETE', at(place))).json, value, place);
    const { status, json } = await asAdmin('GET', at(place));
    t.deepEqual([status, json], initial === '' ? [404, unknown] : [200, initial], place);
  }
});

test('a node is _local or the name of the only node', async (t) => {
  const { asAdmin } = await testServer(t);
  t.is((await asAdmin('GET', '/_node/nonode@nohost/_config/chttpd/changes_timeout')).json, '60000');
  for (const [method, place] of [
    ['GET', ''],
    ['GET', '/chttpd'],
    ['GET', '/chttpd/changes_timeout'],
    ['PUT', '/chttpd/changes_timeout'],
    ['DELETE', '/chttpd/changes_timeout'],
  ] as const) {
    const { status, json } = await asAdmin(method, `/_node/other@host/_config${place}`, '"1"');
    t.deepEqual([status, json], [404, { error: 'not_found', reason: 'no such node: other@host' }]);
  }
});

test('2.8: a new handler list takes effect with the next request', async (t) => {
  const { asAdmin, send } = await testServer(t);
  const handlers = async () =>
    ((await send('GET', '/_session')).json as { info: { authentication_handlers: string[] } }).info
      .authentication_handlers;
  const tuple = (name: string) => `{chttpd_auth, ${name}_authentication_handler}`;
  for (const list of [
    'default,cookie',
    ` ${tuple('default')} ,cookie`,
    `${tuple('default')}, {chttpd_auth,cookie_authentication_handler}`,
  ]) {
    t.is((await asAdmin('PUT', at('/chttpd/authentication_handlers'), JSON.stringify(list))).status, 200);
    t.deepEqual(await handlers(), ['default', 'cookie']);
  }
  await asAdmin('DELETE', at('/chttpd/authentication_handlers'));
  t.deepEqual(await handlers(), ['cookie', 'default']);
});

/** Its configuration never changes. */
const refusing = sharedServer();

const handlerList = 'must list one or more of cookie, proxy, jwt, default, each at most once';
const duration = 'must be an integer from 1 to 2147483647';
for (const [place, value, reason] of [
  ...['', 'cookie, cokie', 'cookie,,default', 'cookie, cookie', '{os, cmd}'].map(
    (value) => ['chttpd/authentication_handlers', value, handlerList] as const,
  ),
  ...['0', '1e3', '9999999999'].map((value) => ['chttpd/changes_timeout', value, duration] as const),
  ['chttpd_auth/timeout', 'infinity', duration],
  ['chttpd_auth/secret', '', 'must not be empty'],
  ['chttpd_auth/proxy_use_secret', 'yes', 'must be true or false'],
  ['chttpd_auth/x_auth_token', 'no header', 'must be a header name'],
  ['jwt_auth/roles_claim_name', '', 'must not be empty'],
  ['jwt_keys/hmac:eve', '-_-_', 'must be base64'],
  ['admins/eve', '', 'must not be empty'],
  ['admins/eve', '-pbkdf2:sha256-xyz,salt,10', 'must be a password or a PBKDF2 hash'],
  ['admins/eve', '-hashed-f00,salt', 'must be a password or a PBKDF2 hash'],
  ['nobody/knows', 'two\nlines', 'must be a single line of text'],
  ['no[body/knows', 'x', 'is not a valid name'],
  ['nobody/k%0Anows', 'x', 'is not a valid name'],
] as const) {
  test(`${place} cannot be ${JSON.stringify(value)}`, async (t) => {
    const { asAdmin } = await refusing();
    const before = await asAdmin('GET', at());
    const { status, json } = await asAdmin('PUT', at(`/${place}`), JSON.stringify(value));
    t.is(status, 400);
    t.deepEqual(json, { error: 'bad request', reason: `${decodeURIComponent(place)} ${reason}` });
    t.deepEqual((await asAdmin('GET', at())).json, before.json);
  });
}

for (const body of ['', 'null', '1', 'true', '[]', '{}', 'x', '"x']) {
  test(`the value ${JSON.stringify(body)} is not a JSON string and rejected`, async (t) => {
    const { asAdmin } = await refusing();
    t.like(await asAdmin('PUT', at('/nobody/knows'), body), { status: 400 });
    t.is((await asAdmin('GET', at('/nobody/knows'))).status, 404);
  });
}

test('an added administrator can log in, and the password is not readable', async (t) => {
  const { asAdmin, send } = await testServer(t);
  const session = async () => (await send('GET', '/_session', { headers: basic('eve', 'apple') })).json;
  t.is((await asAdmin('PUT', at('/admins/eve'), '"apple"')).json, '');
  t.like(await session(), { userCtx: { name: 'eve', roles: ['_admin'] } });
  const { json: hash } = await asAdmin('GET', at('/admins/eve'));
  t.regex(hash as string, /^-pbkdf2:sha256-[0-9a-f]{64},[0-9a-f]{32},1$/);
  // A hash is stored unchanged.
  t.is((await asAdmin('PUT', at('/admins/eve'), JSON.stringify(hash))).json, hash);
  t.like(await session(), { userCtx: { name: 'eve', roles: ['_admin'] } });
  t.is((await asAdmin('DELETE', at('/admins/eve'))).json, hash);
  t.like(await session(), { error: 'unauthorized' });
});

test('administrator hashes of CouchDB 3.5 and older SHA-1 hashes are supported', async (t) => {
  const { send } = await testServer(t, {
    config: {
      admins: {
        // PBKDF2 of `secret`, computed with another implementation.
        new: '-pbkdf2:sha256-a108e6532616c975edc23c51e6ea8840938dc9166bdd1a2e4b2258ca7c929be8,5b0c1ee2a0f94c0d8e7f6a5b4c3d2e1f,10',
        old: '-pbkdf2-fb655150b748f4e114c393c9290d6d23bf66286e,5b0c1ee2a0f94c0d8e7f6a5b4c3d2e1f,10',
      },
    },
  });
  for (const name of ['new', 'old']) {
    t.is((await send('GET', '/_session', { headers: basic(name, 'secret') })).status, 200, name);
    t.is((await send('GET', '/_session', { headers: basic(name, 'Secret') })).status, 401, name);
  }
});

test('a changed secret ends all sessions', async (t) => {
  const { asAdmin, send } = await testServer(t);
  const { cookie } = await asAdmin('GET', '/_session');
  const headers = { cookie: cookie! };
  t.like((await send('GET', '/_session', { headers })).json, { userCtx: { name: 'admin' } });
  t.is((await asAdmin('PUT', at('/chttpd_auth/secret'), '"another"')).status, 200);
  t.like((await send('GET', '/_session', { headers })).json, { userCtx: { name: null } });
});

test('the configuration files can be read again: what they changed applies, other settings stay', async (t) => {
  const file = join(await emptyFolder(t), 'local.ini');
  const write = (...lines: string[]) => writeFile(file, ['[chttpd_auth]', ...lines].join('\n'));
  await write('timeout = 100', 'max_iterations = 20', 'x_auth_roles = X-Roles', 'x_auth_token = X-Token');
  const { asAdmin, send } = await testServer(t, { configFiles: [file] });
  const reload = () => asAdmin('POST', at('/_reload'));
  const values = async () => (await asAdmin('GET', at('/chttpd_auth'))).json as Record<string, string>;
  const initial = await values();
  t.like(initial, { timeout: '100', max_iterations: '20', x_auth_roles: 'X-Roles', x_auth_token: 'X-Token' });
  await asAdmin('PUT', at('/chttpd_auth/timeout'), '"300"');
  await asAdmin('PUT', at('/chttpd_auth/x_auth_roles'), '"X-Groups"');

  t.like(await reload(), { status: 200, json: { ok: true } });
  t.like(await values(), { timeout: '300', x_auth_roles: 'X-Groups' }, 'the file has not changed');

  await write('timeout = 100', 'max_iterations = 30', 'x_auth_roles = X-Teams', 'no_such_setting = 1');
  await reload();
  const changed = { timeout: '300', max_iterations: '30', x_auth_roles: 'X-Teams', no_such_setting: '1' };
  t.like(await values(), changed);
  t.not((await values()).x_auth_token, 'X-Token', 'the default applies again');

  await write('max_iterations = 40', 'timeout = soon');
  const { status, json } = await reload();
  t.is(status, 400);
  t.regex((json as { reason: string }).reason, /local\.ini, line 3: chttpd_auth\/timeout must be/);

  t.is((await send('POST', at('/_reload'))).status, 401);
  t.is((await asAdmin('POST', '/_node/elsewhere/_config/_reload')).status, 404);
  t.is((await asAdmin('PUT', at('/_reload'), '"1"')).status, 405);
});
