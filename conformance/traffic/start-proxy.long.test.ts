import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import nano from 'nano';
import { emptyFolder } from '../../reports/testing/folder.js';
import { admin, asAdmin, authorization, referenceServer } from '../testing/reference.js';
import { served } from '../testing/server.js';
import type { FoundViolation } from './findings.js';
import { judgeRecording } from './judge-recording.js';
import { startProxy, type ProxyOptions } from './start-proxy.js';

const credentials = authorization.replace('Basic ', '');

/** A server behind a proxy. */
async function proxied(t: ExecutionContext, options: Partial<ProxyOptions> = {}) {
  const server = await referenceServer(t);
  const found: FoundViolation[] = [];
  const proxy = await startProxy({
    target: server.url,
    onFinding: (one) => found.push(one),
    ...options,
  });
  const send = async (path: string, { method = 'GET', json }: { method?: string; json?: unknown } = {}) =>
    (await asAdmin(proxy.url, method, path, json)).json as Record<string, unknown>;
  return { proxy, found, send };
}

test('real clients of a conforming server: no finding, and a result for every rule', async (t) => {
  const { proxy, found } = await proxied(t);
  const client = nano({ url: proxy.url.replace('//', `//${admin.name}:${admin.password}@`) });
  await client.db.create('db');
  const db = client.use<{ n: number }>('db');
  await db.info();
  for (let n = 0; n < 5; n += 1) await db.insert({ n }, `doc-${n}`);
  const { last_seq: since } = (await db.changes({ limit: 2 })) as { last_seq: string };
  await db.destroy('doc-0', (await db.get('doc-0'))._rev);
  await db.changes({ since, include_docs: true });
  const report = await proxy.stop();
  t.deepEqual(found, []);
  t.is(report.summary.fail, 0);
  t.is(report.suite.rules, report.checks.length);
  const outcome = (id: string): string | undefined => report.checks.find((one) => one.id === id)?.outcome;
  for (const rule of ['feed-shape', 'feed-one-row', 'feed-since-resume', 'feed-include-docs'] as const) {
    t.is(outcome(rule), 'pass', rule);
  }
  t.is(outcome('jwt-signature'), 'skipped');
});

/** A target that answers the feed with this text, and everything else like a server with one copy. */
const scripted = (t: ExecutionContext, feed: (url: string) => { type?: string; text: string }) =>
  served(t, (request, response) => {
    const url = request.url!;
    const { type = 'application/json', text } = url.includes('_changes')
      ? feed(url)
      : {
          text: JSON.stringify(
            request.method === 'PUT' && url !== '/db'
              ? { ok: true, id: 'a', rev: '1-a' }
              : request.method === 'PUT'
                ? { ok: true }
                : url === '/db/a'
                  ? { _id: 'a', _rev: '1-a', secret: 'content-of-it' }
                  : { db_name: 'db', cluster: { n: 1 } },
          ),
        };
    request.resume();
    response.writeHead(request.method === 'PUT' ? 201 : 200, { 'content-type': type }).end(text);
  });

/** Sends the requests one after the other, and returns the violations. */
async function findingsOf(
  t: ExecutionContext,
  feed: Parameters<typeof scripted>[1],
  requests: readonly (readonly [method: string, path: string])[],
): Promise<{ rules: string[]; text: string }> {
  const target = await scripted(t, feed);
  const proxy = await startProxy({ target: target.url, dialect: 'couchdb' });
  for (const [method, path] of requests) {
    const body = method === 'PUT' && path !== '/db' ? { secret: 'content-of-it' } : undefined;
    await asAdmin(proxy.url, method, path, body);
  }
  const report = await proxy.stop();
  const failed = report.checks.filter(({ outcome }) => outcome === 'fail');
  return { rules: failed.map(({ rule }) => rule), text: JSON.stringify(report) };
}

const row = (id: string, seq: number, more: object = {}): object => ({
  id,
  seq,
  changes: [{ rev: '1-a' }],
  ...more,
});

const feedOf = (...results: object[]): { text: string } => ({
  text: JSON.stringify({ results, last_seq: (results.at(-1) as { seq?: number })?.seq ?? 0, pending: 0 }),
});

test('violations of single responses', async (t) => {
  const cases = [
    ['feed-one-row', '', feedOf(row('a', 1), row('a', 2))],
    ['feed-last-seq', '', { text: JSON.stringify({ results: [row('a', 1)], last_seq: 2, pending: 0 }) }],
    ['feed-limit', '?limit=1', feedOf(row('a', 1), row('b', 2))],
    ['feed-deleted', '', feedOf(row('a', 1, { deleted: false }))],
    ['filter-design', '?filter=_design', feedOf(row('a', 1))],
    ['filter-doc-ids', '?filter=_doc_ids&doc_ids=%5B%22b%22%5D', feedOf(row('a', 1))],
    ['feed-include-docs', '?include_docs=true', feedOf(row('a', 1))],
    ['continuous-crlf', '?feed=continuous', { text: `${JSON.stringify(row('a', 1))}\n` }],
    ['continuous-lines', '?feed=continuous', { text: '{"id":\r\n' }],
    ['eventsource-stream', '?feed=eventsource', { type: 'text/event-stream', text: 'data: x\nid: 1\n\n' }],
  ] as const;
  const { rules } = await findingsOf(
    t,
    (url) => cases[Number(/^\/db(\d+)/.exec(url)![1])]![2],
    cases.flatMap(
      ([, query], index) =>
        [
          ['GET', `/db${index}`],
          ['GET', `/db${index}/_changes${query}`],
        ] as const,
    ),
  );
  t.deepEqual(
    cases.map(([rule]) => rule).filter((rule) => !rules.includes(rule)),
    [],
  );
});

test('the end of an event stream must be part of an event stream', async (t) => {
  const end = '\n],\n"last_seq":"1-x","pending":0}\n';
  for (const [text, expected] of [
    [': the end\nretry: 9\n\n', []],
    [end, ['eventsource-stream']],
    [']', ['eventsource-stream']],
  ] as const) {
    const stream = {
      type: 'text/event-stream',
      text: `data: ${JSON.stringify(row('a', 1))}\nid: 1\n\n${text}`,
    };
    const { rules } = await findingsOf(t, () => stream, [['GET', '/db/_changes?feed=eventsource']]);
    t.deepEqual(rules, expected);
  }
});

test('a lost write is a violation once the document is seen again, and none before', async (t) => {
  const requests = [
    ['GET', '/db'],
    ['GET', '/db/_changes'],
    ['PUT', '/db/a'],
    ['GET', '/db/_changes?since=7'],
  ] as const;
  const feed = (): { text: string } => feedOf(row('b', 7));
  t.deepEqual((await findingsOf(t, feed, requests)).rules, []);
  const { rules, text } = await findingsOf(t, feed, [...requests, ['GET', '/db/a']]);
  t.deepEqual(rules, ['feed-since-resume']);
  t.false(text.includes('content-of-it'));
  t.false(text.includes(credentials) || text.includes(admin.password));
  // The database may have been another one by then.
  const replaced = [...requests.slice(0, 3), ['PUT', '/db'], requests[3], ['GET', '/db/a']] as const;
  t.deepEqual((await findingsOf(t, feed, replaced)).rules, []);
});

test('what a page of the feed leaves out counts as pending, and comes when a client resumes there', async (t) => {
  const requests = [
    ['GET', '/db'],
    ['PUT', '/db/a'],
    ['GET', '/db/_changes?limit=1'],
    ['GET', '/db/_changes?since=1'],
    ['GET', '/db/a'],
  ] as const;
  const page = (pending: number) => ({ ...JSON.parse(feedOf(row('b', 1)).text), pending }) as object;
  const findings = (pending: number, rest: object): Promise<{ rules: string[] }> =>
    findingsOf(
      t,
      (url) => (url.includes('limit') ? { text: JSON.stringify(page(pending)) } : feedOf(rest)),
      requests,
    );
  t.deepEqual((await findings(1, row('a', 2))).rules, []);
  t.deepEqual((await findings(1, row('c', 2))).rules, ['feed-since-resume']);
  t.deepEqual((await findings(0, row('a', 2))).rules, ['feed-pending']);
});

test('traffic passes unjudged while judging is behind, and the report says so', async (t) => {
  const notices: string[] = [];
  const { proxy, send } = await proxied(t, {
    maxWaitingBytes: 1000,
    onNotice: (notice) => notices.push(notice),
  });
  await send('/db', { method: 'PUT' });
  const text = 'x'.repeat(100_000);
  await send('/db/a', { method: 'PUT', json: { text } });
  t.is((await send('/db/a'))['text'], text);
  const { warnings } = await proxy.stop();
  t.regex(notices.join('\n'), /^Judging is behind; /);
  t.regex(warnings.join('\n'), /^Judging fell behind /m);
});

test('traffic passes unjudged after judging has failed, and there is no report', async (t) => {
  let notify: (notice: string) => void;
  const notice = new Promise<string>((resolve) => (notify = resolve));
  const { proxy, send } = await proxied(t, {
    recording: 'missing folder/traffic.har',
    onNotice: (text) => notify(text),
  });
  t.regex(await notice, /^Judging has failed, traffic passes unjudged: ENOENT/);
  await send('/db', { method: 'PUT' });
  await t.throwsAsync(proxy.stop(), { message: /^ENOENT/ });
});

test('a recording has the traffic without secrets and documents, and is judged like it', async (t) => {
  const recording = join(await emptyFolder(t), 'traffic.har');
  const { proxy, send, found } = await proxied(t, { recording });
  await send('/');
  await send('/db', { method: 'PUT' });
  await send('/db');
  await send('/db/a', { method: 'PUT', json: { secret: 'content-of-it' } });
  await send('/db/_changes?include_docs=true');
  await send('/_session', { method: 'POST', json: admin });
  const live = await proxy.stop();
  const text = await readFile(recording, 'utf8');
  for (const secret of [admin.password, credentials, 'content-of-it']) t.false(text.includes(secret), secret);
  const report = await judgeRecording(recording, {});
  t.deepEqual(found, []);
  t.is(report.summary.fail, 0);
  t.deepEqual(
    report.checks.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id),
    live.checks.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id),
  );
});
