import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import test from 'ava';
import { admin, basic, testServer } from '../testing/server.js';

test('header names have the usual case', async (t) => {
  const server = await testServer(t, { dialect: 'couchdb' });
  const [response] = (await once(
    get(server.url, { headers: basic(admin.name, admin.password) }),
    'response',
  )) as [IncomingMessage];
  response.resume();
  const names = response.rawHeaders.filter((_, index) => index % 2 === 0);
  for (const name of ['Content-Type', 'Set-Cookie', 'X-Couch-Request-ID']) t.true(names.includes(name), name);
});
