import { once } from 'node:events';
import { get } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { idsOf as ids, createDatabase } from '../testing/feed.js';
import { basic, testServer } from '../testing/server.js';

async function recipes(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  return { server, asAdmin: server.asAdmin, ...(await createDatabase(t, server, 'recipes')) };
}

test('the feed of an empty database', async (t) => {
  const { asAdmin, changes } = await recipes(t);
  const feed = await changes();
  t.deepEqual(feed.results, []);
  t.is(feed.pending, 0);
  t.regex(feed.last_seq, /^0-./);
  t.is((await changes(`since=${feed.last_seq}`)).last_seq, feed.last_seq);
  const { headers } = await asAdmin('GET', '/recipes/_changes');
  t.is(headers['content-type'], 'application/json');
  // A short feed has a length, a long one is sent in chunks.
  t.regex(String(headers['content-length']), /^[1-9]\d*$/);
  t.is(headers['cache-control'], 'must-revalidate');
});

test('each document has one row, in the order of the latest changes', async (t) => {
  const { write, changes } = await recipes(t);
  const [a, b] = await write({ _id: 'a' }, { _id: 'b' }, { _id: 'c' });
  const [a2, b2] = await write({ _id: 'a', _rev: a }, { _id: 'b', _rev: b, _deleted: true });
  const feed = await changes();
  t.deepEqual(ids(feed), ['c', 'a', 'b']);
  t.deepEqual(feed.results.slice(1), [
    { seq: feed.results[1]!.seq, id: 'a', changes: [{ rev: a2! }] },
    { seq: feed.results[2]!.seq, id: 'b', changes: [{ rev: b2! }], deleted: true },
  ]);
  t.is(feed.last_seq, feed.results[2]!.seq);
  t.is(feed.pending, 0);
});

test('limit, since and descending', async (t) => {
  const { write, changes } = await recipes(t);
  await write(...['a', 'b', 'c', 'd', 'e'].map((_id) => ({ _id })));
  const all = await changes();
  for (const [index, { seq }] of all.results.entries())
    t.deepEqual(ids(await changes(`since=${seq}`)), ids(all).slice(index + 1));

  const first = await changes('limit=2');
  t.deepEqual([ids(first), first.pending], [['a', 'b'], 3]);
  const second = await changes(`limit=2&since=${first.last_seq}`);
  t.deepEqual([ids(second), second.pending], [['c', 'd'], 1]);
  const none = await changes(`limit=0&since=${first.last_seq}`);
  t.deepEqual([ids(none), none.pending, none.last_seq], [[], 3, first.last_seq]);
  t.deepEqual(await changes('limit=-1'), all);
  t.deepEqual(await changes('limit=1000'), all);
  t.deepEqual(await changes('since=0'), all);

  const newest = await changes('descending=true&limit=2');
  t.deepEqual(newest.results, all.results.toReversed().slice(0, 2));
  t.deepEqual([newest.pending, newest.last_seq], [3, all.results[3]!.seq]);

  const now = await changes('since=now');
  t.deepEqual([ids(now), now.pending, now.last_seq], [[], 0, all.last_seq]);
  await write({ _id: 'f' });
  t.deepEqual(ids(await changes(`since=${now.last_seq}`)), ['f']);
});

test('rows include documents on request', async (t) => {
  const { write, replicate, changes } = await recipes(t);
  const [a, gone] = await write({ _id: 'a', n: { x: ['é'] } }, { _id: 'gone', _deleted: true, why: 1 });
  await replicate({ _id: 'torn', _rev: '1-b', n: 'b' }, { _id: 'torn', _rev: '1-a', n: 'a' });
  const docs = async (query: string) => (await changes(query)).results.map(({ doc }) => doc);
  t.deepEqual(await docs(''), [undefined, undefined, undefined]);
  t.deepEqual(await docs('conflicts=true'), [undefined, undefined, undefined]);
  const plain = [
    { _id: 'a', _rev: a, n: { x: ['é'] } },
    { _id: 'gone', _rev: gone, _deleted: true, why: 1 },
    { _id: 'torn', _rev: '1-b', n: 'b' },
  ];
  t.deepEqual(await docs('include_docs=true'), plain);
  t.deepEqual(await docs('include_docs=true&conflicts=true'), [
    plain[0],
    plain[1],
    { ...plain[2], _conflicts: ['1-a'] },
  ]);
  t.deepEqual(await docs('include_docs=true&attachments=true&att_encoding_info=true&seq_interval=2'), plain);
});

test('all leaf revisions: the winner, then the others, deleted ones last', async (t) => {
  const { replicate, changes } = await recipes(t);
  const leaf = (ids: string, members: object = {}) => ({
    _id: 'a',
    _revisions: { start: ids.length, ids: [...ids] },
    ...members,
  });
  await replicate(leaf('bx'), leaf('cx'), leaf('edx', { _deleted: true }), leaf('a'));
  const revs = async (query: string) => (await changes(query)).results[0]!.changes.map(({ rev }) => rev);
  t.deepEqual(await revs(''), ['2-c']);
  t.deepEqual(await revs('style=main_only'), ['2-c']);
  t.deepEqual(await revs('style=all_docs'), ['2-c', '2-b', '1-a', '3-e']);
  t.false('deleted' in (await changes('style=all_docs')).results[0]!);
});

test('POST returns the same as GET', async (t) => {
  const { asAdmin, write, changes } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' }, { _id: 'c' });
  for (const query of ['', 'limit=2', 'descending=true&include_docs=true', 'since=now']) {
    const { status, json } = await asAdmin('POST', `/recipes/_changes?${query}`, {});
    t.is(status, 200);
    t.deepEqual(json, await changes(query));
  }
  t.is((await asAdmin('HEAD', '/recipes/_changes')).text, '');
});

test('a consumer that reads pages during writes receives all changes', async (t) => {
  const { write, changes } = await recipes(t);
  const revs = new Map<string, string>();
  await t.notThrowsAsync(() =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(19), { maxLength: 8 }),
        fc.integer({ min: 1, max: 7 }),
        async (writes, limit) => {
          const seen = new Map<string, string>();
          const left = [...writes];
          for (let page = await changes(`limit=${limit}`); ;) {
            for (const { id, changes } of page.results) seen.set(id, changes[0]!.rev);
            const n = left.shift();
            if (n !== undefined) {
              const [rev] = await write({ _id: `doc-${n}`, _rev: revs.get(`doc-${n}`) });
              revs.set(`doc-${n}`, rev!);
            } else if (page.pending === 0) break;
            page = await changes(`limit=${limit}&since=${page.last_seq}`);
          }
          t.deepEqual([...seen].sort(), [...revs].sort());
        },
      ),
      { numRuns: 15 },
    ),
  );
});

test('invalid parameters are rejected with their name', async (t) => {
  const { asAdmin, server } = await recipes(t);
  for (const query of [
    'since=bogus',
    'since=5',
    'since=1-abc',
    'since=',
    'since={}',
    'limit=abc',
    'limit=-2',
    'limit=1.5',
    'style=bogus',
    'feed=bogus',
    'descending=maybe',
    'include_docs=1x',
    'heartbeat=0',
    'timeout=-1',
    'doc_ids=x',
    'seq_interval=0',
  ]) {
    for (const method of ['GET', 'POST']) {
      const { status, json } = await asAdmin(
        method,
        `/recipes/_changes?${query}`,
        method === 'POST' ? {} : undefined,
      );
      t.is(status, 400, query);
      const { error, reason } = json as { error: string; reason: string };
      t.is(error, 'bad_request');
      t.regex(reason, new RegExp(query.split('=')[0]!), query);
    }
  }
  t.deepEqual(server.reports, []);
});

test('slow and disconnected clients do not affect others', async (t) => {
  const { asAdmin, changes, server, write } = await recipes(t);
  for (let n = 0; n < 30; n++) await write({ _id: `large-${n}`, text: 'x'.repeat(1_000_000) });
  const open = async () => {
    const request = get(`${server.url}/recipes/_changes?include_docs=true`, {
      headers: basic(server.admin.name, server.admin.password),
    });
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
    return response;
  };
  const gone = await open();
  const slow = await open();
  gone.destroy();
  t.is((await changes()).results.length, 30);
  t.is((await asAdmin('DELETE', '/recipes')).status, 200);
  // Rows that were already sent arrive. Then the response is aborted.
  await t.throwsAsync(async () => {
    for await (const chunk of slow) void chunk;
  });
  t.is((await asAdmin('PUT', '/recipes')).status, 201);
  t.deepEqual(server.reports, []);
});
