/** The call with openapi-fetch and the types of the description. */
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from '../../../../openapi/generated/types.couchdb.js';

const [url = '', password = ''] = process.argv.slice(2);
const headers = { Authorization: `Basic ${btoa(`admin:${password}`)}` };
const client = createClient<paths>({ baseUrl: url, headers });
const path = { db: 'inventory' };
const created = await client.PUT('/{db}', { params: { path } });
assert(created.data?.ok);

const chair = { path: { ...path, docid: 'chair' } };
const written = await client.PUT('/{db}/{docid}', { params: chair, body: { legs: 4 } });
assert(written.data?.ok);
const bulk = await client.POST('/{db}/_bulk_docs', {
  params: { path },
  body: { docs: [{ _id: 'desk' }, { _id: 'chair' }] },
});
const second = bulk.data?.[1];
assert(second && 'error' in second && second.error === 'conflict');
const read = await client.GET('/{db}/{docid}', { params: chair });
assert(read.data && '_id' in read.data && read.data['legs'] === 4);

const changes = await client.GET('/{db}/_changes', { params: { path } });
assert.equal(changes.data?.results.length, 2);

const session = await client.POST('/_session', { body: { name: 'admin', password } });
assert(session.data?.ok);
