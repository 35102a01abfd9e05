/** Targets that lack one part of the feed each: only the rules about it are lost. */
import test from 'ava';
import picomatch from 'picomatch';
import type { Report } from '../reports/report.js';
import { type ConformanceOptions, runConformance } from './index.js';
import { changeRows, replaceFeedHandlers } from './rules/shared/feeds.faults.js';
import { laggingTarget } from './testing/lagging-target.js';
import { admin, referenceServer } from './testing/reference.js';

/** The rules of what the feed returns, and of its modes. */
const only = ['feed-*', 'normal-*', 'longpoll-*', 'continuous-*', 'eventsource-*', 'heartbeat-*', 'filter-*'];

const check = (url: string, options: Partial<ConformanceOptions> = {}): Promise<Report> =>
  runConformance({ urls: [url], admin, only, profile: 'smoke', seed: 5, shrinkMs: 0, ...options });

/** The rules with checks of some outcomes, in their order. */
const rulesWith = ({ checks }: Report, ...outcomes: readonly string[]): string[] => [
  ...new Set(checks.filter(({ outcome }) => outcomes.includes(outcome)).map(({ rule }) => rule)),
];

/** The rules that are broken by a lack, and globs of those that cannot be judged without the part. */
const lost: Readonly<
  Record<string, { readonly fails: readonly string[]; readonly blocks?: readonly string[] }>
> = {
  'since-now': { fails: ['feed-since-now'] },
  modes: {
    fails: ['longpoll-waits', 'continuous-live', 'eventsource-stream'],
    blocks: ['longpoll-*', 'continuous-*', 'eventsource-*', 'heartbeat-*', 'filter-in-every-mode'],
  },
  longpoll: { fails: ['longpoll-waits'], blocks: ['longpoll-*'] },
  continuous: { fails: ['continuous-live'], blocks: ['continuous-*'] },
  eventsource: { fails: ['eventsource-stream'], blocks: ['eventsource-*'] },
  'heartbeat-true': { fails: ['heartbeat-true'] },
  filters: { fails: ['filter-doc-ids'], blocks: ['filter-*'] },
  'filter-design': { fails: ['filter-design'] },
  'post-changes': { fails: [], blocks: ['feed-post-same', 'filter-selector', 'filter-all-docs-*'] },
  'include-docs': {
    fails: ['feed-include-docs'],
    blocks: ['feed-conflicts', 'feed-att*', 'filter-all-docs-doc'],
  },
  limit: {
    fails: ['feed-limit'],
    blocks: ['feed-paging', 'continuous-limit', 'eventsource-limit-timeout'],
  },
  'all-rows': { fails: [] },
};

/** Leaves out the first of several rows. */
const losesRow = changeRows((rows) => (rows.length > 1 ? rows.slice(1) : rows));

for (const [lack, { fails, blocks = [] }] of Object.entries(lost)) {
  test(`a target without ${lack} loses only the rules about it, with each seed`, async (t) => {
    const mayBeBlocked = picomatch([...blocks]);
    const { url } = await referenceServer(t, { dialect: 'couchdb', lack: [lack] });
    const reports = [await check(url), await check(url, { seed: 6 })];
    for (const report of reports) {
      t.deepEqual(rulesWith(report, 'fail', 'warn', 'inconclusive', 'error'), fails);
      const blocked = report.checks.filter(({ outcome }) => outcome === 'blocked');
      const judged = rulesWith(report, 'pass', 'fail');
      const lostRules = rulesWith(report, 'blocked').filter((rule) => !judged.includes(rule));
      t.deepEqual(
        lostRules.filter((rule) => !mayBeBlocked(rule)),
        [],
      );
      t.true(new Set(blocked.map(({ obstacle }) => obstacle)).size <= 1);
    }
    const verdicts = reports.map(({ checks }) => checks.map(({ id, outcome }) => `${id} ${outcome}`));
    t.deepEqual(verdicts[1], verdicts[0]);
  });

  test(`a target without ${lack} that loses a row violates feed-complete`, async (t) => {
    const { url } = await referenceServer(t, {
      dialect: 'couchdb',
      lack: [lack],
      components: losesRow,
    });
    const report = await check(url, { only: ['feed-complete'] });
    t.deepEqual(rulesWith(report, 'fail'), ['feed-complete']);
  });
}

test('a feed that is behind the writes costs no rule, and a warning says so', async (t) => {
  const report = await check(await laggingTarget(t, 300));
  t.deepEqual(rulesWith(report, 'fail', 'warn', 'error'), []);
  t.true(report.warnings.some((warning) => warning.startsWith('The feed is behind the writes: ')));
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
