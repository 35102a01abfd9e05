/** Features that the server can lack: each with a request that it then does not serve. */
import { readFile } from 'node:fs/promises';
import test from 'ava';
import { testServer, type TestServer } from '../testing/server.js';
import { lacks } from './index.js';

type Request = Parameters<TestServer['asAdmin']>;

const rev = (digit: string): string => `1-${digit.repeat(32)}`;
const chosen = (...docs: object[]): Request => ['POST', '/db/_bulk_docs', { docs, new_edits: false }];
const branches = chosen({ _id: 'a', _rev: rev('a') }, { _id: 'a', _rev: rev('b') });
const many = Array.from({ length: 1001 }, (_, index) => ({ _id: `doc-${index}` }));
const attached = { _attachments: { note: { data: 'aGk=' } } };
const conflict = /"error":"conflict"/;
const missing = /"error":"not_found"/;
const refused = /is not supported|are not supported/;

/** What is sent before, and a request whose response shows the lack: a text that it matches, or that it has not. */
interface Shown {
  readonly before?: readonly Request[];
  readonly request: Request;
  readonly has?: RegExp;
  readonly hasNot?: RegExp;
}

const inFeed = (query: string, shown: Omit<Shown, 'request'>): Shown => ({
  before: [['POST', '/db/_bulk_docs', { docs: [{ _id: 'a' }, { _id: 'b' }] }], branches],
  request: ['GET', `/db/_changes?${query}`],
  ...shown,
});

const shown: Readonly<Record<string, Shown>> = {
  'create-redirect': { request: ['PUT', '/other'], has: /"error":"redirected"/ },
  created: { request: ['PUT', '/db/a', {}], has: /"ok":true/ },
  'bulk-docs': { request: ['POST', '/db/_bulk_docs', { docs: [] }], has: missing },
  'new-edits': { request: branches, has: refused },
  conflicts: { request: branches, has: conflict },
  'conflict-edits': {
    before: [branches],
    request: ['POST', '/db/_bulk_docs', { docs: [{ _id: 'a', _rev: rev('a') }] }],
    has: conflict,
  },
  recreation: {
    before: [chosen({ _id: 'a', _rev: rev('a'), _deleted: true })],
    request: ['PUT', '/db/a', {}],
    has: conflict,
  },
  'design-documents': { request: ['PUT', '/db/_design/a', {}], has: refused },
  'bulk-design-documents': {
    before: [['PUT', '/db/_design/b', {}]],
    request: ['POST', '/db/_bulk_docs', { docs: [{ _id: '_design/a' }] }],
    has: refused,
  },
  'bulk-revisions': {
    request: chosen({ _id: 'c', _rev: rev('a') }, { _id: 'c', _rev: rev('b') }),
    has: conflict,
  },
  attachments: { request: ['PUT', '/db/a', attached], has: refused },
  'deleted-bodies': {
    before: [chosen({ _id: 'a', _rev: rev('a'), _deleted: true, why: 'test' })],
    request: ['GET', '/db/_changes?include_docs=true'],
    has: /"_deleted":true/,
    hasNot: /why/,
  },
  'unusual-ids': { request: ['PUT', '/db/%C3%A9', {}], has: /"error":"illegal_docid"/ },
  'exact-numbers': {
    before: [['PUT', '/db/a', { exact: 0.12345678901234566 }]],
    request: ['GET', '/db/a'],
    has: /"exact":0.123456789012346\b/,
  },
  'all-docs': { request: ['GET', '/db/_all_docs'], has: missing },
  'local-documents': { request: ['PUT', '/db/_local/a', {}], has: missing },
  session: { request: ['GET', '/_session'], has: missing },
  'post-changes': { request: ['POST', '/db/_changes', {}], has: missing },
  'since-now': inFeed('since=now', { has: refused }),
  modes: inFeed('feed=continuous&timeout=1', { has: /"results"/ }),
  longpoll: inFeed('feed=longpoll', { has: refused }),
  continuous: inFeed('feed=continuous&timeout=1', { has: refused }),
  eventsource: inFeed('feed=eventsource&timeout=1', { has: refused }),
  'heartbeat-true': inFeed('heartbeat=true', { has: refused }),
  filters: inFeed('filter=_design', { has: /"id":"a"/ }),
  'filter-doc-ids': inFeed('filter=_doc_ids&doc_ids=["a"]', { has: refused }),
  'filter-selector': {
    request: ['POST', '/db/_changes?filter=_selector', { selector: {} }],
    has: refused,
  },
  'filter-design': inFeed('filter=_design', { has: refused }),
  style: inFeed('style=all_docs', { hasNot: new RegExp(rev('a')) }),
  'include-docs': inFeed('include_docs=true', { hasNot: /"doc"/ }),
  descending: inFeed('descending=true', { has: /"id":"b"[^]*"id":"a"/ }),
  limit: inFeed('limit=1', { has: /"id":"a"/ }),
  'all-rows': {
    before: [['POST', '/db/_bulk_docs', { docs: many }]],
    request: ['GET', '/db/_changes'],
    has: /"pending":1\b/,
  },
};

test('each has a request that shows it', (t) => t.deepEqual(Object.keys(shown), Object.keys(lacks)));

for (const [name, { before = [], request, has = /^/, hasNot = /(?!)/ }] of Object.entries(shown)) {
  test(`a server without ${name}, and one with everything`, async (t) => {
    for (const lack of [[name], []]) {
      const server = await testServer(t, { lack });
      await server.asAdmin('PUT', '/db/');
      for (const earlier of before) await server.asAdmin(...earlier);
      const { status, text } = await server.asAdmin(...request);
      const isShown = has.test(text) && !hasNot.test(text) && (name !== 'created' || status === 200);
      t.is(isShown, lack.length > 0, `${status} ${text.slice(0, 500)}`);
    }
  });
}

test('the README names each', async (t) => {
  const rows = (await readFile('reference/README.md', 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  for (const [name, { summary }] of Object.entries(lacks))
    t.true(
      rows.some((row) => row.startsWith(`| \`${name}\` `) && row.includes(summary)),
      `| \`${name}\` | ${summary} |`,
    );
});
