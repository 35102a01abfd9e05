import test from 'ava';
import fc from 'fast-check';
import { testServer } from '../testing/server.js';

/** Almost valid values find more defects than arbitrary ones. */
const nearly = fc.oneof(
  fc.constantFrom('a', '1-a', '2-b', '_design/x', '', '0', 'now', true, false, null, 0, -1, 1.5, 1e21),
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom('a', '1-a', 5, null, {}), { maxLength: 3 }),
  fc.jsonValue(),
);
const member = fc.constantFrom(
  '_id',
  '_rev',
  '_deleted',
  '_revisions',
  '_attachments',
  '_x',
  'n',
  'docs',
  'start',
  'ids',
);
const nested = fc.dictionary(member, nearly, { maxKeys: 3 });
const document = fc.dictionary(member, fc.oneof({ weight: 3, arbitrary: nearly }, nested), { maxKeys: 4 });
const body = fc.oneof(
  document,
  fc.record({
    docs: fc.oneof(fc.array(fc.oneof(document, nearly), { maxLength: 3 }), nearly),
    new_edits: nearly,
  }),
  fc.record({ docs: fc.array(document, { maxLength: 3 }), new_edits: fc.boolean() }),
  fc.record({ keys: nearly }),
  nearly,
);
const parameters = [
  ...[
    'rev',
    'open_revs',
    'latest',
    'conflicts',
    'revs',
    'new_edits',
    'batch',
    'limit',
    'skip',
    'key',
    'keys',
  ],
  ...[
    'startkey',
    'endkey',
    'descending',
    'since',
    'style',
    'feed',
    'filter',
    'doc_ids',
    'include_docs',
    'last-event-id',
  ],
];
const query = fc
  .array(fc.tuple(fc.constantFrom(...parameters), nearly, fc.boolean()), { maxLength: 3 })
  .map((list) =>
    list
      .map(
        ([name, value, raw]) =>
          `${name}=${encodeURIComponent(raw && typeof value === 'string' ? value : JSON.stringify(value))}`,
      )
      .join('&'),
  );
const target = fc.constantFrom(
  'GET a',
  'PUT a',
  'PUT new',
  'DELETE a',
  'PUT _design/x',
  'POST ',
  'POST _bulk_docs',
  'GET _all_docs',
  'POST _all_docs',
  'GET _changes',
  'POST _changes',
);

test('malformed requests are rejected with a reason and without any change', async (t) => {
  const { asAdmin, reports } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  await asAdmin('PUT', '/recipes/a?new_edits=false', { _rev: '1-a' });
  const state = async () =>
    (await asAdmin('GET', '/recipes/_changes?include_docs=true&style=all_docs&conflicts=true')).text;
  let before = await state();
  await t.notThrowsAsync(() =>
    fc.assert(
      fc.asyncProperty(target, query, body, async (target, query, body) => {
        const [method, path] = target.split(' ') as [string, string];
        const sent = method === 'PUT' || method === 'POST' ? JSON.stringify(body) : undefined;
        const { status, json, text } = await asAdmin(method, `/recipes/${path}?${query}`, sent);
        t.true(status < 500 || status === 501, `${status} ${text}`);
        if (status >= 400) {
          const { error, reason } = json as { error: unknown; reason: unknown };
          t.deepEqual([typeof error, typeof reason], ['string', 'string']);
        }
        const after = await state();
        if (status >= 400 || method === 'GET') t.is(after, before);
        before = after;
      }),
      { numRuns: 250 },
    ),
  );
  t.deepEqual(reports, []);
});
