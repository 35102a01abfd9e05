import test, { type ExecutionContext } from 'ava';
import { isRow, readFeed } from '../testing/read-feed.js';
import { basic, admin, testServer, type TestServer } from '../testing/server.js';
import { planOf, type Plan } from './plan.js';

type Fits = (plan: Plan) => boolean;

/** Finds the first seed with a matching plan. */
function seedOf(fits: Fits): number {
  for (let seed = 0; seed < 1000; seed++) if (fits(planOf(seed))) return seed;
  throw new Error('no seed fits');
}

interface Row {
  readonly id: string;
  readonly seq: unknown;
  readonly changes: readonly { rev: string }[];
}
interface Feed {
  readonly results: readonly Row[];
  readonly last_seq: unknown;
  readonly pending: number;
}

const count = 60;

async function filled(t: ExecutionContext, fits: Fits): Promise<TestServer> {
  const server = await testServer(t, { vary: seedOf(fits) });
  await server.asAdmin('PUT', '/recipes');
  const docs = Array.from({ length: count }, (_, n) => ({ _id: `doc-${n}`, n }));
  await server.asAdmin('POST', '/recipes/_bulk_docs', { docs });
  return server;
}

const sent = (sequence: unknown) =>
  encodeURIComponent(typeof sequence === 'string' ? sequence : JSON.stringify(sequence));

async function feed(server: TestServer, query = ''): Promise<Feed> {
  const { status, json, text } = await server.asAdmin('GET', `/recipes/_changes${query}`);
  if (status !== 200) throw new Error(text);
  return json as Feed;
}

test('another leaf revision than in CouchDB can win', async (t) => {
  const server = await testServer(t, { vary: seedOf(({ hasOtherWinner }) => hasOtherWinner) });
  await server.asAdmin('PUT', '/recipes');
  const docs = ['1-b', '1-a', '2-c'].map((_rev) => ({ _id: 'doc', _rev }));
  await server.asAdmin('POST', '/recipes/_bulk_docs', { docs, new_edits: false });
  const { json } = await server.asAdmin('GET', '/recipes/doc');
  t.is((json as { _rev: string })._rev, '1-a');
});

const idsOf = ({ results }: Feed) => results.map(({ id }) => id);

test('with several shards, the order differs in each call, and each sequence resumes without loss', async (t) => {
  const server = await filled(t, ({ shards, copies }) => shards > 1 && copies === 1);
  const [one, two] = [await feed(server), await feed(server)];
  t.notDeepEqual(idsOf(one), idsOf(two));
  t.deepEqual(idsOf(one).sort(), idsOf(two).sort());
  for (const [index, { seq }] of one.results.entries()) {
    const rest = await feed(server, `?since=${sent(seq)}`);
    t.deepEqual(
      idsOf(rest).sort(),
      idsOf(one)
        .slice(index + 1)
        .sort(),
    );
  }
  const page = await feed(server, '?limit=7');
  t.is(page.results.length, 7);
  t.is(page.pending, count - 7);
});

test('the same seed and requests have the same responses', async (t) => {
  const fits: Fits = ({ shards, sequences }) => shards === 3 && sequences === 'array';
  const [one, two] = [await filled(t, fits), await filled(t, fits)];
  for (let call = 0; call < 3; call++) t.deepEqual(idsOf(await feed(one)), idsOf(await feed(two)));
});

test('header names, members of objects, and the database information', async (t) => {
  const fits: Fits = ({ headers, extraMembers, shards }) => headers === 'UPPER' && extraMembers && shards > 1;
  const server = await filled(t, fits);
  const facts = (await server.asAdmin('GET', '/recipes')).json as {
    cluster: { q: number };
    x_variation?: unknown;
  };
  t.is(facts.cluster.q, planOf(seedOf(fits)).shards);
  t.truthy(facts.x_variation);
  const { json } = await server.asAdmin('GET', '/recipes/doc-1');
  t.deepEqual(Object.keys(json as object).sort(), ['_id', '_rev', 'n'], 'documents are left alone');
});

test('a live feed that is split into pieces has all changes', async (t) => {
  const server = await filled(t, ({ pieces, pauseMs }) => pieces === 5 && pauseMs === 5);
  const { body } = await server.open('GET', '/recipes/_changes?feed=continuous&since=now&limit=3', {
    headers: basic(admin.name, admin.password),
  });
  for (const id of ['ä', '漢', '😀']) await server.asAdmin('PUT', `/recipes/${encodeURIComponent(id)}`, {});
  const ids: string[] = [];
  for await (const part of readFeed('continuous', body)) ids.push(isRow(part) ? part.id : 'the end');
  t.deepEqual(ids, ['ä', '漢', '😀', 'the end']);
});

test('missing features are rejected', async (t) => {
  const server = await filled(t, ({ functions, configuration }) => !functions && !configuration);
  t.is((await server.asAdmin('GET', '/_node/_local/_config')).status, 404);
  t.is((await server.asAdmin('GET', '/recipes/_changes?filter=a/b')).status, 501);
  t.is((await server.asAdmin('GET', '/recipes/_changes?filter=_design')).status, 200);
});

test('a malformed sequence is rejected', async (t) => {
  const server = await filled(t, ({ shards }) => shards > 1);
  for (const since of ['x', '[1]', '{}', '"1-x"', '99'])
    t.is(
      (await server.asAdmin('GET', `/recipes/_changes?since=${encodeURIComponent(since)}`)).status,
      400,
      since,
    );
});

test('a long poll can end after the first document of a bulk write, and all documents follow', async (t) => {
  const server = await testServer(t, { vary: { splitsBulkWrites: true } });
  await server.asAdmin('PUT', '/recipes');
  const polling = feed(server, '?feed=longpoll&since=now');
  await server.asAdmin('GET', '/recipes');
  const docs = ['a', 'b', 'c'].map((_id) => ({ _id }));
  const written = await server.asAdmin('POST', '/recipes/_bulk_docs', { docs });
  t.is((written.json as unknown[]).length, docs.length);
  const first = await polling;
  t.deepEqual([idsOf(first), first.pending], [['a'], 0]);
  t.deepEqual(idsOf(await feed(server, `?since=${sent(first.last_seq)}`)), ['b', 'c']);
});
