/** Hand-written reports for tests. */
import { summarize } from '../outcomes.js';
import type { CheckResult, Outcome, Report } from '../report.js';

/** The type with all its optional fields required, at any depth. */
export type Complete<Type> = Type extends (infer Element)[]
  ? Complete<Element>[]
  : Type extends object
    ? { [Key in keyof Type]-?: Complete<Type[Key]> }
    : Type;

/**
 * Text of an untrusted target that tries to break out of a page, a terminal, a Markdown file or an XML file, to give
 * commands to a CI system, and to have links.
 */
export const hostile = `</pre><script>document.title = 'owned'</script>"'&]]> ]]> \u001b[31m\u009b2J\u202e \0 | \`\`\` **bold** ##[add-mask]x ##vso[task.setvariable]y https://evil.test/x www.evil.test`;

/** A failed check with all its fields except `settings`, since a check that changes settings has no script. */
export const failed: Complete<
  Omit<CheckResult, 'settings' | 'missing' | 'exchange' | 'obstacle' | 'remedy' | 'traffic'>
> = {
  id: 'feed-last-seq/limit',
  rule: 'feed-last-seq',
  area: 'feed',
  level: 'MUST',
  rung: 5,
  statement: 'Without a filter `last_seq` is the seq of the last row.',
  source: ['2.5'],
  outcome: 'fail',
  reason: 'last_seq is not the seq of the last row: at $.last_seq expected "2-b", got "1-a".',
  durationMs: 812,
  cases: 17,
  requests: 63,
  resends: 1,
  lagging: 1,
  planned: 20,
  counterexample: {
    message: 'last_seq is not the seq of the last row',
    path: '$.last_seq',
    expected: '2-b',
    actual: { text: hostile },
    symptoms: {
      refusal: `the response 404 ${hostile}`,
      mediaType: `the media type ${hostile}`,
      mediaTypes: [`the media type ${hostile}`],
      differences: ['the rule `feed-last-seq`', hostile],
    },
    terms: [{ term: 'leaf revision', explanation: `A revision that no other revision replaces. ${hostile}` }],
    input: { history: [{ put: 'a', body: { text: hostile } }], request: { limit: 1 } },
    shrunk: false,
    violating: 0,
    writes: [
      {
        exchange: 0,
        id: `a ${hostile}`,
        kind: 'update',
        rev: '2-b',
        ancestors: ['1-a'],
        deleted: false,
        fields: { text: hostile },
      },
    ],
    trees: [
      {
        id: 'a',
        winner: '2-b',
        revisions: [
          { rev: '2-a', parent: '1-a', deleted: true },
          { rev: '2-b', parent: '1-a', deleted: false },
        ],
      },
    ],
    feed: {
      mode: 'continuous',
      events: [
        { atMs: 10, kind: 'row', id: 'a' },
        { atMs: 12, kind: 'heartbeat', id: '' },
        { atMs: 14, kind: 'end', id: '' },
      ],
      due: [{ atMs: 16, what: 'heartbeat', why: 'heartbeat=5', isMissed: true }],
    },
    frequency: { failed: 3, of: 4 },
    exchanges: [
      {
        request: {
          method: 'POST',
          path: '/db/_changes?limit=1',
          url: 'http://127.0.0.1:5985/other/_changes?limit=1',
          headers: { 'Content-Type': 'application/json' },
          body: '{}',
          truncated: false,
          as: 'admin',
          node: 0,
        },
        response: {
          status: 200,
          headers: { 'Content-Type': 'application/json' },
          chunks: [
            { atMs: 1.25, text: '{"results":[\r\n' },
            { atMs: 40, text: hostile },
          ],
          truncated: true,
          unfinished: false,
        },
        time: { startMs: 0, endMs: 41 },
      },
    ],
    timeline: [{ atMs: 12, text: `says ${hostile}`, kind: 'output' }],
    omitted: 0,
  },
  replay: "feed-last-seq/limit:7:0:1'",
};

/** Creates a result with only the required fields. */
export function result(id: string, outcome: Outcome, reason = `because ${id}`): CheckResult {
  return {
    id,
    rule: id.split('/')[0] ?? id,
    area: id.split('-')[0]!,
    level: outcome === 'warn' ? 'SHOULD' : 'MUST',
    outcome,
    ...(outcome === 'pass' ? {} : { reason }),
    durationMs: 5,
    cases: outcome === 'skipped' ? 0 : 1,
    requests: 2,
  };
}

/** A report that has every field of the format. */
export const complete: Complete<Omit<Report, 'target' | 'suite'>> & {
  target: Complete<Omit<Report['target'], 'consumer'>>;
  suite: Complete<Omit<Report['suite'], 'traffic'>> & Pick<Report['suite'], 'traffic'>;
} = {
  format: 'docfeed-report/2',
  suite: {
    version: '1.2.3',
    specification: '1.0.0',
    rules: 10,
    environment: { commit: '0123456789ab', node: 'v20.20.0', platform: 'linux x64', cores: 2 },
    unselected: [{ rule: 'cluster-converges', area: 'cluster' }],
    seed: -42,
    profile: 'default',
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 12_345,
    cost: {
      requests: 1234,
      databases: 56,
      sentBytes: 78_900,
      receivedBytes: 1_234_567,
      processorMs: 2345,
      waiting: 0.67,
    },
    shard: { index: 1, count: 2 },
    options: ['--configure', '--target', 'a file.yaml'],
    stopped: 'The target stopped responding.',
  },
  target: {
    url: 'http://127.0.0.1:5984/',
    greeting: { couchdb: 'Welcome', version: '3.5.0', vendor: { name: 'An <i>Example</i>' } },
    dialect: 'couchdb',
    version: '3.5.0',
    capabilities: [
      { name: 'functions', available: true, how: 'a view was run', undecided: false, remedy: '' },
      {
        name: 'cluster',
        available: false,
        how: 'one URL was given',
        undecided: false,
        remedy: 'pass the URLs of several nodes',
      },
      {
        name: 'jwt-hmac',
        available: false,
        how: 'no key is known',
        undecided: false,
        remedy: 'use --configure',
      },
    ],
    provided: ['jwt_auth/required_claims'],
    endpoints: [
      {
        operation: 'GET /{db}/_changes',
        mode: 'longpoll',
        state: 'refused',
        status: 403,
        violatedBy: ['feed-last-seq/limit'],
      },
    ],
  },
  warnings: ['The target has no users database.'],
  checks: [
    {
      ...failed,
      settings: { 'chttpd/changes_timeout': '700', 'jwt_auth/roles': null },
      missing: 'functions',
      remedy: 'remove feed-limit from baseline.yaml',
      obstacle: 'POST /{db}/_changes returns 404',
      exchange: failed.counterexample.exchanges[0]!,
      traffic: { exchanges: 3, judged: hostile, rest: hostile },
    },
  ],
  observations: [{ id: 'anonymous session', value: { status: 200, name: null } }],
  summary: { pass: 0, fail: 1, warn: 0, known: 0, skipped: 0, blocked: 0, inconclusive: 0, error: 0 },
};

/** Creates a report of the checks with a matching summary. */
export function reportOf(checks: CheckResult[], changes: Partial<Report> = {}): Report {
  const suite = { ...complete.suite, stopped: undefined };
  return { ...complete, suite, checks, summary: summarize(checks), ...changes };
}

const endpoints: Report['target']['endpoints'] = [
  { operation: 'GET /', state: 'there', violatedBy: [] },
  { operation: 'GET /_session', state: 'missing', status: 404, violatedBy: [] },
  { operation: 'GET /{db}/_changes', mode: 'normal', state: 'there', violatedBy: ['feed-last-seq/limit'] },
  { operation: 'GET /{db}/_changes', mode: 'eventsource', state: 'ignored', violatedBy: [] },
  { operation: 'POST /{db}/_changes', mode: 'normal', state: 'refused', status: 403, violatedBy: [] },
  { operation: 'PUT /{db}', state: 'there', violatedBy: [] },
  { operation: 'PUT /_users/org.service.user:{username}', state: 'there', violatedBy: [] },
];

/** A report with every outcome. */
export const sample: Report = reportOf(
  [
    result('root-greeting', 'pass'),
    failed,
    { ...result('proxy-secret-recommended', 'warn'), settings: { [hostile]: hostile, 'a/b': null } },
    result('root-vendor', 'known'),
    { ...result('jwt-accepts', 'skipped', 'The target does not offer "jwt-hmac".'), missing: 'jwt-hmac' },
    { ...result('jwt-alg-bound', 'skipped', 'The target does not offer "jwt-hmac".'), missing: 'jwt-hmac' },
    result('login-cookie', 'blocked'),
    result('continuous-timeout', 'inconclusive'),
    result('feed-limit', 'error'),
  ],
  { target: { ...complete.target, endpoints } },
);

type Exchange = NonNullable<CheckResult['counterexample']>['exchanges'][number];

function exchange(path: string, startMs: number, sent: object | undefined, received: unknown): Exchange {
  return {
    request: {
      method: sent === undefined ? 'GET' : 'POST',
      path,
      headers: { accept: 'application/json' },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      as: 'admin',
    },
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      chunks: [{ atMs: 5, text: JSON.stringify(received) }],
    },
    time: { startMs, endMs: startMs + 5 },
  };
}

const database = '/docfeed-0123abcd-1';
const withoutPending = exchange(`${database}/_changes`, 0, undefined, { results: [], last_seq: 0 });

/** Three failures with two causes. The first has a conflict and a continuous feed. */
export const feedReport: Report = reportOf([
  {
    ...failed,
    id: 'heartbeat-lines',
    rule: 'heartbeat-lines',
    area: 'modes',
    counterexample: {
      message: 'The target does not send one heartbeat in every period',
      path: 'the continuous feed',
      expected: '100 ms between two heartbeats',
      actual: 'a leaf revision',
      exchanges: [
        exchange(`${database}/_bulk_docs`, 0, { docs: [{ _id: 'doc-0', n: 1 }] }, [
          { ok: true, id: 'doc-0', rev: '1-a' },
        ]),
        exchange(
          `${database}/_bulk_docs`,
          6,
          { docs: [{ _id: 'doc-0', _rev: '1-b', _revisions: { start: 1, ids: ['b'] } }], new_edits: false },
          [],
        ),
        {
          ...exchange(`${database}/_changes?feed=continuous&heartbeat=100`, 20, undefined, undefined),
          response: {
            status: 200,
            headers: {},
            chunks: [
              { atMs: 110, text: '\n' },
              { atMs: 130, text: '{"seq":3,"id":"doc-0","changes":[{"rev":"1-b"}]}\n' },
            ],
            unfinished: true,
          },
          time: { startMs: 20, endMs: 420 },
        },
        exchange(`${database}/_bulk_docs`, 130, { docs: [{ _id: 'doc-0', _rev: '1-a', _deleted: true }] }, [
          { ok: true, id: 'doc-0', rev: '2-c' },
        ]),
      ],
      violating: 2,
      writes: [
        { exchange: 0, kind: 'create', rev: '1-a', ancestors: [], deleted: false, fields: { n: 1 } } as const,
        { exchange: 1, kind: 'replicate', rev: '1-b', ancestors: [], deleted: false, fields: {} } as const,
        { exchange: 3, kind: 'delete', rev: '2-c', ancestors: ['1-a'], deleted: true, fields: {} } as const,
      ].map((write) => ({ id: 'doc-0', ...write, ancestors: [...write.ancestors] })),
      trees: [
        {
          id: 'doc-0',
          winner: '1-b',
          revisions: [
            { rev: '1-a', deleted: false },
            { rev: '1-b', deleted: false },
            { rev: '2-c', parent: '1-a', deleted: true },
          ],
        },
      ],
      feed: {
        mode: 'continuous',
        events: [
          { atMs: 130, kind: 'heartbeat' },
          { atMs: 150, kind: 'row', id: 'doc-0' },
        ],
        due: [
          { atMs: 120, what: 'heartbeat', why: 'heartbeat=100' },
          { atMs: 250, what: 'heartbeat', why: 'heartbeat=100', isMissed: true },
          { atMs: 350, what: 'heartbeat', why: 'heartbeat=100', isMissed: true },
        ],
      },
    },
  },
  ...['feed-shape', 'feed-pending'].map((rule) => ({
    ...failed,
    id: rule,
    rule,
    counterexample: {
      message: `pending is missing, says ${rule}`,
      path: '$.pending',
      expected: 'a number',
      symptoms: {
        mediaTypes: [],
        differences: [`the rule \`${rule}\``, 'no `pending` in the response to `/{db}/_changes`'],
      },
      exchanges: [
        withoutPending,
        exchange(`${database}/_changes?since=0`, 6, undefined, { results: [], last_seq: 7 }),
      ],
      violating: 0,
    },
  })),
]);
