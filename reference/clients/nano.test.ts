/** nano, the client of the CouchDB project, works against the reference server. */
import { on, once } from 'node:events';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import nano from 'nano';
import { testServer } from '../testing/server.js';

interface Recipe {
  eggs?: number;
}

async function connect(t: ExecutionContext) {
  const { url, admin } = await testServer(t, { dialect: 'couchdb' });
  const server = nano(url.replace('://', `://${admin.name}:${admin.password}@`));
  await server.db.create('recipes');
  return { recipes: server.use<Recipe>('recipes') };
}

/** Returns status and name of the error that nano throws. */
async function failure(work: Promise<unknown>) {
  try {
    await work;
    return undefined;
  } catch (error) {
    const { statusCode, error: name } = error as { statusCode: number; error: string };
    return [statusCode, name];
  }
}

test('documents', async (t) => {
  const { recipes } = await connect(t);
  const made = await recipes.insert({ eggs: 3 }, 'pan/cakes');
  t.like(made, { ok: true, id: 'pan/cakes' });
  t.deepEqual(await recipes.get('pan/cakes'), { _id: 'pan/cakes', _rev: made.rev, eggs: 3 });
  t.deepEqual(await failure(recipes.insert({ eggs: 4 }, 'pan/cakes')), [409, 'conflict']);
  const changed = await recipes.insert({ _id: 'pan/cakes', _rev: made.rev, eggs: 4 });
  t.like(await recipes.get('pan/cakes', { rev: made.rev }), { eggs: 3 });
  t.is((await recipes.head('pan/cakes')).etag, `"${changed.rev}"`);
  const gone = await recipes.destroy('pan/cakes', changed.rev);
  t.regex(gone.rev, /^3-/);
  t.deepEqual(await failure(recipes.get('pan/cakes')), [404, 'not_found']);
  const unnamed = await recipes.insert({ eggs: 1 });
  t.is((await recipes.get(unnamed.id)).eggs, 1);
});

test('bulk and lists', async (t) => {
  const { recipes } = await connect(t);
  const written = await recipes.bulk({ docs: [{ _id: 'a', eggs: 1 }, { _id: 'b' }, { _id: 'a' }] });
  t.deepEqual(
    written.map(({ id, error }) => [id, error]),
    [
      ['a', undefined],
      ['b', undefined],
      ['a', 'conflict'],
    ],
  );
  t.deepEqual(
    (await recipes.list()).rows.map(({ id }) => id),
    ['a', 'b'],
  );
  t.like((await recipes.list({ include_docs: true, startkey: 'a', limit: 1 })).rows[0], { doc: { eggs: 1 } });
  const fetched = await recipes.fetch({ keys: ['b', 'c', 'a'] });
  t.deepEqual(
    fetched.rows.map((row) => ('error' in row ? row.error : row.id)),
    ['b', 'not_found', 'a'],
  );
});

test('changes', async (t) => {
  const { recipes } = await connect(t);
  await recipes.bulk({ docs: ['a', 'b', 'c'].map((_id) => ({ _id, eggs: 1 })) });
  const first = await recipes.changes({ limit: 2 });
  t.deepEqual(
    first.results.map(({ id }) => id),
    ['a', 'b'],
  );
  t.is(first.pending, 1);
  const rest = await recipes.changes({ since: first.last_seq as string, include_docs: true });
  t.like(rest.results[0], { id: 'c', doc: { _id: 'c', eggs: 1 } });
  const now = await recipes.changes({ since: 'now' });
  t.deepEqual([now.results, now.last_seq], [[], rest.last_seq]);
});

/** Yields the IDs of each batch. */
function batchesOf(reader: NodeJS.EventEmitter) {
  const batches = on(reader, 'batch');
  return async () => {
    const [rows] = (await batches.next()).value as [{ id: string }[]];
    return rows.map(({ id }) => id);
  };
}

for (const method of ['get', 'spool'] as const)
  test(`changesReader.${method} ends after all changes`, async (t) => {
    const { recipes } = await connect(t);
    await recipes.bulk({ docs: ['a', 'b', 'c'].map((_id) => ({ _id })) });
    const reader = recipes.changesReader[method]({ since: '0', batchSize: 2, timeout: 20 });
    const next = batchesOf(reader);
    const [seq] = (await once(reader, 'end')) as [string];
    t.deepEqual([await next(), await next()], [['a', 'b'], ['c']]);
    t.is(seq, (await recipes.changes({ since: 'now' })).last_seq);
  });

test('changesReader.start receives new changes', async (t) => {
  const { recipes } = await connect(t);
  await recipes.insert({ eggs: 1 }, 'a');
  const selector = { eggs: { $gt: 0 } };
  const reader = recipes.changesReader.start({ since: '0', timeout: 20, includeDocs: true, selector });
  const next = batchesOf(reader);
  t.deepEqual(await next(), ['a']);
  for (const id of ['b', 'c']) {
    // Requests without changes end after a timeout and are repeated.
    await recipes.insert({ eggs: 0 }, `without ${id}`);
    await recipes.insert({ eggs: 1 }, id);
    t.deepEqual(await next(), [id]);
  }
  // Stopping aborts the waiting request, which the reader reports as an error.
  const errors: Error[] = [];
  reader.on('error', (error: Error) => errors.push(error));
  const ended = new Promise((resolve) => reader.on('end', resolve));
  recipes.changesReader.stop();
  await ended;
  t.true(errors.every(({ message }) => message.includes('aborted')));
});

/** Members that nano's types lack. */
interface Streaming {
  changesAsStream(params: object): NodeJS.ReadableStream;
}

test('changesAsStream', async (t) => {
  const { recipes } = await connect(t);
  await recipes.bulk({ docs: ['a', 'b'].map((_id) => ({ _id })) });
  const stream = (recipes as unknown as Streaming).changesAsStream({ feed: 'continuous', limit: 2 });
  const lines = (await text(stream)).split('\r\n');
  t.deepEqual(
    lines.slice(0, 2).map((line) => (JSON.parse(line) as { id: string }).id),
    ['a', 'b'],
  );
  t.true('last_seq' in (JSON.parse(lines[2]!) as object));
});
