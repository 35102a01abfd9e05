/** Servers that are only read, while they are as they must be, while others write, and with faults. */
import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { SignJWT } from 'jose';
import pMap from 'p-map';
import type { ServerOptions } from '../../../reference/index.js';
import type { Report } from '../../../reports/report.js';
import { faults } from '../../rules/faults.js';
import { admin, asAdmin, referenceServer } from '../../testing/reference.js';
import { startTappedProxy } from '../tapped-proxy.js';
import { trafficConfig } from '../testing/send-traffic.js';
import { checkReadOnly, type ReadOnlyOptions } from './check-read-only.js';

const inAnyOrder = { concurrency: 5 };

/** A server with one database, which has documents of each kind. */
async function filledServer(t: ExecutionContext, options: ServerOptions = {}): Promise<string> {
  const { url } = await referenceServer(t, { dialect: 'couchdb', ...options });
  await asAdmin(url, 'PUT', '/db');
  const docs = [
    ...Array.from({ length: 41 }, (_, n) => ({
      _id: `d${n}`,
      n,
      kind: 'ab'[n % 2],
      list: [n],
      flag: n % 3 === 0,
      text: 'ends with a space ',
    })),
    { _id: '_design/one', views: {} },
    { _id: 'attached', _attachments: { a: { content_type: 'text/plain', data: 'eXl5eXl5eXl5eXl5' } } },
  ];
  const { json } = await asAdmin(url, 'POST', '/db/_bulk_docs', { docs });
  const rev = (json as { rev: string }[])[3]!.rev;
  await asAdmin(url, 'DELETE', `/db/d3?rev=${rev}`);
  const revisions = [
    ...['b', 'c'].map((hash) => ({ _id: 'd1', _rev: `1-${hash.repeat(32)}`, hash })),
    { _id: 'd2', _rev: `1-${'0'.repeat(32)}`, _deleted: true },
  ];
  await asAdmin(url, 'POST', '/db/_bulk_docs', { new_edits: false, docs: revisions });
  return url;
}

const check = (target: string, options: Partial<ReadOnlyOptions> = {}): Promise<Report> =>
  checkReadOnly({ target, databases: ['db'], user: admin, maxRate: 100, ...options });

const findings = ({ checks }: Report): string[] =>
  checks.flatMap(({ outcome, rule, reason }) => (outcome === 'fail' ? [`${rule}: ${reason}`] : []));

const rulesIn = ({ checks }: Report, wanted: string): string[] =>
  checks.flatMap(({ outcome, rule }) => (outcome === wanted ? [rule] : []));

const requestsIn = ({ observations }: Report): string[] =>
  observations.find(({ id }) => id === 'requests-sent')!.value as string[];

test.serial(
  'a conforming server has no finding, gets no other request than the report lists, and stays as it is',
  async (t) => {
    const target = await filledServer(t);
    const received: string[] = [];
    const proxy = await startTappedProxy({
      target: new URL(target),
      host: '127.0.0.1',
      port: 0,
      tap: {
        onEvent({ kind, bytes }) {
          if (kind !== 'request') return;
          const { method, path } = JSON.parse(bytes.toString()) as { method: string; path: string };
          received.push(`${method} ${path}`);
        },
        onNotice: (notice) => t.fail(notice),
      },
    });
    t.teardown(() => proxy.close());
    const state = async (): Promise<unknown> =>
      Promise.all(
        ['/_all_dbs', '/db', '/db/_changes', '/_users'].map(
          async (path) => (await asAdmin(target, 'GET', path)).json,
        ),
      );
    const before = await state();
    const report = await check(proxy.url);
    t.deepEqual(await state(), before);
    t.deepEqual(findings(report), []);
    t.is(report.suite.stopped, undefined);
    const listed = requestsIn(report);
    t.deepEqual([...listed].sort(), [...received].sort());
    t.deepEqual(
      received.filter((request) => !/^(GET|HEAD) |^POST \/(db\/_changes|_session)(\?|$)/.test(request)),
      [],
    );
    t.false(JSON.stringify(report).includes(admin.password));
    // Nobody can let other requests pass.
    t.false(JSON.stringify(report).includes('let requests pass'));
    const passed = rulesIn(report, 'pass');
    for (const rule of [
      'root-greeting',
      'session-shape',
      'basic-accepts',
      'basic-rejects',
      'cookie-authenticates',
      'error-selector-missing',
      'feed-style-all',
      'feed-conflicts',
      'feed-attachments',
      'filter-doc-ids',
      'filter-selector',
      'filter-design',
      'eventsource-last-event-id',
      'heartbeat-lines',
      'longpoll-timeout',
    ]) {
      t.true(passed.includes(rule), rule);
    }
  },
);

test.serial('servers that vary within the rules have no finding', async (t) => {
  const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
  const found = await pMap(
    seeds,
    async (vary) => {
      const report = await check(await filledServer(t, { vary }));
      return findings(report).map((finding) => `seed ${vary}: ${finding}`);
    },
    inAnyOrder,
  );
  t.deepEqual(found.flat(), []);
});

test.serial('others may write meanwhile', async (t) => {
  const target = await filledServer(t);
  let isRunning = true;
  const writer = (async () => {
    for (let n = 0; isRunning; n += 1) {
      const { json } = await asAdmin(target, 'PUT', `/db/new%20${n}`, { n });
      const { rev } = json as { rev: string };
      if (n % 3 === 0) await asAdmin(target, 'DELETE', `/db/new%20${n}?rev=${rev}`);
      if (n % 3 === 1) await asAdmin(target, 'PUT', `/db/new%20${n}`, { _rev: rev, n: -n });
      await wait(10);
    }
  })();
  const report = await check(target);
  isRunning = false;
  await writer;
  t.deepEqual(findings(report), []);
});

test.serial('of a long feed, only the last rows are read', async (t) => {
  const target = await filledServer(t);
  const report = await check(target, { maxRows: 10 });
  t.deepEqual(findings(report), []);
  t.regex(report.warnings.join('\n'), /The feed of db is longer than 10 rows/);
  const listed = requestsIn(report);
  const ofFeed = listed.filter((request) => request.includes('_changes'));
  t.deepEqual(
    ofFeed.filter((request) => !/[?&](limit=([1-9]|10)(&|$)|since=now)/.test(request)),
    [],
  );
});

/** With tokens. Proxies need no secret there, so that the server must not have their handler. */
const config = { ...trafficConfig, chttpd: { authentication_handlers: 'cookie, jwt, default' } };

/** Faults near the border of their rules that reads show, if the database has what they are about. */
const readable = [
  'root-version-number',
  'session-ok-missing',
  'basic-unknown-name-believed',
  'jwt-none-mixed-case',
  'style-all-winner-twice',
  'conflicts-include-docs',
  'limit-one-more',
  'doc-when-told-not-to',
  'doc-trimmed',
  'row-deleted-unsaid',
  'row-seq-null',
  'attachments-include-docs',
  'doc-ids-any-case',
  'doc-ids-prefix',
  'doc-ids-trimmed',
  'selector-greater-or-equal',
  'selector-missing-lets-all-pass',
  'selector-missing-in-waiting-modes',
  'eventsource-lines-without-field',
  'longpoll-timeout-without-last-seq',
  'since-inclusive',
  'since-rewinds',
  'since-loses-the-next',
  'since-now-ignored-with-filter',
  'pending-live-only',
  'descending-forgotten',
  'row-deleted-with-doc-only',
  'accept-list-refused',
  'longpoll-behind-one-row',
  'heartbeat-forgotten-by-timeout',
  'continuous-ignores-attachments',
  'doc-ids-first-three',
];

test.serial('faults that reads show are found', async (t) => {
  const missed = await pMap(
    readable,
    async (id) => {
      const components = faults.find((one) => one.id === id)!.replace;
      const report = await check(await filledServer(t, { components, config }));
      return report.summary.fail > 0 ? [] : [id];
    },
    inAnyOrder,
  );
  t.deepEqual(missed.flat(), []);
});

test.serial('a database of its members only is read with the credentials of one', async (t) => {
  const target = await filledServer(t);
  const user = { name: 'reader', password: 'secret of reader' };
  const document = { ...user, roles: [], type: 'user' };
  await asAdmin(target, 'PUT', '/_users/org.couchdb.user:reader', document);
  await asAdmin(target, 'PUT', '/db/_security', {
    admins: { names: [], roles: [] },
    members: { names: ['reader'], roles: [] },
  });
  const refused = { instanceOf: Error, message: /does not let this caller read the database "db" \(401\)/ };
  await t.throwsAsync(check(target, { user: undefined }), refused);
  await t.throwsAsync(check(target, { user: { ...user, password: 'another' } }), refused);
  const report = await check(target, { user });
  t.deepEqual(findings(report), []);
  const passed = rulesIn(report, 'pass');
  for (const rule of ['basic-set-cookie', 'login-result', 'login-cookie', 'cookie-authenticates'])
    t.true(passed.includes(rule), rule);
  t.false(JSON.stringify(report).includes(user.password));
  await t.throwsAsync(check(target, { databases: ['db', 'none'] }), { message: /no database "none"/ });
});

test.serial('a token is read with, and does not get into the report', async (t) => {
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('Some.One')
    .setExpirationTime('1h')
    .sign(Buffer.from('secret of tokens'));
  const target = await filledServer(t, { config });
  await asAdmin(target, 'PUT', '/db/_security', {});
  const report = await check(target, { user: undefined, tokens: [token] });
  t.deepEqual(findings(report), []);
  const passed = rulesIn(report, 'pass');
  for (const rule of ['jwt-authenticated', 'jwt-sub-name', 'jwt-alg-none', 'filter-selector'])
    t.true(passed.includes(rule), rule);
  t.false(JSON.stringify(report).includes(token));
});

test.serial('an interrupted run has a report on what was sent', async (t) => {
  const controller = new AbortController();
  const report = await check(await filledServer(t), {
    signal: controller.signal,
    onProgress: (requests) => requests === 30 && controller.abort(),
  });
  // Some were on their way.
  t.true(requestsIn(report).length < 40);
  t.is(report.suite.stopped, 'The run was interrupted.');
  t.deepEqual(findings(report), []);
});
