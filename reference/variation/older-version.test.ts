import test, { type ExecutionContext } from 'ava';
import { admin, basic, testServer, type TestServer } from '../testing/server.js';
import { InvalidVersion } from './older-version.js';

async function filled(t: ExecutionContext, serviceVersion: string): Promise<TestServer> {
  const server = await testServer(t, { serviceVersion });
  await server.asAdmin('PUT', '/recipes');
  await server.asAdmin('PUT', '/recipes/soup', { kind: 'starter' });
  return server;
}

/** What each version added: a feed that only this version and later ones accept. */
const values: readonly [since: string, before: string, query: string, body?: unknown][] = [
  ['1.2.0', '1.1.1', 'filter=_view&view=d/v'],
  ['1.3.0', '1.2.2', 'since=now'],
  ['1.3.0', '1.2.2', 'feed=eventsource&timeout=1'],
  ['2.0.0', '1.7.2', 'filter=_selector', { selector: { kind: 'starter' } }],
];

for (const [since, before, query, body] of values) {
  test(`${query} applies from version ${since}`, async (t) => {
    for (const [version, status] of [
      [before, 400],
      [since, 200],
    ] as const) {
      const server = await filled(t, version);
      await server.asAdmin('PUT', '/recipes/_design/d', { views: { v: { map: 'function () {}' } } });
      const response = await server.asAdmin(body ? 'POST' : 'GET', `/recipes/_changes?${query}`, body);
      t.is(response.status, status, version);
    }
  });
}

test('the server ignores parameters that came later', async (t) => {
  const rows = async (version: string) => {
    const { json } = await (await filled(t, version)).asAdmin('GET', '/recipes/_changes?include_docs=true');
    return (json as { results: { doc?: unknown }[] }).results.map(({ doc }) => doc !== undefined);
  };
  t.deepEqual(await rows('0.10.2'), [false]);
  t.deepEqual(await rows('0.11.0'), [true]);
});

test('the server declares the version; before 2.0.0, sequences are numbers that resume', async (t) => {
  for (const vary of [undefined, 8]) {
    const server = await testServer(t, { serviceVersion: '1.6.1', vary });
    t.like((await server.asAdmin('GET', '/')).json, { version: '1.6.1' });
    await server.asAdmin('PUT', '/recipes');
    for (const id of ['a', 'b']) await server.asAdmin('PUT', `/recipes/${id}`, {});
    t.like((await server.asAdmin('GET', '/recipes/_changes?since=1')).json, {
      results: [{ id: 'b', seq: 2 }],
      last_seq: 2,
    });
  }
});

test('basic authentication sets a cookie from version 3.4', async (t) => {
  for (const [version, isSet] of [
    ['3.3.3', false],
    ['3.4.0', true],
  ] as const) {
    const server = await testServer(t, { serviceVersion: version });
    const { status, cookie } = await server.send('GET', '/_session', {
      headers: basic(admin.name, admin.password),
    });
    t.is(status, 200);
    t.is(cookie !== undefined, isSet, version);
  }
});

test('a version that is not a version number is rejected', async (t) => {
  await t.throwsAsync(testServer(t, { serviceVersion: 'new' }), { instanceOf: InvalidVersion });
});
