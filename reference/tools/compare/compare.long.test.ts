import test from 'ava';
import { admin, testServer } from '../../testing/server.js';
import { compare } from './compare.js';
import { readEntries } from './requests.js';

test('two identical servers have no differences for all requests', async (t) => {
  const [a, b] = [await testServer(t, { dialect: 'couchdb' }), await testServer(t, { dialect: 'couchdb' })];
  const { differences } = await compare([a.url, b.url], admin, await readEntries());
  t.deepEqual(differences, []);
  t.deepEqual([...a.reports, ...b.reports], []);
});
