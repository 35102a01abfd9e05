/** The scenarios: each is one thing that the rules allow and that a consumer may not expect. */
import type { Event, Moment, Scenario, Treatment } from './scenario.js';

const begin: readonly Event[] = ['write', 'start', 'know', 'idle'];

/** The consumer follows the feed while the history is written. */
const live: readonly Event[] = [...begin, 'write', 'know', 'idle', 'write'];

/** The consumer starts again after something that makes its checkpoint void. */
const restart = (...events: readonly Event[]): readonly Event[] => [
  ...begin,
  'terminate',
  ...events,
  'write',
  'start',
  'know',
  'write',
];

/** The connection breaks between two rows, each time when others have been read. */
const interruptions: Treatment = { of: 'live feeds', times: 3, cut: { rows: 7 } };

/** The front closes connections for so long, in milliseconds: most consumers try more than ten times in this time. */
const longAwayMs = 25_000;

/** A consumer that waits 50 ms before each attempt is not too hasty. */
const shortAway = { ms: 2000, most: 40 };

const expiry: readonly Event[] = ['know', 'idle', 'let cookies expire', 'write'];

/** The server is away while the consumer follows the feed. */
const longAway: readonly Event[] = [...begin, 'be away for an hour', 'write'];

/** The longest wait of PouchDB is ten minutes, and other clients wait for less. This leaves time for the attempt itself. */
const mostWaitMinutes = 15;

const resume: readonly Event[] = ['write', 'start', 'know', 'settle', 'terminate', 'write', 'start'];

/** The consumer is killed four times, each time after changes, and starts again. */
const killedAt = (moment: Moment): readonly Event[] => [
  ...Array.from({ length: 4 }, (): Event[] => ['write', 'start', moment, 'kill']).flat(),
  'start',
];

const badGateway = { status: 502, type: 'text/html', body: '<h1>502 Bad Gateway</h1>' };

const few = { documents: 12 };
const many = { documents: 60 };

const refused = (status: number, error: string): NonNullable<Treatment['answer']> => ({
  status,
  body: JSON.stringify({ error, reason: 'Try again later.' }),
});

const internalError = refused(500, 'internal_server_error');

/** The first request, which may be a login, and later a feed. */
const refusals = (status: number, error: string): Treatment[] =>
  (['all', 'feeds'] as const).map((of) => ({
    of,
    answer: { ...refused(status, error), retryAfter: 2 },
  }));

export const scenarios: readonly Scenario[] = [
  {
    id: 'feed-partial-order',
    rule: 'feed-partial-order',
    title: 'Rows come in another order in each call.',
    // A new order may also be harmless, so there are many shards, and an interruption in each part of the history.
    vary: { shards: 16 },
    treatments: [{ of: 'live feeds', times: 4, cut: { rows: 10 } }],
    history: { documents: 200 },
    events: [...live, 'know', 'idle', 'write', 'know', 'idle', 'write'],
  },
  {
    id: 'feed-idempotent/repeats',
    rule: 'feed-idempotent',
    title: 'Rows that were read before come again after each reconnect.',
    vary: { copies: 3 },
    treatments: [interruptions],
    history: many,
    events: live,
  },
  {
    id: 'feed-idempotent/killed',
    rule: 'feed-idempotent',
    title: 'The consumer is killed in the middle of its work, and starts again.',
    history: many,
    events: ['write', 'start', 'say', 'kill', 'write', 'start', 'say', 'kill', 'start'],
  },
  {
    id: 'feed-idempotent/killed-at-rows',
    rule: 'feed-idempotent',
    title: 'The consumer is killed when it has just got rows, or begins to work on them, and starts again.',
    history: few,
    events: killedAt('get'),
  },
  {
    id: 'feed-idempotent/killed-at-start',
    rule: 'feed-idempotent',
    title: 'The consumer is killed while it waits for one of the first responses, and starts again.',
    history: few,
    events: killedAt('ask'),
  },
  {
    id: 'feed-idempotent/killed-at-checkpoints',
    rule: 'feed-idempotent',
    title: 'The consumer is killed when it has just changed its checkpoint, and starts again.',
    // So many that it works on a part of them meanwhile.
    history: { documents: 2000 },
    events: killedAt('store'),
  },
  {
    id: 'feed-idempotent/killed-at-copies',
    rule: 'feed-idempotent',
    title: 'The replicator is killed when its target has just stored documents, and starts again.',
    history: few,
    events: killedAt('copy'),
    needs: 'target',
  },
  {
    id: 'feed-idempotent/stored-in-vain',
    rule: 'feed-idempotent',
    title: 'The target of a replicator stores documents, and says 500.',
    target: { treatments: [{ of: 'writes', times: 2, answer: { ...internalError, acts: true } }] },
    history: few,
    events: live,
    needs: 'target',
  },
  {
    id: 'feed-since-resume',
    rule: 'feed-since-resume',
    title: 'The consumer is terminated, and starts again after other changes.',
    history: many,
    events: resume,
  },
  {
    id: 'feed-since-resume/checkpoint',
    rule: 'feed-since-resume',
    // To read everything again is slow, and loses nothing.
    level: 'SHOULD',
    title: 'The consumer starts again, and must not read most of the rows again.',
    history: many,
    events: resume,
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
    id: 'feed-deleted/recreated',
    rule: 'feed-deleted',
    title: 'Documents are deleted, and made again.',
    history: { ...few, recreates: true },
    events: [...live, 'know', 'idle', 'write'],
  },
  {
    id: 'feed-style-all',
    rule: 'feed-style-all',
    title:
      'Documents have conflicts, and the consumer must know all leaf revisions, which come in any order.',
    treatments: [{ times: 1000, form: { reversesLeaves: true } }],
    history: { ...few, conflicts: true },
    events: live,
    needs: 'leaves',
  },
  {
    id: 'feed-style-all/resolved',
    rule: 'feed-style-all',
    title:
      'Conflicts are deleted, one leaf after the other: an older revision wins, and none is left at the end.',
    history: { ...few, resolves: true },
    events: [...live, 'know', 'idle', 'write', 'know', 'idle', 'write'],
    needs: 'leaves',
  },
  ...(['object', 'array', 'number', 'long string', 'unusual string'] as const).map((sequences): Scenario => ({
    id: `feed-seq-any-json/${sequences.replace(' ', '-')}`,
    rule: 'feed-seq-any-json',
    title:
      sequences === 'unusual string'
        ? 'Each seq has characters that a URL must escape, and some differ only in these.'
        : `Each seq is ${sequences === 'object' || sequences === 'array' ? 'an' : 'a'} ${sequences}.`,
    vary: { sequences },
    // An odd number before the consumer is terminated: see `unusual string`.
    history: { documents: 13 },
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
    id: 'feed-row-shape/similar-ids',
    rule: 'feed-row-shape',
    title: 'Ids are names of members that objects have anyway, or differ in case or normal form only.',
    history: { ...few, similarIds: true, updates: 1 },
    events: live,
  },
  {
    id: 'feed-row-shape/other-members',
    rule: 'feed-row-shape',
    title:
      'Objects have members that the rules do not name, and documents have members named like those of rows.',
    treatments: [{ times: 1000, form: { addsMembers: true } }],
    history: { ...few, likeRows: true },
    events: live,
  },
  {
    id: 'feed-row-shape/member-order',
    rule: 'feed-row-shape',
    title: 'All objects have their members in another order: `last_seq` comes first.',
    treatments: [{ times: 1000, form: { reversesMembers: true } }],
    history: few,
    events: live,
  },
  {
    id: 'feed-shape/headers',
    rule: 'feed-shape',
    title: 'The names of headers are in capitals, and media types have a parameter.',
    vary: { headers: 'UPPER' },
    treatments: [{ of: 'all', times: 1000, form: { mediaTypes: true } }],
    history: few,
    events: live,
  },
  {
    id: 'feed-row-shape/large',
    rule: 'feed-row-shape',
    title: 'A document has more than a million characters.',
    history: { ...few, size: 2 ** 20 },
    events: live,
  },
  {
    id: 'feed-row-shape/attachments',
    rule: 'feed-row-shape',
    title: 'Documents have attachments, and some are design documents: a replicator must copy all of it.',
    history: { ...few, attachments: true, updates: 1 },
    events: live,
    needs: 'target',
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
    id: 'continuous-timeout/other-end',
    rule: 'continuous-timeout',
    title: 'Feeds end with an object that has spaces, and its members in another order.',
    treatments: [
      { of: 'live feeds', times: 4, parameters: { heartbeat: null, timeout: '1' }, form: { otherEnd: true } },
    ],
    history: few,
    events: live,
  },
  {
    id: 'heartbeat-lines',
    rule: 'heartbeat-lines',
    title: 'There is an empty line after each row and each heartbeat.',
    treatments: [{ of: 'live feeds', times: 100, form: { emptyLines: true } }],
    history: few,
    events: live,
  },
  {
    id: 'heartbeat-lines/day',
    rule: 'heartbeat-lines',
    title: 'Nothing happens for a day: all of its heartbeats arrive, one after the other, and then changes.',
    history: few,
    events: ['write', 'start', 'know', 'idle', 'send the heartbeats of a day', 'write'],
  },
  {
    id: 'continuous-lines/chunks',
    rule: 'continuous-lines',
    title: 'Responses arrive in pieces that end inside lines and characters.',
    treatments: [{ times: 1000, form: { pieces: true } }],
    history: { ...few, unusual: true },
    events: live,
  },
  ...(['CRLF', 'CR', 'fields'] as const).map((events): Scenario => ({
    id: `eventsource-stream/${events.toLowerCase()}`,
    rule: 'eventsource-stream',
    title:
      events === 'fields'
        ? 'The events of a stream have comments, data in several lines, and fields in another order.'
        : `The lines of an event stream end with ${events}.`,
    treatments: [{ of: 'live feeds', times: 1000, form: { events } }],
    history: { ...few, unusual: true },
    events: [...live, 'cut all connections', 'terminate', 'write', 'start'],
    needs: 'event stream',
  })),
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
    title:
      'A connection stays open but is dead: nothing arrives for three periods of its heartbeat or timeout.',
    treatments: [{ of: 'live feeds', silence: { rows: 0 } }],
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/restart',
    rule: 'feed-live-converges',
    title: 'The server restarts while the consumer waits for changes.',
    history: few,
    events: [...live, 'know', 'idle', 'restart the server', 'write'],
  },
  {
    id: 'feed-live-converges/restart-at-work',
    rule: 'feed-live-converges',
    title: 'The server restarts in the middle of the work of the consumer.',
    history: few,
    events: ['write', 'start', 'say', 'restart the server', 'know', 'write'],
  },
  {
    id: 'feed-live-converges/unavailable',
    rule: 'feed-live-converges',
    title: 'The server says 503 and when to try again.',
    treatments: refusals(503, 'service_unavailable'),
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/rate-limit',
    rule: 'feed-live-converges',
    title: 'The server says 429 and when to try again.',
    treatments: refusals(429, 'too_many_requests'),
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/insistent-limit',
    rule: 'feed-live-converges',
    title: 'The server says 429 and when to try again, and each earlier attempt begins that time again.',
    treatments: [{ answer: { ...refused(429, 'too_many_requests'), retryAfter: 2, insists: true } }],
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/long-response',
    rule: 'feed-live-converges',
    title: 'A response takes more than half a minute, and rows arrive all the time.',
    treatments: [{ times: 1000, form: { paceMs: 500 } }],
    history: { documents: 64 },
    events: ['write', 'start'],
  },
  {
    id: 'feed-live-converges/retry-date',
    rule: 'feed-live-converges',
    title: 'The server says 503, and at which date to try again.',
    treatments: refusals(503, 'service_unavailable').map(({ of, answer }) => ({
      of: of!,
      answer: { ...answer!, asDate: true },
    })),
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/failing-target',
    rule: 'feed-live-converges',
    title: 'The target of a replicator says 500 and stores nothing.',
    target: { treatments: [{ of: 'writes', times: 3, answer: internalError }] },
    history: few,
    events: live,
    needs: 'target',
  },
  {
    id: 'feed-live-converges/slow-target',
    rule: 'feed-live-converges',
    title: 'The target of a replicator is slow.',
    target: { treatments: [{ of: 'writes', times: 4, delayMs: 2000 }] },
    history: few,
    events: live,
    needs: 'target',
  },
  {
    id: 'feed-live-converges/refused-documents',
    rule: 'feed-live-converges',
    title: 'The target of a replicator refuses some documents for what they are.',
    target: { refusesGroup: true },
    history: few,
    events: live,
    needs: 'target',
  },
  {
    id: 'feed-live-converges/outage',
    rule: 'feed-live-converges',
    title: 'A proxy says 502 to seven attempts one after the other.',
    treatments: [{ times: 7, answer: badGateway }],
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/away',
    rule: 'feed-live-converges',
    title: `The server is away for ${longAwayMs / 1000} seconds.`,
    treatments: [{ away: { ms: longAwayMs } }],
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/haste',
    rule: 'feed-live-converges',
    // Too many requests do not keep the consumer from learning what it must know.
    level: 'SHOULD',
    title: 'The server is away for two seconds, and the consumer must wait between its attempts.',
    treatments: [{ away: shortAway }],
    history: few,
    events: live,
  },
  {
    id: 'feed-live-converges/proxy',
    rule: 'feed-live-converges',
    title: 'A proxy says 502 with a page in HTML.',
    treatments: [{ times: 3, answer: badGateway }],
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
      'The seed selects a mixture of variations and of what happens to connections; the consumer restarts.',
    mixes: true,
    treatments: [
      interruptions,
      { times: 2, cut: { rows: 2, inside: true } },
      { of: 'live feeds', times: 20, form: { emptyLines: true } },
      { times: 20, form: { pieces: true } },
      { of: 'all', times: 5, delayMs: 100 },
      { times: 3, answer: badGateway },
    ],
    history: { ...many, updates: 1, unusual: true },
    events: [...live, 'say', 'kill', 'write', 'start'],
  },
  {
    id: 'cluster-converges',
    rule: 'cluster-converges',
    title: 'A node lags behind, and shows an older state for a while.',
    treatments: [{ times: 3, earlierSince: true }],
    history: { ...few, updates: 1 },
    events: [...live, 'cut all connections'],
  },
  {
    id: 'cookie-authenticates/expired',
    rule: 'cookie-authenticates',
    title: 'The session cookie expires while a feed is open.',
    history: few,
    events: [...live, ...expiry, ...expiry],
    needs: 'cookies',
  },
  {
    id: 'cookie-authenticates/refused-login',
    rule: 'cookie-authenticates',
    title: 'The session cookie expires while a feed is open, and the server says 503 to the next login.',
    treatments: [{ of: 'logins', after: 1, times: 2, answer: refused(503, 'service_unavailable') }],
    history: few,
    events: [...live, ...expiry],
    needs: 'cookies',
  },
  {
    id: 'cookie-authenticates/max-age',
    rule: 'cookie-authenticates',
    title: 'The session ends while a feed is open, at the time that its cookie has given.',
    treatments: [{ of: 'logins', times: 1000, form: { maxAge: 2 } }],
    history: few,
    events: [...live, 'know', 'idle', 'let cookies end as they said', 'write'],
    needs: 'cookies',
  },
  {
    id: 'login-cookie/beside-another',
    rule: 'login-cookie',
    title: 'A proxy sets a cookie of its own before that of the session.',
    treatments: [{ of: 'logins', times: 1000, form: { otherCookie: true } }],
    history: few,
    events: live,
    needs: 'cookies',
  },
  {
    id: 'cookie-authenticates/restart',
    rule: 'cookie-authenticates',
    title: 'The server restarts with another secret, which ends all sessions.',
    history: few,
    events: [...live, 'know', 'idle', 'restart the server with another secret', 'write'],
    needs: 'cookies',
  },
  {
    id: 'basic-accepts/unusual-characters',
    rule: 'basic-accepts',
    title: 'The name and the password have characters that a URL must encode.',
    credentials: 'unusual',
    history: few,
    events: live,
  },
  {
    id: 'feed-complete/unusual-name',
    rule: 'feed-complete',
    title: 'The name of the database has characters that a URL must encode.',
    database: 'unusual',
    history: few,
    events: live,
  },
  {
    id: 'feed-complete/https',
    rule: 'feed-complete',
    title:
      'The server speaks https, with a certificate of an authority of its own, and its cookie is `Secure`.',
    https: true,
    treatments: [{ of: 'logins', times: 1000, form: { secureCookie: true } }],
    history: few,
    events: live,
  },
  ...(['an unknown certificate', 'the certificate of another host'] as const).map(
    (certificate): Scenario => ({
      id: `feed-live-converges/${certificate === 'an unknown certificate' ? 'impostor' : 'other-host'}`,
      rule: 'feed-live-converges',
      title: `Another server takes the address for a while, and shows ${certificate}: it must get no credentials.`,
      https: true,
      history: few,
      // A consumer that ends because it does not trust the server is right, and starts again.
      events: [...begin, `show ${certificate}`, 'terminate', 'write', 'start'],
    }),
  ),
  {
    id: 'feed-since-default/recreated',
    rule: 'feed-since-default',
    title:
      'The database is deleted and created again, so that a checkpoint is void: its seq means the start.',
    history: few,
    events: restart('delete the database', 'create the database'),
  },
  {
    id: 'feed-since-default/deleted',
    rule: 'feed-since-default',
    // The rules do not say who may create a database.
    level: 'SHOULD',
    title: 'The database is deleted, and created again later: the consumer should not create it.',
    history: few,
    // A consumer that ends because there is no database is right, and starts again.
    events: [...begin, 'delete the database', 'settle', 'terminate', 'create the database', 'write', 'start'],
  },
  {
    id: 'feed-since-default/refused',
    rule: 'feed-since-default',
    level: 'SHOULD',
    title: 'The database is deleted and created again, and the server refuses a seq of the earlier one.',
    refusesOtherSeqs: true,
    history: few,
    events: restart('delete the database', 'create the database'),
  },
  {
    id: 'feed-pending/filtered',
    rule: 'feed-pending',
    title:
      'With a filter, `pending` counts changes that the filter rejects; an empty response ends with the seq of such a change.',
    treatments: [{ times: 1000, form: { countsRejected: true } }],
    history: many,
    events: live,
    needs: 'selector',
  },
  {
    id: 'filter-selector/changed',
    rule: 'filter-selector',
    title: 'The consumer starts again with another selector, for which its checkpoint means nothing.',
    history: many,
    events: restart('change the selector'),
    needs: 'selector',
  },
];

/** For a consumer whose clock is fast: all others would be slow for it. */
export const fastScenarios: readonly Scenario[] = [
  {
    id: 'feed-live-converges/hour',
    rule: 'feed-live-converges',
    title: 'The server is away for an hour of the clock of the consumer (`--clock-rate`).',
    history: few,
    events: longAway,
  },
  {
    id: 'feed-live-converges/back-off',
    rule: 'feed-live-converges',
    // The replicator of CouchDB doubles its wait up to eight and a half hours.
    level: 'SHOULD',
    title: `The server is away for an hour of the clock of the consumer (\`--clock-rate\`), which should try again within ${mostWaitMinutes} minutes.`,
    history: few,
    events: longAway,
    mostWaitMs: mostWaitMinutes * 60_000,
  },
];

export const allScenarios: readonly Scenario[] = [...scenarios, ...fastScenarios];
