/** What the users of a server send: replication, logins, event streams, a client library, and feeds of every kind. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { EventSource } from 'eventsource';
import nano from 'nano';
import PouchDB from 'pouchdb-core';
import http from 'pouchdb-adapter-http';
import memory from 'pouchdb-adapter-memory';
import replication from 'pouchdb-replication';
import type { DialectNames } from '../../../openapi/generated/dialects.js';
import { asObject, parseFeed } from '../../http/parse-json.js';
import { basic, sendTo } from '../../../reports/testing/request.js';
import { feedModes, waitingModes } from '../../oracle/allowed-rows.js';
import { admin } from '../../testing/reference.js';
import { sinceText } from '../../passing/known-order.js';

PouchDB.plugin(http).plugin(memory).plugin(replication);

const asAdmin = basic(admin.name, admin.password);
const user = { name: 'Jan.Ånd', password: 'pass:wörd' };

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Sent instead of JSON. */
  readonly text?: string;
}

type Send = (
  path: string,
  sent?: Sent,
) => Promise<{ cookie: string | undefined; body: Readonly<Record<string, unknown>> }>;

const sender =
  (url: string): Send =>
  async (path, { method = 'GET', headers = asAdmin, json, text } = {}) => {
    // A server may forget that a feed must end.
    const signal = AbortSignal.timeout(10_000);
    const reply = await sendTo(url, method, path, { headers, body: text ?? json, signal });
    return { cookie: reply.cookie, body: asObject(parseFeed(reply.text)) };
  };

/** Waits for all, whether they succeed or not, since a client that meets a fault may get an error. @returns the errors */
async function all(work: readonly Promise<unknown>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(work);
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
}

/** The authentication handlers that the traffic needs. */
export const trafficHandlers = ['cookie', 'proxy', 'jwt', 'default'];

/** The secret of tokens and of a proxy, and everything that the traffic needs in the configuration. */
export const trafficConfig = {
  chttpd: { authentication_handlers: trafficHandlers.join(', ') },
  chttpd_auth: { iterations: '10' },
  jwt_keys: { 'hmac:_default': Buffer.from('secret of tokens').toString('base64') },
};

function tokenOf(claims: object, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', 'secret of tokens').update(signed).digest('base64url')}`;
}

/** Sends everything to the URL of a server or of a proxy. @returns the errors of clients */
export async function sendTraffic(url: string, names: DialectNames): Promise<unknown[]> {
  const send = sender(url);
  return all([authenticate(send, names), library(url), replicate(url), feeds(send, url)]);
}

async function authenticate(send: Send, names: DialectNames): Promise<void> {
  const session = (headers: Record<string, string>): Promise<unknown> => send('/_session', { headers });
  const id = names.userIdPrefix + user.name;
  const document = { ...user, roles: ['one', 'two', 'three'], type: 'user' };
  const path = (id: string): string => `/_users/${encodeURIComponent(id)}`;
  await send(path(id), { method: 'PUT', json: document });
  await all([
    send('/', { headers: {} }),
    send('/'),
    send(path(id), { method: 'PUT', json: document }),
    ...[`${id}x`, `${names.userIdPrefix}x${user.name}`, id.toUpperCase()].map((other) =>
      send(path(other), { method: 'PUT', json: document }),
    ),
  ]);
  const login = async ({ name, password }: typeof user): Promise<string> => {
    const { cookie = '' } = await send('/_session', {
      method: 'POST',
      headers: {},
      json: { name, password },
    });
    return cookie;
  };
  const asUser = basic(user.name, user.password);
  await all([
    send('/', { headers: asUser }),
    session({}),
    session(asAdmin),
    session(asUser),
    session(asUser),
  ]);
  for (const one of [user, admin, user]) {
    const cookie = await login(one);
    await all([session({ cookie }), session({ cookie: `xAuthSession=b; AuthSessionx=c; ${cookie}` })]);
  }
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const roles = { [names.rolesClaim]: ['one'] };
  await all([
    login({ ...user, password: 'wrong' }),
    send('/_session', { method: 'POST', headers: {}, json: {} }),
    ...[{ sub: 'Some.One,Else', ...roles }, { sub: 'x'.repeat(40) }, { name: 'a' }].map((claims) =>
      session({ authorization: `Bearer ${tokenOf({ exp, ...claims })}` }),
    ),
    ...[{ typ: 'JWT' }, { alg: 'none' }, { alg: 'NonE' }, { alg: 'XX1' }].map((header) =>
      session({ authorization: `Bearer ${tokenOf({ exp, sub: 'a' }, header)}` }),
    ),
    ...[{ sub: 'a' }, { sub: 'a', exp: exp - 7200 }, { sub: 'a', exp: 0 }].map((claims) =>
      session({ authorization: `Bearer ${tokenOf(claims)}` }),
    ),
    ...['Some.One', 'a%20b'].flatMap((name) => [
      session({ [names.proxyUserName]: name }),
      session({
        [names.proxyUserName]: name,
        [names.proxyRoles]: 'one, two,,three,',
        [names.proxyToken]: 'ab12',
      }),
    ]),
    ...['no colon', `${admin.name} ${admin.password}`].map((text) =>
      session({ authorization: `Basic ${Buffer.from(text).toString('base64')}` }),
    ),
  ]);
}

async function library(url: string): Promise<void> {
  const name = 'library';
  const client = nano(url.replace('//', `//${admin.name}:${admin.password}@`));
  await client.db.create(name);
  const database = client.use<{ n: number }>(name);
  await database.info();
  const { last_seq: empty } = (await database.changes({})) as { last_seq: unknown };
  const since = sinceText(empty);
  await database.insert({ n: 0 }, 'first');
  await database.insert({ ...(await database.get('first')), n: 1 }, 'first');
  await database.bulk({ docs: [1, 2, 3, 4].map((n) => ({ n, _id: `id ${n}` })) });
  await database.changes({ since, include_docs: true });
  await database.attachment.insert('first', 'note', 'text '.repeat(300), 'text/plain', {
    rev: (await database.get('first'))._rev,
  });
  await database.insert({ ...(await database.get('first')), n: 2 }, 'first');
  await database.changes({ since, include_docs: true, attachments: true });
  await database.destroy('id 1', (await database.get('id 1'))._rev);
  await database.changes({ since, include_docs: true });
  await database.changes({ since, limit: 2, filter: '_design' });
  await client.db.destroy(name);
}

let copies = 0;

/** The feed of a server that starts at the beginning again has no end. */
const mostReplicationMs = 5_000;

async function replicate(url: string): Promise<void> {
  const remote = new PouchDB(`${url}/replicated`, {
    auth: { username: admin.name, password: admin.password },
  });
  const local = new PouchDB(`local-${copies++}`, { adapter: 'memory' });
  try {
    for (const n of [1, 2, 3]) await local.put({ _id: `local ${n}`, n });
    await local.bulkDocs(
      ['a', 'b', 'c'].map((hash) => ({ _id: 'conflict', _rev: `1-${hash.repeat(32)}`, hash })),
      { new_edits: false },
    );
    await PouchDB.replicate(local, remote);
    const { rev } = await remote.put({ _id: 'remote', n: 1 });
    await remote.put({ _id: 'remote', _rev: rev, n: 2 });
    const gone = await remote.put({ _id: 'gone' });
    await remote.remove('gone', gone.rev);
    const replication = PouchDB.replicate(remote, local);
    const timer = setTimeout(() => replication.cancel(), mostReplicationMs);
    await replication.finally(() => clearTimeout(timer));
    await remote.changes({ include_docs: true, conflicts: true });
  } finally {
    await local.destroy();
  }
}

/** Each filter with what it needs. */
const filters: readonly (readonly [query: string, json?: object])[] = [
  [''],
  ['&filter=_design'],
  ['&filter=_doc_ids', { doc_ids: ['d1', 'D2', 'gone', ' d3', 'd1', 'attached'] }],
  ['&filter=_selector', { selector: { n: { $gt: 2 }, kind: { $in: ['b', 'a'] } } }],
];

/** What clients accept, by mode. */
const accepted: readonly (readonly [mode: string, accept: string, json?: object])[] = [
  ['normal', 'application/json', {}],
  ['normal', 'text/plain, */*;q=0.1'],
  ['longpoll', 'text/plain'],
  ['longpoll', 'application/json;q=0.9, text/plain'],
  ['continuous', 'text/plain, application/json;q=0.5'],
  ['eventsource', 'application/json, text/event-stream;q=0.5'],
];

/** A server that reads one of them carelessly sends documents that do not match. */
const selectors: readonly object[] = [
  { n: { $eq: 2 } },
  { n: 2.5 },
  { n: -2 },
  { n: 2 ** 32 + 2 },
  { n: true },
  { ö: 1 },
  { 'of\\.a': 1 },
  { of: { $eq: { a: 1, b: 2 } } },
  { list: { $allMatch: { $gt: 1 } } },
  { kind: { $regex: '^A' } },
  { $nor: [{ kind: 'a' }, { n: 2 }] },
  { $and: [...Array.from({ length: 3 }, () => ({ n: { $gt: 0 } })), { n: { $gt: 100 } }] },
];

async function feeds(send: Send, url: string): Promise<void> {
  const name = 'feeds';
  await send(`/${name}`, { method: 'PUT' });
  await all([send(`/${name}`), send(`/${name}`, { method: 'PUT' }), send('/missing/_changes')]);
  const changes = (query: string, json?: object, headers?: Record<string, string>) =>
    send(`/${name}/_changes?${query}`, {
      ...(json && { method: 'POST', json }),
      headers: { ...asAdmin, ...headers },
    });
  const empty = await changes('');
  const attachment = (data: string | Buffer) => ({
    content_type: 'text/plain',
    data: Buffer.from(data as Buffer).toString('base64'),
  });
  const docs = [
    ...[1, 2, 3, 4, 5, 6].flatMap((n) => [
      { _id: `d${n}`, n, kind: 'ab'[n % 2] },
      { _id: `D${n}`, n: String(n), kind: 'b' },
    ]),
    { _id: '42' },
    { _id: 'd12', n: 1, list: [1, 2], of: { a: 1, b: 3 } },
    { _id: '_design/é', views: {} },
    { _id: 'design/of', n: 3 },
    { _id: 'x_design/y' },
    { _id: 'with local/ in it' },
    { _id: `${'long '.repeat(60)}` },
    { _id: 'gone', n: 7, kind: 'a' },
    {
      _id: 'attached',
      n: 4,
      kind: 'a',
      _attachments: {
        small: attachment('x'),
        large: attachment('y'.repeat(9000)),
        empty: attachment(''),
        bytes: attachment(Buffer.from([251, 255])),
      },
    },
  ];
  await send(`/${name}/_bulk_docs`, { method: 'POST', json: { docs } });
  const { body: gone } = await send(`/${name}/gone`);
  await send(`/${name}/gone?rev=${String(gone['_rev'])}`, { method: 'DELETE' });
  await send(`/${name}/_bulk_docs`, {
    method: 'POST',
    json: {
      new_edits: false,
      docs: [
        ...['b', 'c'].map((hash) => ({ _id: 'd1', _rev: `1-${hash.repeat(32)}`, hash })),
        { _id: 'd2', _rev: `1-${'0'.repeat(32)}`, _deleted: true },
      ],
    },
  });
  const { body: page } = await changes('limit=5');
  const since = encodeURIComponent(sinceText(page['last_seq']));
  await all([
    changes('style=all_docs&include_docs=true&conflicts=true'),
    changes(`since=${encodeURIComponent(sinceText(empty.body['last_seq']))}&include_docs=true`),
    changes('include_docs=true&attachments=true'),
    changes('attachments=true'),
    changes('include_docs=true&att_encoding_info=true'),
    changes('att_encoding_info=true'),
    changes('conflicts=true'),
    changes('include_docs=false'),
    changes('feed=longpoll&descending=true'),
    changes('feed=longpoll&seq_interval=3'),
    changes('filter=_doc_ids&seq_interval=2', { doc_ids: ['d1', 'd2', 'd3', 'd4', 'd5'] }),
    ...[undefined, {}].map((json) =>
      changes(`filter=_doc_ids&doc_ids=${encodeURIComponent(String.raw`["\u00641"]`)}`, json),
    ),
    ...selectors.map((selector) => changes('filter=_selector&include_docs=true', { selector })),
    changes('feed=longpoll&filter=_selector&timeout=100', {}),
    changes('style=all_docs&include_docs=true'),
    changes('seq_interval=3'),
    changes('descending=true&limit=3'),
    changes('since=now'),
    changes(`since=${since}&limit=3`),
    changes('', {}, {}),
    changes('filter=_selector', {}),
    changes('filter=_selector', { selector: 'text' }),
    changes('feed=continuous&filter=_selector&timeout=100', { selector: 'text' }),
    ...['{"selector":{"n":1}', '{"selector":{"n":1,}}', '{"selector":{"n":1}},'].map((text) =>
      send(`/${name}/_changes?filter=_selector`, { method: 'POST', text }),
    ),
    changes('feed=continuous&seq_interval=3&timeout=100'),
    changes('filter=nothing/here'),
    changes('feed=eventsource&timeout=100', undefined, { 'last-event-id': sinceText(page['last_seq']) }),
    changes('feed=eventsource&since=now&timeout=100', undefined, {
      'last-event-id': sinceText(page['last_seq']),
    }),
    changes(`feed=eventsource&timeout=100&last-event-id=${since}`),
    ...accepted.map(([mode, accept, json]) => changes(`feed=${mode}&timeout=100`, json, { accept })),
    changes('', undefined, { accept: 'text/event-stream' }),
    ...waitingModes.map((mode) =>
      // A heartbeat keeps the feed open until the limit is reached.
      changes(`feed=${mode}&heartbeat=true&limit=3`),
    ),
    changes('limit=abc', {}),
    send(`/${name}/_changes`, { method: 'PUT' }),
    ...filters.flatMap(([query, json]) =>
      ['normal', 'longpoll', 'continuous', 'eventsource'].flatMap((mode) => [
        changes(`feed=${mode}&timeout=100&include_docs=true&attachments=true${query}`, json),
        changes(`feed=${mode}&timeout=100&limit=3&since=${since}${query}`, json),
      ]),
    ),
  ]);
  // Changes while feeds are open.
  const open = all(
    filters.flatMap(([query, json]) =>
      ['longpoll', 'continuous', 'eventsource'].map((mode) =>
        changes(
          `feed=${mode}&since=now&timeout=300&limit=2&include_docs=true&attachments=true${query}`,
          json,
        ),
      ),
    ),
  );
  const live = { n: 5, kind: 'a', _attachments: { small: attachment('x') } };
  await send(`/${name}/live`, { method: 'PUT', json: live });
  await send(`/${name}/_design/live`, { method: 'PUT', json: { n: 5, kind: 'a' } });
  const { body: d3 } = await send(`/${name}/d3`);
  await send(`/${name}/d3?rev=${String(d3['_rev'])}`, { method: 'DELETE' });
  await open;
  // Documents that are seen again.
  await changes('style=all_docs');
  // Shows a second before and after the pages that the database is the same.
  await send(`/${name}`);
  await all([
    changes('feed=longpoll&since=now&timeout=1000'),
    eventSource(`${url}/${name}/_changes?feed=eventsource&heartbeat=1000`),
    ...[
      'feed=continuous&timeout=100&heartbeat=150',
      'feed=continuous&timeout=100&heartbeat=true',
      'feed=longpoll&timeout=100&heartbeat=50',
      'feed=longpoll&timeout=100&heartbeat=true',
      'feed=eventsource&timeout=110&heartbeat=true&limit=100',
    ].map((query) => outlive(`${url}/${name}/_changes?since=now&${query}`)),
  ]);
  await lateWrites(send, name);
  const { body: whole } = await changes('');
  const rows: unknown[] = Array.isArray(whole['results']) ? whole['results'] : [];
  await all([
    changes('since=now'),
    changes('since=now&filter=_design'),
    changes('descending=true&limit=3'),
    changes('descending=true&include_docs=true'),
    changes('descending=true&filter=_design'),
    ...rows.map((one) => changes(`limit=2&since=${encodeURIComponent(sinceText(asObject(one)['seq']))}`)),
  ]);
  await all(
    ['normal', 'longpoll&timeout=100'].map((mode) => pages((query) => changes(`feed=${mode}${query}`))),
  );
  await send(`/${name}`);
}

/** They match some of the late documents, and reject others. */
const matchingSome: readonly object[] = [{ n: { $gt: 2 } }, { kind: 'b' }, { n: { $gte: 1 }, kind: 'a' }];

/** A server that reads one of them carelessly leaves out late documents that match. */
const matchingLate: readonly object[] = [
  { n: { $lte: 1 } },
  { n: { $in: [9, 1] } },
  { n: { $in: [7, 8, 9, 1, 2] } },
  { none: null },
  { place: { city: 'oslo' } },
  { 'deep.er.still': { $gt: 0 } },
  { _id: 'late 2' },
];

/** Writes a document several times, and reads each revision. What a careless server changes is in it. */
async function edit(send: Send, path: string): Promise<void> {
  const content = { text: 'Ame\u0301lie ', sum: 0.1 + 0.2, large: 'x'.repeat(20_000) };
  let rev: unknown;
  for (const edits of [1, 2, 3]) {
    await send(path, { method: 'PUT', json: { ...content, edits, ...(edits > 1 && { _rev: rev }) } });
    rev = (await send(path)).body['_rev'];
  }
}

/** Writes, with feeds that show them: a second after the database has shown which it is. */
async function lateWrites(send: Send, name: string): Promise<void> {
  const changes = (query: string, json?: object) =>
    send(`/${name}/_changes?${query}`, json && { method: 'POST', json });
  const docs = [1, 2, 3, 4].map((n) => ({
    _id: `late ${n}`,
    n,
    kind: 'ab'[n % 2],
    none: null,
    place: { city: 'oslo', code: n },
    deep: { er: { still: n } },
  }));
  await send(`/${name}/_bulk_docs`, { method: 'POST', json: { docs } });
  const conflict = ['a', 'b', 'c', 'd'].map((hash) => ({
    _rev: `1-${hash.repeat(32)}`,
    n: 3,
    kind: 'b',
    hash,
  }));
  await send(`/${name}/_bulk_docs`, {
    method: 'POST',
    json: { new_edits: false, docs: conflict.map((leaf) => ({ _id: 'late conflict', ...leaf })) },
  });
  await all(conflict.map(({ _rev: rev }) => send(`/${name}/late%20conflict?rev=${rev}`)));
  const { body: removed } = await send(`/${name}/late%204`);
  await send(`/${name}/late%204?rev=${String(removed['_rev'])}`, { method: 'DELETE' });
  await send(`/${name}/late%20conflict?rev=${conflict[0]!._rev}`, { method: 'DELETE' });
  await edit(send, `/${name}/late%20text`);
  await changes('include_docs=true');
  await changes('include_docs=true&style=all_docs');
  await all([
    changes('include_docs=false'),
    ...feedModes.flatMap((mode) =>
      [
        'style=all_docs',
        'include_docs=true&conflicts=true',
        'filter=_doc_ids&style=all_docs&include_docs=true&conflicts=true',
      ].map((query) => changes(`feed=${mode}&timeout=100&${query}`, { doc_ids: ['late conflict'] })),
    ),
    ...matchingLate.map((selector) => changes('filter=_selector', { selector })),
    ...matchingSome.flatMap((selector) =>
      feedModes.flatMap((mode) =>
        ['main_only', 'all_docs'].map((style) =>
          changes(`feed=${mode}&timeout=100&style=${style}&filter=_selector`, { selector }),
        ),
      ),
    ),
  ]);
  await changes('style=all_docs');
}

/** A server that forgets where a page ends has no last one. */
const maxPages = 20;
const pageSize = 4;

/** Reads pages, the last of which has exactly the remaining rows, and what comes after them. */
async function pages(read: (query: string) => ReturnType<Send>): Promise<void> {
  let query = `&limit=${pageSize}`;
  for (let count = 0; count < maxPages; count += 1) {
    const { body } = await read(query);
    const { results, last_seq: lastSeq, pending } = body;
    if (!Array.isArray(results) || results.length === 0) return;
    const limit = Math.min(Number(pending) || pageSize, pageSize);
    query = `&limit=${limit}&since=${encodeURIComponent(sinceText(lastSeq))}`;
  }
}

/** Waits for changes with a heartbeat, and leaves after the timeout. A client that meets a fault comes again. */
async function outlive(url: string): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    const leaving = new AbortController();
    const response = await fetch(url, { headers: asAdmin, signal: leaving.signal });
    const timer = setTimeout(() => leaving.abort(), 400);
    await response.text().finally(() => clearTimeout(timer));
  }
}

/** Reads some events, loses the connection, and resumes. */
async function eventSource(url: string): Promise<void> {
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...asAdmin } }),
  });
  await Promise.race([once(source, 'message'), once(source, 'error')]);
  source.close();
}
