/** A server in the making lacks whole parts. Each is one cause, in the order in which one would build them. */
import test, { type ExecutionContext } from 'ava';
import { findCauses } from '../../../reports/causes.js';
import type { Report } from '../../../reports/report.js';
import { runConformance } from '../../index.js';
import { changeFeedQuery } from '../../rules/shared/feeds.faults.js';
import { admin, referenceServer } from '../../testing/reference.js';
import type { TestServer } from '../../testing/server.js';
import { byHand, startMonotonousServer, startUnfinishedServer } from '../../testing/unfinished-server.js';

const options = { profile: 'smoke', seed: 10, shrinkMs: 0 } as const;

async function check(t: ExecutionContext, starting: Promise<TestServer>): Promise<Report> {
  const server = await starting;
  t.teardown(() => server.stop());
  return runConformance({ urls: [server.url], admin, ...options });
}

const causesOf = ({ checks }: Report): string[] =>
  findCauses(checks).map(({ lead }) => `${lead.outcome}: ${lead.obstacle ?? lead.counterexample!.message}`);

/** The smallest requests that show what the target lacks, without the name of their database. */
const requestsOf = ({ checks }: Report): string[] =>
  findCauses(checks).flatMap(({ shownBy }) => {
    if (!shownBy) return [];
    const { method, path, body = '' } = shownBy.request;
    return [`${method} ${path.replace(/docfeed-[^/]+/, '{db}')} ${body}`.trim()];
  });

test('a server with five endpoints has six causes', async (t) => {
  const report = await check(t, startUnfinishedServer());
  t.deepEqual(causesOf(report), [
    'fail: The greeting is malformed',
    'blocked: POST /{db}/_changes is not implemented (404)',
    'fail: `limit` and `filter` are ignored',
    'fail: More rows than every Nth have a seq of their own',
    'fail: `feed=longpoll`, `feed=continuous` and `feed=eventsource` are ignored',
    'blocked: GET /_session is not implemented (404)',
  ]);
  t.deepEqual(requestsOf(report), [
    'POST /{db}/_changes {}',
    'GET /{db}/_changes?limit=1',
    'GET /{db}/_changes?feed=longpoll&since=now',
    'GET /_session',
  ]);
  t.is(report.summary.inconclusive + report.summary.error, 0);
  const endpoints = report.target.endpoints!.map(({ operation, mode, state }) => [operation, mode, state]);
  for (const [operation, mode, state] of [
    ['GET /_session', undefined, 'missing'],
    ['POST /{db}/_changes', 'normal', 'missing'],
    ['GET /{db}/_changes', 'normal', 'there'],
    ['GET /{db}/_changes', 'longpoll', 'ignored'],
    ['GET /{db}/_changes', 'eventsource', 'ignored'],
  ]) {
    t.true(
      endpoints.some((endpoint) => endpoint.join() === [operation, mode, state].join()),
      `${operation} ${mode}`,
    );
  }
  const ofModes = report.checks.filter(({ id }) => id.startsWith('feed-parameters-in-every-mode/'));
  t.deepEqual([...new Set(ofModes.map(({ outcome }) => outcome))], ['blocked']);
  const session = report.checks.find(({ id }) => id === 'session-shape/anonymous')!;
  t.is(session.reason, 'GET /_session is not implemented (404).');
  t.is(session.counterexample?.exchanges[0]?.response?.status, 404);
});

test('a server whose resumed feeds repeat all rows now and then does not ignore `since`', async (t) => {
  for (const [repeats, causes] of [
    [3, []],
    [Infinity, ['fail: `since` is ignored']],
  ] as const) {
    let left: number = repeats;
    const isRepeated = ({ query }: { query: { since?: string } }): boolean =>
      query.since !== 'now' && query.since !== '0' && (left -= 1) >= 0;
    const { url } = await referenceServer(t, {
      components: changeFeedQuery('normal', { since: '0' }, isRepeated),
    });
    const report = await runConformance({
      ...options,
      urls: [url],
      admin,
      only: ['feed-shape', 'feed-since-resume'],
    });
    t.deepEqual(causesOf(report), causes);
  }
});

test('a server that ignores `new_edits: false` lacks a capability, and no cause is about it', async (t) => {
  const report = await check(t, startUnfinishedServer({ makesRevisions: true }));
  const { how } = report.target.capabilities.find(({ name }) => name === 'new-edits')!;
  t.is(how, '`new_edits: false` is ignored: the target makes its own revisions');
  t.false(
    causesOf(report).some((cause) => /new_edits|conflict/.test(cause)),
    causesOf(report).join('\n'),
  );
  const { outcome, reason } = report.checks.find(({ id }) => id === 'feed-style-all')!;
  t.is(outcome, 'skipped');
  t.is(reason, `The target lacks the capability "conflicts": ${how}.`);
});

test('a server that writes JSON by hand has one cause for that', async (t) => {
  const report = await check(t, startUnfinishedServer({ style: byHand }));
  t.deepEqual(causesOf(report), [
    'fail: The greeting is malformed',
    'fail: the bodies of POST /{db}/_bulk_docs and GET /{db}/_changes are not JSON (line 6, column 2, no Content-Type)',
    'blocked: POST /{db}/_changes is not implemented (404)',
    'blocked: GET /_session is not implemented (404)',
  ]);
  t.is(report.summary.inconclusive + report.summary.error, 0);
});

for (const [type, body] of [
  ['application/json', '{}'],
  ['text/html', '<!doctype html><title>Log in</title>'],
] as const) {
  test(`a server that always responds with ${body} has one cause`, async (t) => {
    const report = await check(t, startMonotonousServer(type, body));
    t.deepEqual(causesOf(report), [`fail: requests of all kinds get the same response (200, ${type})`]);
    t.is(report.summary.inconclusive + report.summary.error, 0);
  });
}
