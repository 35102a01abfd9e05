/** The scenarios: each is one thing that the rules allow and that a consumer may not expect. */
import type { Event, Scenario, Treatment } from './scenario.js';

/** The consumer follows the feed while the history is written. */
const live: readonly Event[] = ['write', 'start', 'know', 'write', 'know', 'write'];

/** The consumer is killed in the middle of its work. */
const killed: readonly Event[] = ['write', 'start', 'say', 'kill', 'write', 'start', 'say', 'kill', 'start'];

/** The connection breaks in the middle of the work. */
const interrupted: readonly Event[] = [
  ...(['write', 'start', 'say', 'cut all connections', 'write', 'say'] as const),
  ...(['cut all connections', 'write', 'say', 'cut all connections'] as const),
];

const few = { documents: 12 };
const many = { documents: 60 };

const refusal = (status: number, error: string): Treatment => ({
  ...{ of: 'all', times: 2 },
  answer: { status, retryAfter: 1, body: JSON.stringify({ error, reason: 'Try again later.' }) },
});

export const scenarios: readonly Scenario[] = [
  {
    id: 'feed-partial-order',
    rule: 'feed-partial-order',
    title: 'Rows come in another order in each call.',
    vary: { shards: 8 },
    history: many,
    events: interrupted,
  },
  {
    id: 'feed-idempotent/repeats',
    rule: 'feed-idempotent',
    title: 'Rows that were read before come again after each reconnect.',
    vary: { copies: 3 },
    history: many,
    events: interrupted,
  },
  {
    id: 'feed-idempotent/killed',
    rule: 'feed-idempotent',
    title: 'The consumer is killed in the middle of its work, and starts again.',
    history: many,
    events: killed,
  },
  {
    id: 'feed-since-resume',
    rule: 'feed-since-resume',
    title: 'The consumer is terminated, and starts again after other changes.',
    history: { ...many, updates: 1 },
    events: ['write', 'start', 'know', 'terminate', 'write', 'start'],
    continues: true,
  },
  {
    id: 'feed-latest',
    rule: 'feed-latest',
    title: 'A document that changes many times has one row, with its latest state.',
    history: { documents: 6, updates: 8 },
    events: live,
  },
  {
    id: 'feed-deleted',
    rule: 'feed-deleted',
    title: 'Documents are deleted.',
    history: { ...few, deletes: true },
    events: live,
  },
  {
    id: 'feed-style-all',
    rule: 'feed-style-all',
    title: 'Documents have conflicts, and the consumer must know all leaf revisions.',
    history: { ...few, conflicts: true },
    events: live,
    needs: 'leaves',
  },
  ...(['object', 'array', 'number', 'long string'] as const).map((sequences): Scenario => ({
    id: `feed-seq-any-json/${sequences.replace(' ', '-')}`,
    rule: 'feed-seq-any-json',
    title: `Each seq is ${sequences === 'object' || sequences === 'array' ? 'an' : 'a'} ${sequences}.`,
    vary: { sequences },
    history: few,
    events: [...live, 'cut all connections', 'terminate', 'write', 'start'],
  })),
  {
    id: 'feed-row-shape/unusual-text',
    rule: 'feed-row-shape',
    title: 'Ids and documents have unusual text.',
    history: { ...few, unusual: true },
    events: live,
  },
  {
    id: 'feed-complete/many',
    rule: 'feed-complete',
    title: 'There are 10,000 changes at once.',
    history: { documents: 10_000 },
    events: ['write', 'start'],
  },
  {
    id: 'longpoll-timeout',
    rule: 'longpoll-timeout',
    title: 'Feeds end at once without a row, again and again.',
    treatments: [{ of: 'live feeds', times: 4, parameters: { heartbeat: null, timeout: '1' } }],
    history: few,
    events: live,
  },
  {
    id: 'heartbeat-lines',
    rule: 'heartbeat-lines',
    title: 'There is an empty line after each line.',
    treatments: [{ of: 'live feeds', times: 100, emptyLines: true }],
    history: few,
    events: live,
  },
  {
    id: 'continuous-lines/chunks',
    rule: 'continuous-lines',
    title: 'Responses arrive in small pieces that end inside lines and characters.',
    vary: { pieces: 40, pauseMs: 1 },
    history: { ...few, unusual: true },
    events: live,
  },
  {
    id: 'feed-live-converges/cut',
    rule: 'feed-live-converges',
    title: 'The connection breaks inside a row.',
    treatments: [{ times: 4, cut: { rows: 2, inside: true } }],
    history: { ...few, updates: 1 },
    events: live,
  },
  {
    id: 'feed-live-converges/silent',
    rule: 'feed-live-converges',
    title: 'A connection stays open but nothing more arrives.',
    treatments: [{ of: 'live feeds', silence: { rows: 0 } }],
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/restart',
    rule: 'feed-live-converges',
    title: 'The server restarts.',
    history: few,
    events: [...live, 'restart the server', 'write'],
  },
  {
    id: 'feed-live-converges/unavailable',
    rule: 'feed-live-converges',
    title: 'The server says 503 and when to try again.',
    treatments: [refusal(503, 'service_unavailable')],
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/rate-limit',
    rule: 'feed-live-converges',
    title: 'The server says 429 and when to try again.',
    treatments: [refusal(429, 'too_many_requests')],
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/proxy',
    rule: 'feed-live-converges',
    title: 'A proxy says 502 with a page in HTML.',
    treatments: [{ times: 3, answer: { status: 502, type: 'text/html', body: '<h1>502 Bad Gateway</h1>' } }],
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/slow',
    rule: 'feed-live-converges',
    title: 'The headers of responses come late.',
    treatments: [{ of: 'all', times: 5, delayMs: 400 }],
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/redirect',
    rule: 'feed-live-converges',
    title: 'A proxy redirects to a page of another host, which must get no credentials.',
    treatments: [{ times: 2, redirect: true }],
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/everything',
    rule: 'feed-live-converges',
    title:
      'A mixture of variations that the seed selects, with broken connections and restarts of the consumer.',
    vary: 'seed',
    treatments: [{ times: 2, cut: { rows: 3 } }],
    history: { ...many, updates: 1, unusual: true },
    events: [...interrupted, 'kill', 'write', 'start'],
  },
  {
    id: 'cluster-converges',
    rule: 'cluster-converges',
    title: 'A node lags behind, and shows an older state for a while.',
    treatments: [{ times: 3, earlierSince: true }],
    history: { ...few, updates: 1 },
    events: interrupted,
  },
  {
    id: 'cookie-authenticates/expired',
    rule: 'cookie-authenticates',
    title: 'The session cookie expires while a feed is open.',
    history: few,
    events: [...live, 'know', 'let cookies expire', 'write', 'know', 'let cookies expire', 'write'],
    needs: 'cookies',
  },
  {
    id: 'feed-since-default/recreated',
    rule: 'feed-since-default',
    title: 'The database is deleted and created again, so that a checkpoint is void.',
    history: few,
    events: [
      'write',
      'start',
      'know',
      'terminate',
      'recreate the database',
      'write',
      'start',
      'know',
      'write',
    ],
  },
];
