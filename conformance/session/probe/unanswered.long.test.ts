/** Servers that never answer some requests, the commonest defect of a server in the making. */
import type { IncomingMessage } from 'node:http';
import anyTest, { type ExecutionContext } from 'ava';
import { findCauses } from '../../../reports/causes.js';
import type { Report } from '../../../reports/report.js';
import { runConformance } from '../../index.js';
import { hostileTarget } from '../../testing/hostile-target.js';
import { admin, referenceServer } from '../../testing/reference.js';
import type { ConformanceOptions } from '../conformance-options.js';

/** One after the other: a run that others slow down waits longer for what is not answered. */
const test = anyTest.serial;

/** In seconds. */
const timeout = 3;

async function check(
  t: ExecutionContext,
  isSilent: (request: IncomingMessage) => boolean,
  options: Partial<ConformanceOptions> = {},
  answer: 'no answer' | 'no connection' = 'no answer',
): Promise<{ report: Report; silent: string[] }> {
  const server = await referenceServer(t);
  const silent: string[] = [];
  const url = await hostileTarget(t, server, (request) => {
    if (!isSilent(request)) return undefined;
    silent.push(`${request.method} ${request.url}`);
    return answer;
  });
  const report = await runConformance({
    urls: [url],
    admin,
    profile: 'smoke',
    seed: 10,
    shrinkMs: 0,
    timeout,
    ...options,
  });
  return { report, silent };
}

const causesOf = ({ checks }: Report): string[] =>
  findCauses(checks).map(({ lead }) => `${lead.outcome}: ${lead.obstacle ?? lead.counterexample!.message}`);

for (const [answer, how, most] of [
  ['no answer', 'is not answered', 2],
  ['no connection', 'is not answered', Infinity],
] as const) {
  test(`without _bulk_docs (${answer}), documents are written one by one`, async (t) => {
    const only = ['feed-{shape,complete,limit}'];
    const isBulk = ({ url }: IncomingMessage): boolean => url!.endsWith('/_bulk_docs');
    const { report, silent } = await check(t, isBulk, { only }, answer);
    t.deepEqual(causesOf(report), []);
    t.deepEqual([...new Set(report.checks.map(({ outcome }) => outcome))], ['pass']);
    t.true(silent.length <= most, `${silent.length} requests`);
    const bulk = report.target.capabilities.find(({ name }) => name === 'bulk-docs')!;
    t.is(bulk.how, `POST /{db}/_bulk_docs ${how}`);
  });
}

test('a request at which a server breaks the connection each time is the cause, and costs no other check', async (t) => {
  // As a handler that panics at a document.
  const isRead = ({ method, url }: IncomingMessage): boolean =>
    method === 'GET' && /\/compressible\b/.test(url!);
  const only = ['feed-{attachments,include-docs,complete}'];
  const { report } = await check(t, isRead, { only, profile: 'default' }, 'no connection');
  t.deepEqual(causesOf(report), ['blocked: GET /{db}/{id}?rev=… breaks the connection each time it is sent']);
  t.is(report.summary.inconclusive + report.summary.error, 0);
  t.true(report.checks.some(({ id, outcome }) => id === 'feed-include-docs' && outcome === 'pass'));
  const { exchange } = report.checks.find(({ outcome }) => outcome === 'blocked')!;
  t.regex(exchange!.request.path, /\/compressible/);
});

test('since=now without an answer costs only the rule about it', async (t) => {
  const only = ['feed-since-*', 'normal-*', 'longpoll-{waits,delivers}'];
  const isNow = ({ url }: IncomingMessage): boolean => /since=now/.test(url!);
  const { report } = await check(t, isNow, { only });
  t.deepEqual(causesOf(report), ['fail: `since=now` is not answered']);
  const failed = report.checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id);
  t.deepEqual(failed, ['feed-since-now', 'feed-since-now/filtered']);
  t.is(report.summary.inconclusive + report.summary.error, 0);
});

test('a request that a server only leaves open with one value of a parameter is named with it', async (t) => {
  const { report, silent } = await check(t, ({ url }) => url!.includes('feed=none'), {
    only: ['error-shape*'],
  });
  t.deepEqual(causesOf(report), ['blocked: GET /{db}/_changes?feed=none is not answered within 3 s']);
  t.is(report.summary.inconclusive + report.summary.error, 0);
  // Wrong requests are sent beside each other.
  t.true(silent.length <= 4, `${silent.length}`);
});

test('a server that answers its greeting alone ends the run within a minute', async (t) => {
  const startedAt = performance.now();
  const { report } = await check(t, ({ url }) => url !== '/', { timeout: 5 });
  t.is(report.summary.inconclusive + report.summary.error, 0);
  t.true(
    causesOf(report).includes('blocked: PUT /{db} is not answered within 5 s'),
    causesOf(report).join('\n'),
  );
  t.true(performance.now() - startedAt < 60_000);
});

test('a server that stops to answer one kind of request, as by a deadlock, costs little time', async (t) => {
  let created = 0;
  const isCreation = ({ method, url }: IncomingMessage): boolean =>
    method === 'PUT' && /^\/[^/]+$/.test(url!) && (created += 1) > 15;
  const startedAt = performance.now();
  const { report, silent } = await check(t, isCreation, {
    only: ['feed-{complete,shape,since,paging}*', 'error-shape*'],
  });
  t.true(
    causesOf(report).includes('blocked: PUT /{db} is no longer answered within 3 s'),
    causesOf(report).join('\n'),
  );
  t.true(report.checks.some(({ outcome }) => outcome === 'pass'));
  t.is(report.summary.fail + report.summary.error, 0);
  t.true(performance.now() - startedAt < 60_000, `${performance.now() - startedAt} ms`);
  // As many as were under way at the same time, each of them twice.
  t.true(silent.length <= 40, `${silent.length}`);
});

test('a server that never answers a long poll violates longpoll-behind, and no check waits for it', async (t) => {
  const isLongpoll = ({ url }: IncomingMessage): boolean => url!.includes('feed=longpoll');
  const only = ['longpoll-*', 'feed-shape*'];
  const { report, silent } = await check(t, isLongpoll, { only });
  const causes = causesOf(report).map((cause) => cause.replace(/^\w+: /, ''));
  t.deepEqual([...new Set(causes)], ['`feed=longpoll` is not answered']);
  const outcomes = report.checks.map(({ id, outcome }) => [id, outcome]);
  t.deepEqual(
    outcomes.filter(([, outcome]) => outcome !== 'blocked'),
    [
      ['feed-shape', 'pass'],
      ['longpoll-behind', 'fail'],
    ],
  );
  // Of each probe, one, and what confirms that it is not answered.
  t.true(silent.length <= 8, `${silent.length}`);
});

/** A POST of a filter function whose body has members, or any body. */
const isFilteredPost = (leastLength: number) => (request: IncomingMessage) =>
  request.method === 'POST' &&
  /_changes\?.*filter=[^&_]/.test(request.url!) &&
  Number(request.headers['content-length']) >= leastLength;

for (const [body, leastLength, named] of [
  ['a body with members', 3, ' with comment in the body'],
  ['any body', 0, ''],
] as const) {
  test(`a server that never answers a POST of a filter function with ${body} violates normal-immediate`, async (t) => {
    const only = ['normal-immediate*', 'filter-function*'];
    const { report } = await check(t, isFilteredPost(leastLength), { only, profile: 'default', cases: 5 });
    const blocked = `blocked: POST /{db}/_changes?filter={ddoc}/{name}${named} is not answered within 3 s`;
    t.true(causesOf(report).includes(blocked), causesOf(report).join('\n'));
    const failed = report.checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id);
    t.deepEqual(failed, ['normal-immediate/filtered', 'normal-immediate/every-request']);
    t.is(report.summary.inconclusive + report.summary.error, 0);
  });
}
