/** A response of 400 or more is never read as a feed, and a check that has judged no feed has not passed. */
import anyTest from 'ava';
import { violatingExchange } from '../reports/report.js';
import { runConformance } from './index.js';
import { hostileTarget } from './testing/hostile-target.js';
import { admin, referenceServer } from './testing/reference.js';

/** One after the other: side by side, so many runs would leave checks undecided. */
const test = anyTest.serial;

const refusal = '{"error":"refused","reason":"The test refuses it."}\n';

for (const [status, obstacle] of [
  [501, /\/_changes (is not implemented \(501\)|returns 501)$/],
  [403, /\/_changes returns 403$/],
] as const) {
  test(`no check of the feed passes where each request for it gets ${status}`, async (t) => {
    const url = await hostileTarget(t, await referenceServer(t), ({ url }) =>
      url!.includes('/_changes') ? { status, body: refusal } : undefined,
    );
    // With this seed, the one case of `feed-live-converges/normal` writes nothing and expects nothing.
    const { checks } = await runConformance({
      urls: [url],
      admin,
      profile: 'smoke',
      seed: 2,
      only: ['feed-*', 'longpoll-*', 'continuous-*', 'eventsource-*', 'heartbeat-*', 'filter-*'],
      shrinkMs: 0,
    });
    const ids = ['feed-live-converges/normal', 'feed-latest', 'longpoll-waits', 'filter-doc-ids'];
    t.true(ids.every((id) => checks.some((check) => check.id === id)));
    for (const check of checks.filter(({ outcome }) => outcome !== 'skipped')) {
      t.is(check.outcome, status === 403 ? check.outcome : 'blocked', check.id);
      t.not(check.outcome, 'pass', check.id);
      if (check.outcome === 'blocked') t.regex(check.obstacle!, obstacle, check.id);
    }
  });
}

for (const [what, isRefused] of [
  ['since=now', (url: string) => url.includes('since=now')],
  ['event streams', (url: string) => url.includes('feed=eventsource')],
] as const) {
  test(`a server that refuses ${what} breaks no rule of something else`, async (t) => {
    const url = await hostileTarget(t, await referenceServer(t), ({ url }) =>
      isRefused(url!) ? { status: 400, body: refusal } : undefined,
    );
    const { checks } = await runConformance({
      urls: [url],
      admin,
      seed: 1,
      cases: 2,
      only: [
        'longpoll-waits',
        'longpoll-delivers',
        'longpoll-timeout',
        'continuous-*',
        'eventsource-*',
        'heartbeat-*',
        'feed-live-converges/*',
        'feed-parameters-in-every-mode/*',
        'filter-in-every-mode/*',
      ],
      shrinkMs: 0,
    });
    const failed = checks.flatMap(({ id, outcome, counterexample }) =>
      outcome === 'fail' ? [`${id}: ${counterexample!.message}`] : [],
    );
    t.deepEqual(
      failed,
      what === 'since=now'
        ? []
        : [
            'eventsource-stream: The target rejects a request for an event stream',
            'eventsource-stream/end: `feed=eventsource` is answered with 400',
          ],
    );
  });
}

for (const [parameter, rule] of [
  ['since=now', 'feed-since-now'],
  ['style=all_docs', 'feed-style-all'],
  ['seq_interval=', 'feed-seq-interval'],
  ['last-event-id=', 'eventsource-last-event-id'],
] as const) {
  test(`a server that refuses ${parameter} fails the rule about it`, async (t) => {
    const url = await hostileTarget(t, await referenceServer(t), ({ url }) =>
      url!.includes(parameter) ? { status: 400, body: refusal } : undefined,
    );
    const only = [rule, 'feed-shape'];
    const { checks } = await runConformance({
      urls: [url],
      admin,
      only,
      profile: 'smoke',
      seed: 1,
      shrinkMs: 0,
    });
    const outcomeOf = (wanted: string) => checks.find(({ id }) => id === wanted)!.outcome;
    t.not(outcomeOf('feed-shape'), 'fail');
    t.is(outcomeOf(rule), 'fail');
    const { counterexample } = checks.find(({ id }) => id === rule)!;
    t.true(violatingExchange(counterexample!)!.request.path.includes(parameter));
  });
}

test('a server that refuses other parameters with a filter violates the rule of the filter', async (t) => {
  const url = await hostileTarget(t, await referenceServer(t), ({ url }) =>
    // Only a view has this parameter.
    url!.includes('inclusive_end=') ? { status: 400, body: refusal } : undefined,
  );
  const only = ['filter-view/parameters'];
  const { checks } = await runConformance({ urls: [url], admin, seed: 1, only, shrinkMs: 0 });
  t.deepEqual(
    checks.map(({ reason }) => reason),
    ['The target rejects the filter _view: at $status expected 200, got 400.'],
  );
});
