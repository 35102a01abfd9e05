/** Targets that lack a part of the feed, or are behind the writes. The self-test tries each lack. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import anyTest from 'ava';
import type { Report } from '../reports/report.js';
import { type ConformanceOptions, runConformance } from './index.js';
import { replaceHandler } from './rules/shared/components.faults.js';
import { changeFeedQuery, changeRows, replaceFeedHandlers } from './rules/shared/feeds.faults.js';
import { httpError } from '../reference/index.js';
import { laggingTarget } from './testing/lagging-target.js';
import { admin, referenceServer } from './testing/reference.js';

/** One after the other: side by side, so many runs would leave checks undecided. */
const test = anyTest.serial;

/** The rules of what the feed returns, and of its modes. */
const only = ['feed-*', 'normal-*', 'longpoll-*', 'continuous-*', 'eventsource-*', 'heartbeat-*', 'filter-*'];

const check = (url: string, options: Partial<ConformanceOptions> = {}): Promise<Report> =>
  runConformance({ urls: [url], admin, only, profile: 'smoke', seed: 5, shrinkMs: 0, ...options });

/** The rules with checks of some outcomes, in their order. */
const rulesWith = ({ checks }: Report, ...outcomes: readonly string[]): string[] => [
  ...new Set(checks.filter(({ outcome }) => outcomes.includes(outcome)).map(({ rule }) => rule)),
];

for (const lack of ['filters', 'modes', 'style']) {
  test(`the verdicts of a target without ${lack} do not depend on the seed`, async (t) => {
    const { url } = await referenceServer(t, { dialect: 'couchdb', lack: [lack] });
    const [first, second] = [await check(url), await check(url, { seed: 6 })];
    // On a busy machine, a check may be undecided with one of the seeds.
    const undecided = [...first.checks, ...second.checks]
      .filter(({ outcome }) => outcome === 'inconclusive')
      .map(({ id }) => id);
    const verdictsOf = ({ checks }: Report): string[] =>
      checks.filter(({ id }) => !undecided.includes(id)).map(({ id, outcome }) => `${id} ${outcome}`);
    t.deepEqual(verdictsOf(second), verdictsOf(first));
  });
}

test('a feed that is behind the writes costs no rule, and a warning says so', async (t) => {
  const report = await check(await laggingTarget(t, 300));
  t.deepEqual(rulesWith(report, 'fail', 'warn', 'error'), []);
  t.true(report.warnings.some((warning) => warning.startsWith('The feed is behind the writes: ')));
});

test('a feed that is behind the writes only after the probes costs no rule either', async (t) => {
  // Names of databases end with their number.
  const isLate = (path: string): boolean => /^\/docfeed-\w+-(?!1\b)\d+\b/.test(path);
  const report = await check(await laggingTarget(t, 100, { isLate }));
  t.deepEqual(rulesWith(report, 'fail', 'warn', 'error'), []);
  t.true(report.warnings.some((warning) => warning.startsWith('The feed is behind the writes: ')));
});

test('a target that has a filter only in normal mode, and refuses an empty list of ids, breaks two rules', async (t) => {
  const { url } = await referenceServer(t, {
    dialect: 'couchdb',
    components: replaceFeedHandlers((original, request) => {
      const { query, body } = request;
      const isEmpty = (body?.doc_ids ?? query.doc_ids)?.length === 0;
      if (query.filter === '_doc_ids' && (query.feed !== 'normal' || isEmpty))
        throw httpError(400, 'bad_request', 'The filter is not valid here.');
      return original(request, request.context);
    }),
  });
  const report = await check(url);
  const failed = report.checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id);
  t.true(failed.includes('filter-doc-ids/empty'));
  t.true(failed.includes('filter-in-every-mode/continuous'));
  t.deepEqual(
    failed.filter((id) => !/^filter-doc-ids\/(empty|query-of-post)$|^filter-in-every-mode\//.test(id)),
    [],
  );
});

test('a target that sends two rows for a document whose revisions came together breaks one rule', async (t) => {
  const together = new Set<string | undefined>();
  const notingTogether = replaceHandler('bulkDocs', (original, request, context) => {
    const ids = request.body.docs.map(({ _id }) => _id);
    for (const [index, id] of ids.entries()) if (ids.indexOf(id) < index) together.add(id);
    return original(request, context);
  });
  const repeating = changeRows((rows) => rows.flatMap((row) => (together.has(row.id) ? [row, row] : [row])));
  const { url } = await referenceServer(t, {
    dialect: 'couchdb',
    components: (components) => repeating(notingTogether(components)),
  });
  const report = await check(url, { only: ['feed-*'] });
  t.deepEqual(rulesWith(report, 'fail', 'warn', 'error'), ['feed-one-row']);
  t.true(report.warnings.some((warning) => warning.includes('bulk-revisions')));
});

test('a check that a baseline expects to fail does without what only blocks it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const baseline = join(folder, 'baseline.yaml');
  const message = 'The target does not send one heartbeat in every period';
  await writeFile(
    baseline,
    JSON.stringify([{ check: 'heartbeat-lines', reason: 'It sends none.', message }]),
  );
  const withoutHeartbeats = changeFeedQuery('longpoll', { heartbeat: undefined });
  const { url } = await referenceServer(t, {
    dialect: 'couchdb',
    lack: ['since-now'],
    components: withoutHeartbeats,
  });
  const report = await check(url, { only: ['heartbeat-lines'], baseline });
  const { outcome, reason } = report.checks.find(({ id }) => id === 'heartbeat-lines')!;
  t.is(outcome, 'known', reason);
});

test('parameters that a target refuses only together are one finding, and other checks do without one of them', async (t) => {
  const { url } = await referenceServer(t, {
    dialect: 'couchdb',
    components: replaceFeedHandlers((original, request) => {
      const { style, include_docs: withDocs, feed } = request.query;
      if (withDocs && (style === 'all_docs' || feed === 'eventsource'))
        throw httpError(400, 'bad_request', 'Not together.');
      return original(request, request.context);
    }),
  });
  const report = await check(url);
  // On a busy machine, a check may be undecided.
  const affected = report.checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'blocked');
  t.deepEqual([...new Set(affected.map(({ obstacle }) => obstacle))].toSorted(), [
    '`feed=eventsource` and `include_docs` together are answered with 400',
    '`include_docs` and `style=all_docs` together are answered with 400',
  ]);
  t.deepEqual(rulesWith(report, 'fail'), ['feed-include-docs', 'feed-style-all', 'eventsource-stream']);
  // They are about both.
  const blocked = rulesWith(report, 'blocked');
  t.deepEqual(
    blocked.filter((rule) => !['feed-parameters-in-every-mode', 'filter-all-docs-doc'].includes(rule)),
    [],
  );
});

test('a target that ignores `since` and one that ignores `since=now` break only the rules about it', async (t) => {
  for (const [isIgnored, rules] of [
    [(since: string) => since === 'now', ['feed-since-now'] as string[]],
    [() => true, ['feed-since-excludes', 'feed-since-resume', 'feed-since-now'] as string[]],
  ] as const) {
    const { url } = await referenceServer(t, {
      dialect: 'couchdb',
      components: replaceFeedHandlers((original, request) => {
        const { query, context } = request;
        const since = isIgnored(query.since) ? '0' : query.since;
        return original({ ...request, query: { ...query, since } }, context);
      }),
    });
    const failed = rulesWith(await check(url), 'fail');
    t.true(failed.length > 0);
    t.deepEqual(
      failed.filter((rule) => !rules.includes(rule)),
      [],
    );
  }
});
