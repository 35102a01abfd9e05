/** What is judged only if nobody has replaced or purged the database past the proxy meanwhile. */
import test from 'ava';
import { TrafficJudge } from './judge.js';
import { PassingTraffic } from './passing.js';

interface Passing {
  /** Default: GET, or POST with a body. */
  readonly method?: string;
  readonly path: string;
  readonly sent?: object;
  readonly body: object;
  /** When it passes, in milliseconds. */
  readonly at: number;
}

/** @returns the rules that are broken when this has passed */
function broken(exchanges: readonly Passing[]): string[] {
  const judge = new TrafficJudge({
    dialect: 'couchdb',
    hasOneCopy: true,
    requiredClaims: [],
    bodies: false,
    toShowMore: '',
    prefix: '',
  });
  const traffic = new PassingTraffic(judge);
  exchanges.forEach(({ sent, method = sent ? 'POST' : 'GET', path, body, at }, exchange) => {
    const pass = (
      kind: 'request' | 'upload' | 'sent' | 'response' | 'chunk' | 'end',
      ms: number,
      content = '',
    ): void => traffic.onEvent({ kind, exchange, at: at + ms, bytes: Buffer.from(content) });
    const text = JSON.stringify(body);
    const type = sent ? ['content-type', 'application/json'] : [];
    pass('request', 0, JSON.stringify({ connection: 1, method, path, rawHeaders: type }));
    if (sent) pass('upload', 0, JSON.stringify(sent));
    pass('sent', 1);
    const rawHeaders = ['content-type', 'application/json', 'content-length', String(text.length)];
    pass('response', 2, JSON.stringify({ status: 200, rawHeaders }));
    pass('chunk', 3, text);
    pass('end', 4);
  });
  return judge.verdicts().rules.flatMap(({ violations }) => violations.map(({ rule }) => rule));
}

const same = { instance_start_time: '1700000000', purge_seq: '0-a' };
const about = (at: number, identity: object = same): Passing => ({
  path: '/db',
  body: { db_name: 'db', doc_count: 2, update_seq: '2-b', ...identity },
  at,
});

const row = (n: number): object => ({ id: `doc-${n}`, seq: `${n}-b`, changes: [{ rev: `1-${n}` }] });

/** A page with one row, which counts one more than the next request finds. */
const pages: readonly Passing[] = [
  { path: '/db/_changes?limit=1', body: { results: [row(1)], last_seq: '1-b', pending: 2 }, at: 1100 },
  { path: '/db/_changes?since=1-b', body: { results: [row(2)], last_seq: '2-b', pending: 0 }, at: 1200 },
];

test('pending is too great if the next request finds less, in a database that is still the same', (t) => {
  t.deepEqual(broken([about(0), ...pages, about(1300)]), ['feed-pending']);
});

test('nothing is said of a database that may be another one', (t) => {
  const silent = {
    'nothing shows that it is the same': [about(0), ...pages],
    'only what was under way shows it': [about(0), ...pages, about(1204)],
    'it was made again': [about(0), ...pages, about(1300, { ...same, instance_start_time: '1700000001' })],
    'it may have been made again in the same second': [about(200), ...pages, about(1300)],
    'it was purged': [about(0), ...pages, about(1300, { ...same, purge_seq: '1-a' })],
    'the target does not tell when it was made': [
      about(0, { ...same, instance_start_time: '0' }),
      ...pages,
      about(1300, { ...same, instance_start_time: '0' }),
    ],
    'the target does not tell what is purged': [
      about(0, { ...same, purge_seq: 0 }),
      ...pages,
      about(1300, { ...same, purge_seq: 0 }),
    ],
  };
  for (const [why, exchanges] of Object.entries(silent)) t.deepEqual(broken(exchanges), [], why);
});

test('a filter may count what it rejects, and a database may lose nothing else', (t) => {
  const filtered = pages.map((page) => ({ ...page, path: `${page.path}&filter=_design` }));
  t.deepEqual(broken([about(0), ...filtered, about(1300)]), ['filter-design']);
  const [first, second] = pages as [Passing, Passing];
  const changed = { ...second, body: { results: [row(2), row(3)], last_seq: '3-b', pending: 0 } };
  t.deepEqual(broken([about(0), first, changed, about(1300)]), []);
});

const selected = (rows: readonly object[], style = 'main_only'): Passing => ({
  path: `/db/_changes?filter=_selector&style=${style}`,
  sent: { selector: { n: { $gt: 1 } } },
  body: { results: rows, last_seq: '1-b', pending: 0 },
  at: 1200,
});
const read = (n: number): Passing => ({
  path: '/db/doc-1',
  body: { _id: 'doc-1', _rev: '1-1', n },
  at: 1100,
});
const put = (n: number): Passing => ({
  ...read(n),
  method: 'PUT',
  sent: { n },
  body: { ok: true, id: 'doc-1', rev: '1-1' },
});
const leaves = (...revs: readonly string[]): Passing => ({
  path: '/db/_changes?style=all_docs',
  body: {
    results: [{ id: 'doc-1', seq: '1-b', changes: revs.map((rev) => ({ rev })) }],
    last_seq: '1-b',
    pending: 0,
  },
  at: 1250,
});

test('a row whose revision does not match a selector is found if no other leaf may have matched', (t) => {
  const wrong = selected([row(1)]);
  t.deepEqual(broken([about(0), read(1), wrong, leaves('1-1'), about(1300)]), ['filter-selector']);
  t.deepEqual(broken([about(0), put(1), wrong, leaves('1-1'), about(1300)]), ['filter-selector']);
  t.deepEqual(broken([about(0), read(2), wrong, leaves('1-1'), about(1300)]), []);
  t.deepEqual(broken([about(0), read(1), wrong, leaves('2-2'), about(1300)]), []);
  t.deepEqual(broken([about(0), read(1), wrong, leaves('1-2', '1-1'), about(1300)]), []);
  t.deepEqual(broken([about(0), read(1), wrong, about(1300)]), []);
});

const included = (document: object, at = 1200, query = ''): Passing => ({
  path: `/db/_changes?include_docs=true${query}`,
  body: {
    results: [{ ...row(1), doc: { _id: 'doc-1', _rev: '1-1', ...document } }],
    last_seq: '1-b',
    pending: 0,
  },
  at,
});

test('a doc has the content that an earlier response had of its revision', (t) => {
  const rules = ['feed-include-docs'];
  t.deepEqual(broken([about(0), read(1), included({ _local_seq: 1, n: 2 }), about(1300)]), rules);
  t.deepEqual(
    broken([
      about(0),
      { ...included({ _local_seq: 2, n: 1 }), at: 1100 },
      included({ _local_seq: 1, n: 2 }),
      about(1300),
    ]),
    rules,
  );
  t.deepEqual(broken([about(0), read(2), included({ _local_seq: 1, n: 2 }), about(1300)]), []);
  t.deepEqual(broken([about(0), read(1), included({ _local_seq: 1, n: 2 })]), []);
  t.deepEqual(
    broken([about(0), read(1), included({ _local_seq: 1, n: 2 }), about(1300, { ...same, purge_seq: '1' })]),
    [],
  );
  // A server may store another content than was written, which the feed then shows.
  t.deepEqual(broken([about(0), put(1), included({ _local_seq: 1, n: 2 }), about(1300)]), []);
  t.deepEqual(broken([about(0), put(1), read(2), included({ _local_seq: 1, n: 2 }), about(1300)]), []);
});

// As CouchDB does.
test('a doc that has only the members that the request names breaks no rule', (t) => {
  const feed = (rest: object, sent: object): Passing => ({
    path: '/db/_changes?filter=_selector&include_docs=true&conflicts=true',
    sent: { selector: { n: 1 }, ...sent },
    body: { results: [{ ...row(1), ...rest }], last_seq: '1-b', pending: 0 },
    at: 1200,
  });
  const parts: readonly object[] = [
    { doc: { _id: 'doc-1', _rev: '1-1', other: 1 } },
    { doc: { other: 1 } },
    { doc: {} },
    { doc: { _id: 'doc-1', _rev: '1-1', n: 1 }, deleted: true },
  ];
  for (const part of parts) {
    const passed = (sent: object): Passing[] => [about(0), read(1), feed(part, sent), read(1), about(1300)];
    t.deepEqual(broken(passed({ fields: ['other'] })), []);
    t.not(broken(passed({})).length, 0);
  }
});

test('each response that shows a revision shows the content that a feed has shown', (t) => {
  const shown = (n: number): Record<string, Passing> => {
    const document = { _id: 'doc-1', _rev: '1-1', _revisions: {}, n };
    return {
      'a document': read(n),
      'open revisions': { path: '/db/doc-1?open_revs=all', body: [{ ok: document }], at: 1250 },
      'many documents': {
        path: '/db/_bulk_get',
        sent: { docs: [{ id: 'doc-1' }] },
        body: { results: [{ id: 'doc-1', docs: [{ ok: document }] }] },
        at: 1250,
      },
      'a list': {
        path: '/db/_all_docs?include_docs=true',
        body: {
          total_rows: 1,
          offset: 0,
          rows: [{ id: 'doc-1', key: 'doc-1', value: { rev: '1-1' }, doc: document }],
        },
        at: 1250,
      },
    };
  };
  const of = (n: number): readonly (readonly [string, Passing])[] => Object.entries(shown(n));
  for (const [what, response] of of(2)) {
    const later = { ...response, at: 1250 };
    t.deepEqual(broken([about(0), included({ n: 1 }), later, about(1300)]), ['feed-include-docs'], what);
    t.deepEqual(broken([about(0), included({ n: 1 }), later]), [], what);
    t.deepEqual(broken([about(0), included({ n: 2 }), later, about(1300)]), [], what);
    // What the others show is no matter of the feed.
    t.deepEqual(broken([about(0), { ...read(1), at: 1150 }, later, about(1300)]), [], what);
    const earlier = { ...response, at: 1150 };
    t.deepEqual(broken([about(0), earlier, included({ n: 1 }), about(1300)]), ['feed-include-docs'], what);
    t.deepEqual(broken([about(0), earlier, included({ n: 2 }), about(1300)]), [], what);
  }
});

test('a row has each leaf with style=all_docs, if it is a leaf before and after', (t) => {
  const before = { ...leaves('1-2', '1-1'), at: 1150 };
  const lacking = { ...leaves('1-2'), at: 1200 };
  const after = leaves('1-2', '1-1');
  const filtered = {
    ...lacking,
    path: '/db/_changes?style=all_docs&filter=_doc_ids',
    sent: { doc_ids: ['doc-1'] },
  };
  for (const [feed, rule] of [
    [lacking, 'feed-style-all'],
    [filtered, 'filter-all-docs-revs'],
  ] as const) {
    t.deepEqual(broken([about(0), before, feed, after, about(1300)]), [rule]);
    t.deepEqual(broken([about(0), before, feed, after]), []);
    t.deepEqual(broken([about(0), before, feed, about(1300)]), []);
    t.deepEqual(broken([about(0), feed, after, about(1300)]), []);
    t.deepEqual(broken([about(0), before, feed, leaves('1-2', '2-1'), about(1300)]), []);
    // With several copies, one may lag behind.
    t.deepEqual(
      broken([about(0, { ...same, cluster: { n: 2, q: 1 } }), before, feed, after, about(1300)]),
      [],
    );
  }
});

test('_conflicts has each leaf that is not deleted, and no deletion', (t) => {
  const loser = (document: object): Passing => ({
    path: '/db/doc-1?rev=1-0',
    body: { _id: 'doc-1', _rev: '1-0', ...document },
    at: 1100,
  });
  const before = { ...leaves('1-1', '1-0'), at: 1150 };
  const after = leaves('1-1', '1-0');
  const without = included({}, 1200, '&conflicts=true');
  const rules = ['feed-conflicts'];
  t.deepEqual(broken([about(0), loser({}), before, without, after, about(1300)]), rules);
  t.deepEqual(broken([about(0), loser({ _deleted: true }), before, without, after, about(1300)]), []);
  t.deepEqual(broken([about(0), before, without, after, about(1300)]), []);
  t.deepEqual(broken([about(0), loser({}), before, without, about(1300)]), []);
  t.deepEqual(broken([about(0), loser({}), before, without, leaves('1-1', '2-0'), about(1300)]), []);
  t.deepEqual(broken([about(0), loser({}), before, without, after]), []);
  const whole = included({ _conflicts: ['1-0'] }, 1200, '&conflicts=true');
  t.deepEqual(broken([about(0), loser({}), before, whole, after, about(1300)]), []);
  // The row itself shows the leaves.
  const own = included({}, 1200, '&conflicts=true&style=all_docs');
  const [shown] = (own.body as { results: object[] }).results;
  const changes = ['1-1', '1-0'].map((rev) => ({ rev }));
  const listing = { ...own, body: { results: [{ ...shown, changes }], last_seq: '1-b', pending: 0 } };
  t.deepEqual(broken([about(0), loser({}), listing, after, about(1300)]), rules);
  t.deepEqual(broken([about(0), listing, after, about(1300)]), []);
  const removed: Passing = {
    method: 'DELETE',
    path: '/db/doc-1?rev=0-0',
    body: { ok: true, id: 'doc-1', rev: '1-0' },
    at: 1100,
  };
  t.deepEqual(broken([about(0), removed, whole, about(1300)]), rules);
  t.deepEqual(broken([about(0), removed, without, about(1300)]), []);
  t.deepEqual(broken([about(0), removed, whole]), []);
});

test('each revision that a row lists matches the selector, whatever the others do', (t) => {
  const both = selected([{ ...row(1), changes: [{ rev: '1-2' }, { rev: '1-1' }] }], 'all_docs');
  t.deepEqual(broken([about(0), read(1), both, about(1300)]), ['filter-all-docs-revs']);
  t.deepEqual(broken([about(0), read(2), both, about(1300)]), []);
  t.deepEqual(broken([about(0), read(1), both]), []);
});

test('a row has each leaf that matches a selector, if it is a leaf before and after', (t) => {
  const lacking = selected([{ ...row(1), changes: [{ rev: '1-2' }] }], 'all_docs');
  const before = { ...leaves('1-2', '1-1'), at: 1150 };
  const after = leaves('1-2', '1-1');
  const rules = ['filter-all-docs-revs'];
  t.deepEqual(broken([about(0), read(2), before, lacking, after, about(1300)]), rules);
  t.deepEqual(broken([about(0), read(1), before, lacking, after, about(1300)]), []);
  t.deepEqual(broken([about(0), before, lacking, after, about(1300)]), []);
  t.deepEqual(broken([about(0), read(2), lacking, after, about(1300)]), []);
  t.deepEqual(broken([about(0), read(2), before, lacking, about(1300)]), []);
  t.deepEqual(broken([about(0), read(2), before, lacking, leaves('2-1', '1-2'), about(1300)]), []);
  // Reading the revision does not show that it is still a leaf.
  t.deepEqual(broken([about(0), read(2), before, lacking, { ...read(2), at: 1250 }, about(1300)]), []);
});

test('a write that matches a selector has a row, if no other leaf may be the winner', (t) => {
  const none = selected([]);
  t.deepEqual(broken([about(0), put(2), none, leaves('1-1'), about(1300)]), ['filter-selector']);
  t.deepEqual(broken([about(0), put(1), none, leaves('1-1'), about(1300)]), []);
  t.deepEqual(broken([about(0), put(2), none, leaves('2-2', '1-1'), about(1300)]), []);
  t.deepEqual(broken([about(0), put(2), none, leaves('1-1'), about(1300, { ...same, purge_seq: '1' })]), []);
});

test('what a feed with a selector lacks need not come after it', (t) => {
  const rest = feed(since(1), [], 1220, 1);
  const later = leaves('1-2', '1-1');
  t.deepEqual(broken([about(0), put(2), selected([]), rest, later, about(1300)]), []);
});

test('the revision that a DELETE returned is deleted, and what a PUT has written is not', (t) => {
  const removed: Passing = { ...put(1), method: 'DELETE', sent: {}, path: '/db/doc-1?rev=0-1' };
  const shown = (isDeleted: boolean): Passing => ({
    path: '/db/_changes',
    body: { results: [{ ...row(1), ...(isDeleted && { deleted: true }) }], last_seq: '1-b', pending: 0 },
    at: 1200,
  });
  t.deepEqual(broken([about(0), removed, shown(false), about(1300)]), ['feed-deleted']);
  t.deepEqual(broken([about(0), put(1), shown(true), about(1300)]), ['feed-deleted']);
  t.deepEqual(broken([about(0), removed, shown(true), about(1300)]), []);
  t.deepEqual(broken([about(0), put(1), shown(false), about(1300)]), []);
  // Rows of one revision agree.
  t.deepEqual(broken([about(0), { ...shown(true), at: 1100 }, shown(false), about(1300)]), ['feed-deleted']);
  t.deepEqual(broken([about(0), { ...shown(true), at: 1100 }, shown(true), about(1300)]), []);
  t.deepEqual(broken([about(0), { ...shown(true), at: 1100 }, shown(false)]), []);
});

/** A response of normal mode with these rows. */
const feed = (query: string, rows: readonly number[], at: number, lastSeq = rows.at(-1) ?? 0): Passing => ({
  path: `/db/_changes${query}`,
  body: { results: rows.map(row), last_seq: `${lastSeq}-b`, pending: 0 },
  at,
});
const since = (n: number): string => `?since=${n}-b`;

test('what an earlier response had at or before since does not come again', (t) => {
  const whole = feed('', [1, 2, 3], 1100);
  const again = ['feed-since-excludes'];
  t.deepEqual(broken([about(0), whole, feed(since(2), [2, 3], 1200), about(1300)]), again);
  t.deepEqual(broken([about(0), whole, feed(since(3), [1], 1200), about(1300)]), again);
  t.deepEqual(broken([about(0), whole, feed(since(2), [3], 1200), about(1300)]), []);
  t.deepEqual(broken([about(0), whole, feed(since(2), [2, 3], 1200)]), []);
  // Each response starts where the one before has ended.
  const pages = [feed('?limit=1', [1], 1100), feed(since(1), [2], 1110), feed(since(2), [3], 1120)];
  t.deepEqual(broken([about(0), ...pages, feed(since(3), [1], 1200), about(1300)]), again);
  // Responses with a part of the rows leave what is known of the order.
  const now = feed('?since=now', [], 1150, 3);
  t.deepEqual(broken([about(0), whole, now, feed(since(3), [1], 1200), about(1300)]), again);
  const resumed = feed(since(1), [2, 3], 1150);
  t.deepEqual(broken([about(0), whole, resumed, feed(since(3), [1], 1200), about(1300)]), again);
  // An order that was seen before the database could be told from another one does not hide the one after.
  const early = feed('', [1, 2, 3], 500);
  const late = feed('', [2, 3], 1150);
  t.deepEqual(broken([about(0), early, late, feed(since(3), [2], 1200), about(1300)]), again);
  t.deepEqual(broken([about(0), early, feed(since(3), [2], 1200), about(1300)]), []);
  // Who reads beside another one sees the changes in another order, if there are several shards.
  const beside = [feed('?limit=1', [1], 1100), feed(since(1), [2], 1110), feed(since(1), [3], 1120)];
  t.deepEqual(broken([about(0), ...beside, feed(since(3), [2], 1200), about(1300)]), []);
});

test('what a response had before since=now does not come after it', (t) => {
  const whole = feed('', [1, 2], 1100);
  const now = feed('?since=now', [2], 1200);
  t.deepEqual(broken([about(0), whole, now, about(1300)]), ['feed-since-now']);
  t.deepEqual(broken([about(0), whole, { ...now, at: 1099 }, about(1300)]), []);
  t.deepEqual(broken([about(0), whole, feed('?since=now', [3], 1200), about(1300)]), []);
});

test('a row that an earlier response had after since comes again, or another one of its document', (t) => {
  const whole = feed('', [1, 2, 3], 1100);
  const later = feed('', [1, 2, 3], 1250);
  const longpoll = (rows: readonly number[]): Passing => feed('?feed=longpoll', rows, 1200);
  const ids = (rows: readonly number[]): Passing => ({
    ...feed('?filter=_doc_ids', rows, 1200),
    sent: { doc_ids: ['doc-1', 'doc-3'] },
  });
  for (const [lacking, rules] of [
    [feed('', [1, 3], 1200), ['feed-complete']],
    [feed(since(1), [3], 1200), ['feed-since-resume']],
    [feed(since(1), [2, 3], 1200), []],
    [feed(since(2), [3], 1200), []],
    [feed('?limit=1', [1], 1200), ['feed-pending']],
    [longpoll([1]), ['longpoll-behind']],
    [longpoll([1, 2, 3]), []],
    [ids([1]), ['filter-doc-ids']],
    [ids([1, 3]), []],
  ] as const) {
    t.deepEqual(broken([about(0), whole, lacking, later, about(1300)]), rules, lacking.path);
    // Nothing shows that the row is still there, that the database is the same, or that the row comes after since.
    t.deepEqual(broken([about(0), whole, lacking, about(1300)]), []);
    t.deepEqual(broken([about(0), whole, lacking, later]), []);
    t.deepEqual(broken([about(0), { ...lacking, at: 1100 }, { ...whole, at: 1200 }, later, about(1300)]), []);
  }
  // Others have changed it meanwhile: it comes after what it came before.
  const changed = { id: 'doc-2', seq: '4-b', changes: [{ rev: '2-2' }] };
  const rest = { ...feed(since(3), [4], 1250), body: { results: [changed], last_seq: '4-b', pending: 0 } };
  t.deepEqual(broken([about(0), whole, feed(since(2), [3], 1200), rest, about(1300)]), []);
});

test('last_seq is the seq of the last row, if there is one order', (t) => {
  const wrong = feed('', [1, 2], 1100, 3);
  const shards = (q: number): object => ({ ...same, cluster: { n: 1, q } });
  t.deepEqual(broken([about(0, shards(1)), wrong]), ['feed-last-seq']);
  t.deepEqual(broken([about(0, shards(2)), wrong]), []);
  t.deepEqual(broken([wrong]), []);
  const numbers = { ...wrong, body: { results: [{ ...row(1), seq: 1 }], last_seq: 2, pending: 0 } };
  t.deepEqual(broken([numbers]), ['feed-last-seq']);
});

test('rows come in the reverse order with descending=true, if there is one order', (t) => {
  const whole = feed('', [1, 2], 1100);
  const oneShard = { ...same, cluster: { n: 1, q: 1 } };
  const two = { ...same, cluster: { n: 1, q: 2 } };
  const wrong = feed('?descending=true', [1, 2], 1200);
  t.deepEqual(broken([about(0, oneShard), whole, wrong, about(1300, oneShard)]), ['feed-descending']);
  t.deepEqual(broken([about(0, two), whole, wrong, about(1300, two)]), []);
  const right = feed('?descending=true', [2, 1], 1200);
  t.deepEqual(broken([about(0, oneShard), whole, right, about(1300, oneShard)]), []);
  // Writes show the order, too, unless others have moved the earlier document.
  const write = (n: number, at: number): Passing => ({
    method: 'PUT',
    path: `/db/doc-${n}`,
    sent: {},
    body: { ok: true, id: `doc-${n}`, rev: `1-${n}` },
    at,
  });
  const writes = [write(1, 1100), write(2, 1110)];
  const after = leaves('1-1');
  const rules = ['feed-descending'];
  t.deepEqual(broken([about(0, oneShard), ...writes, wrong, after, about(1300, oneShard)]), rules);
  t.deepEqual(broken([about(0, oneShard), ...writes, right, after, about(1300, oneShard)]), []);
  t.deepEqual(broken([about(0, oneShard), ...writes, wrong, about(1300, oneShard)]), []);
  t.deepEqual(
    broken([about(0, oneShard), ...writes, wrong, leaves('1-1', '1-0'), about(1300, oneShard)]),
    [],
  );
  t.deepEqual(broken([about(0, two), ...writes, wrong, after, about(1300, two)]), []);
  const beside = [write(1, 1100), write(2, 1102)];
  t.deepEqual(broken([about(0, oneShard), ...beside, wrong, after, about(1300, oneShard)]), []);
});
