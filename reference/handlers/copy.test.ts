/** `COPY`, which is not in the description, so that no generated test sends it. */
import test, { type ExecutionContext } from 'ava';
import { admin, basic, createUsers, testServer } from '../testing/server.js';

async function recipes(t: ExecutionContext) {
  const server = await testServer(t);
  await server.asAdmin('PUT', '/recipes');
  const copy = (path: string, destination: string | undefined, user = admin) =>
    server.send('COPY', path, { headers: { ...basic(user.name, user.password), destination } });
  const read = async (path: string) => (await server.asAdmin('GET', path)).json as Record<string, unknown>;
  const write = async (path: string, body: object) =>
    ((await server.asAdmin('PUT', path, body)).json as { rev: string }).rev;
  return { ...server, copy, read, write };
}

/** As `createUsers` creates them. */
const userNamed = (name: string) => ({ name, password: name });

test('a copy has the members and attachments of the winning revision, or of another one', async (t) => {
  const { copy, read, write } = await recipes(t);
  const _attachments = { photo: { content_type: 'image/png', data: 'AAAA' } };
  const first = await write('/recipes/soup', { n: 1, _attachments });
  await write('/recipes/soup', { n: 2, _rev: first });
  const { status, headers, json } = await copy('/recipes/soup', 'best%20soup');
  t.is(status, 201);
  t.like(json, { ok: true, id: 'best soup' });
  const { _rev, ...copied } = await read('/recipes/best%20soup');
  t.deepEqual(copied, { _id: 'best soup', n: 2 });
  t.is(headers.etag, `"${_rev as string}"`);
  t.regex(String(headers.location), /\/recipes\/best%20soup$/);

  t.is((await copy(`/recipes/soup?rev=${first}`, 'old')).status, 201);
  t.like(await read('/recipes/old?attachments=true'), { n: 1, _attachments });
});

test('design documents and local documents can be copied', async (t) => {
  const { copy, read, write } = await recipes(t);
  await write('/recipes/_design/lists', { filters: {} });
  await write('/recipes/_local/checkpoint', { n: 1 });
  await copy('/recipes/_design/lists', '_design/more');
  t.like(await read('/recipes/_design/more'), { filters: {} });
  await copy('/recipes/_local/checkpoint', 'kept');
  t.like(await read('/recipes/kept'), { n: 1 });
  await copy('/recipes/kept', '_local/again');
  t.like(await read('/recipes/_local/again'), { n: 1 });
});

test('a body and its media type have no meaning', async (t) => {
  const { send, write } = await recipes(t);
  await write('/recipes/soup', {});
  for (const type of ['application/json', 'application/x-unknown']) {
    const sent = { ...basic(admin.name, admin.password), destination: type, 'content-type': type };
    t.is((await send('COPY', '/recipes/soup', { headers: sent, body: '{' })).status, 201, type);
  }
});

test('an existing document is only replaced if its revision is named', async (t) => {
  const { copy, read, write } = await recipes(t);
  await write('/recipes/soup', { n: 1 });
  const rev = await write('/recipes/tea', { n: 2 });
  t.is((await copy('/recipes/soup', 'tea')).status, 409);
  t.is((await copy('/recipes/soup', 'tea?rev=1-a')).status, 409);
  t.is((await copy('/recipes/soup', `tea?rev=${rev}`)).status, 201);
  t.like(await read('/recipes/tea'), { n: 1 });
});

for (const [what, path, destination, status, reason] of [
  ['no destination', '/recipes/soup', undefined, 400, /mandatory/],
  ['a URL', '/recipes/soup', 'http://127.0.0.1/recipes/tea', 400, /must be relative/],
  ['a malformed path', '/recipes/soup', '%zz', 400, /not a valid path/],
  ['an empty ID', '/recipes/soup', '', 400, /must not be empty/],
  ['a reserved ID', '/recipes/soup', '_more', 400, /underscore/],
  ['an unknown document', '/recipes/nothing', 'tea', 404, /missing/],
  ['an unknown revision', '/recipes/soup?rev=1-a', 'tea', 404, /missing/],
  ['a malformed revision', '/recipes/soup?rev=x', 'tea', 400, /rev/],
  ['an unknown database', '/nothing/soup', 'tea', 404, /Database/],
] as const)
  test(`${what} is ${status}`, async (t) => {
    const { copy, write } = await recipes(t);
    await write('/recipes/soup', {});
    const reply = await copy(path, destination);
    t.is(reply.status, status);
    t.regex((reply.json as { reason: string }).reason, reason);
  });

test('a copy needs the rights to read the one and to write the other', async (t) => {
  const server = await recipes(t);
  const { asAdmin, copy, write } = server;
  await createUsers(server, { ann: [], bob: [] });
  await asAdmin('PUT', '/recipes/_security', { admins: {}, members: { names: ['ann'] } });
  await write('/recipes/soup', {});
  const [ann, bob] = [userNamed('ann'), userNamed('bob')];
  t.is((await copy('/recipes/soup', 'tea', ann)).status, 201);
  t.is((await copy('/recipes/soup', '_design/tea', ann)).status, 403);
  t.is((await copy('/recipes/soup', 'tea2', bob)).status, 403);
  t.is((await server.send('COPY', '/recipes/soup', { headers: { destination: 'tea2' } })).status, 401);
});

test('users can neither copy documents of others, nor their own to other names', async (t) => {
  const server = await recipes(t);
  await createUsers(server, { ann: ['cook'], bob: [] });
  const prefix = 'org.service.user:';
  const ann = userNamed('ann');
  t.is((await server.copy(`/_users/${prefix}bob`, `${prefix}ann`, ann)).status, 404);
  t.is((await server.copy(`/_users/${prefix}ann`, `${prefix}carl`, ann)).status, 404);
  t.is((await server.copy(`/_users/${prefix}ann`, `${prefix}carl`)).status, 403);
});
