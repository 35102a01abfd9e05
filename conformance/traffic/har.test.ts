/** Recordings that strangers bring: those of other tools, malformed ones, and requests that nobody here would send. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { emptyFolder } from '../../reports/testing/folder.js';
import { renderExplanation } from '../../reports/render/explain.js';
import { renderFirstProblem } from '../../reports/render/first-problem.js';
import { renderHtml } from '../../reports/render/html.js';
import { renderJunit } from '../../reports/render/junit.js';
import { renderMarkdown } from '../../reports/render/markdown.js';
import { formatNextStep } from '../../reports/render/next-step.js';
import { renderTerminal } from '../../reports/render/terminal.js';
import type { Report } from '../../reports/report.js';
import { Refusal } from '../engine/refusal.js';
import { judgeRecording } from './judge-recording.js';

const origin = 'http://db.example:5984';

interface Answer {
  readonly method?: string;
  /** A path, or a URL. */
  readonly url: string;
  readonly status?: number;
  readonly type?: string;
  /** Text, or a value for JSON. */
  readonly body: unknown;
  readonly sent?: unknown;
  /** Headers of the request. Default: `Accept` with any type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long it takes, in milliseconds, if the target itself ends the response. The requests come after a second each. */
  readonly endsAfter?: number;
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** An entry as browsers write it. The requests follow each other. */
const entryOf = (answer: Answer, index: number) => ({
  startedDateTime: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
  time: answer.endsAfter ?? 5,
  ...(answer.endsAfter !== undefined && { _isWhole: true }),
  request: {
    method: answer.method ?? 'GET',
    url: new URL(answer.url, origin).href,
    headers: Object.entries(answer.headers ?? { Accept: '*/*' }).map(([name, value]) => ({ name, value })),
    ...(answer.sent !== undefined && {
      postData: { mimeType: 'application/json', text: textOf(answer.sent) },
    }),
  },
  response: {
    status: answer.status ?? 200,
    headers: [
      { name: 'Content-Type', value: answer.type ?? 'application/json' },
      ...(answer.endsAfter === undefined ? [] : [{ name: 'Transfer-Encoding', value: 'chunked' }]),
    ],
    content: { size: 1, mimeType: '', text: textOf(answer.body) },
  },
});

const harOf = (answers: readonly Answer[]) => ({ log: { version: '1.2', entries: answers.map(entryOf) } });

async function fileOf(t: ExecutionContext, text: string): Promise<string> {
  const file = join(await emptyFolder(t), 'app.har');
  await writeFile(file, text);
  return file;
}

const judged = async (t: ExecutionContext, answers: readonly Answer[]): Promise<Report> =>
  judgeRecording(await fileOf(t, JSON.stringify(harOf(answers))), {});

const failedIn = ({ checks }: Report): string[] =>
  checks.filter(({ outcome }) => outcome === 'fail').map(({ rule }) => rule);

type Row = Readonly<Record<string, unknown>>;

const feed = (...results: Row[]) => ({
  results,
  last_seq: results.at(-1)?.['seq'] ?? 0,
  pending: 0,
});
const row = (id: string, seq: number, more: object = {}): Row => ({
  id,
  seq,
  changes: [{ rev: '1-a' }],
  ...more,
});
const liveAsDeleted = feed(row('a', 1, { deleted: false }));
const breaksDeleted = ['response-schema', 'feed-deleted'];

for (const [query, sent] of [
  ['?since=0'],
  ['?since=0&_nonce=5TUOxUATZhZA3haS'],
  ['?_=1700000000&_=1700000001'],
  ['?since=0&since=0'],
  ['?limit=5&limit=3'],
  ['?Limit=5'],
  ['?INCLUDE_DOCS=true&Style=all_docs'],
  ['?timeout=25000&style=all_docs&Last-Event-ID=7'],
  ['?filter=_doc_ids&cache=no', { doc_ids: ['a'], nonce: 1 }],
] as const) {
  test(`a request is judged, whatever else it has: ${query}`, async (t) => {
    const method = sent ? 'POST' : 'GET';
    const report = await judged(t, [{ method, url: `/db/_changes${query}`, body: liveAsDeleted, sent }]);
    t.deepEqual(failedIn(report), breaksDeleted);
  });
}

const withDoc = feed(row('a', 1, { doc: { _id: 'a', _rev: '1-a' } }));
const twoLeaves = feed(row('a', 1, { changes: [{ rev: '1-a' }, { rev: '1-b' }] }));

for (const [query, body, rules] of [
  // Servers differ in which of two values they use, and in whether they read names in another case.
  ['?include_docs=true&include_docs=false', withDoc, []],
  ['?include_docs=true&include_docs=false', feed(row('a', 1)), []],
  ['?Include_Docs=true', withDoc, []],
  ['?include_docs=true&Include_Docs=true', feed(row('a', 1)), ['feed-include-docs']],
  ['?STYLE=all_docs', twoLeaves, []],
  ['?style=all_docs&style=main_only', twoLeaves, []],
  ['?Filter=_design', feed(row('a', 1)), []],
  ['?limit=1&limit=2', feed(row('a', 1), row('b', 2)), []],
  ['?LIMIT=1', feed(row('a', 1), row('b', 2)), []],
  ['?Feed=continuous', '{"last_seq":0,"pending":0}\n', []],
  ['?feed=continuous&feed=normal', feed(row('a', 1)), []],
  ['?Seq_Interval=2', feed(row('a', 1), { id: 'b', changes: [{ rev: '1-a' }], seq: null }), []],
  // What the parameters do not decide is judged all the same.
  ['?Filter=_design&limit=1&LIMIT=1', feed(row('a', 1), row('b', 2)), ['feed-limit']],
  // A value that the service document does not have may mean anything.
  ['?limit=abc&_nonce=1', 'not JSON', []],
] as const) {
  test(`what several readings of a request allow is no violation: ${query} ${textOf(body)}`, async (t) => {
    t.deepEqual(failedIn(await judged(t, [{ url: `/db/_changes${query}`, body }])), rules);
  });
}

test('a browser may have left a feed before its last line', async (t) => {
  const body = `${JSON.stringify(row('a', 1))}\r\n`;
  const { log } = harOf([{ url: '/db/_changes?feed=continuous&limit=1', body }]);
  const [entry] = log.entries;
  entry!.response.headers.push({ name: 'Transfer-Encoding', value: 'chunked' });
  for (const [isWhole, rules] of [
    [undefined, []],
    [true, ['continuous-limit']],
  ] as const) {
    const har = { log: { ...log, entries: [{ ...entry, _isWhole: isWhole }] } };
    t.deepEqual(failedIn(await judgeRecording(await fileOf(t, JSON.stringify(har)), {})), rules);
  }
});

test('a row in an event of another type is one too many, unless it is in no message', async (t) => {
  const event = (id: string, type?: string): string =>
    `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(row(id, 1))}\nid: 1\n\n`;
  for (const [body, rules] of [
    [event('a') + event('a', 'change'), []],
    [event('a', 'change') + event('b') + event('a'), []],
    [`${event('a')}event: end\ndata: {"last_seq":1}\n\n${event('a', 'heartbeat')}`, []],
    [event('a') + event('b', 'heartbeat'), []],
    [event('a') + event('b', 'change'), ['eventsource-stream']],
  ] as const) {
    const answer = { url: '/db/_changes?feed=eventsource', type: 'text/event-stream', body };
    t.deepEqual(failedIn(await judged(t, [answer])), rules, body);
  }
});

const hasOneCopy = { url: '/db', body: { db_name: 'db', cluster: { n: 1 } } };
const write = (id: string): Answer => ({
  method: 'PUT',
  url: `/db/${id}`,
  sent: { n: 1 },
  status: 201,
  body: { ok: true, id, rev: '1-a' },
});

test('a page that starts at Last-Event-ID lacks nothing', async (t) => {
  for (const name of ['last-event-id', 'Last-Event-ID', 'LAST-EVENT-ID']) {
    const page = { url: `/db/_changes?feed=longpoll&limit=2&${name}=1`, body: feed(row('b', 2)) };
    const all = { url: '/db/_changes', body: feed(row('a', 1), row('b', 2)) };
    t.deepEqual(failedIn(await judged(t, [hasOneCopy, write('a'), write('b'), page, all])), [], name);
  }
});

test('what cannot be read is one finding: it may have been the row of a document that is missing then', async (t) => {
  const [a, b, c] = [row('a', 1), row('b', 2), row('c', 3)].map((one) => JSON.stringify(one));
  const event = (data: string, id: number): string => `data: ${data}\nid: ${id}\n\n`;
  const heartbeats = 'event: heartbeat\ndata: \n\n'.repeat(4);
  for (const [mode, type, body, rule] of [
    ['continuous', 'application/json', `${a}\r\n${b!.slice(1)}\r\n${c}\r\n\n\n\n\n`, 'continuous-lines'],
    [
      'eventsource',
      'text/event-stream',
      `${event(a!, 1)}${event(`${b}\ndata: ${c}`, 3)}${heartbeats}`,
      'eventsource-stream',
    ],
    ['normal', 'application/json', feed(row('a', 1), { id: 'b', seq: 2 }, row('c', 3)), 'feed-row-shape'],
  ] as const) {
    for (const since of [1, 3]) {
      const report = await judged(t, [
        hasOneCopy,
        ...['a', 'b', 'c', 'd'].map(write),
        { url: `/db/_changes?feed=${mode}`, type, body },
        { url: `/db/_changes?feed=longpoll&since=${since}`, body: feed(row('d', 4)) },
        // They are still there.
        { url: '/db/_changes', body: feed(...['a', 'b', 'c', 'd'].map((id, index) => row(id, index + 1))) },
      ]);
      const others = failedIn(report).filter((one) => one !== rule && one !== 'response-schema');
      t.deepEqual(others, [], `${mode}, since=${since}`);
      t.true(failedIn(report).includes(rule), mode);
    }
  }
});

const bySelector = { method: 'POST', url: '/db/_changes?filter=_selector' };
const asError = (error: string, reason: string) => ({ error, reason });
const page = (text: string) => ({ type: 'text/html', body: `<h1>Error</h1>${text}` });

for (const [what, answer, rules] of [
  ['a missing database', { status: 404, body: asError('not_found', 'Database does not exist.') }, []],
  ['a page of a gateway', { status: 404, ...page('No /db/_changes?filter=_selector here') }, []],
  ['a page for what is no JSON', { status: 400, ...page('Bad request'), sent: '{"selector":' }, []],
  ['an internal error', { status: 500, body: asError('timeout', 'Out of time.') }, []],
  ['a refusal of the caller', { status: 403, body: asError('forbidden', 'No selectors for you.') }, []],
  [
    'a parameter that may be wrong',
    { url: `${bySelector.url}&seq_interval=2`, status: 400, body: asError('bad', 'seq') },
    [],
  ],
  [
    'a missing selector by another status',
    { status: 404, body: asError('not_found', 'No selector.') },
    ['error-selector-missing'],
  ],
  [
    'a missing selector in a page',
    { status: 500, ...page('TypeError: selector is undefined') },
    ['error-selector-missing'],
  ],
] as const) {
  test(`an error of a feed by selector: ${what}`, async (t) => {
    t.deepEqual(failedIn(await judged(t, [{ ...bySelector, sent: {}, ...answer }])), rules);
  });
}

const notAcceptable = { status: 406, body: asError('not_acceptable', 'No such type.') };

for (const [accept, answer, rules] of [
  ['application/json', {}, ['feed-accept']],
  ['text/html, */*;q=0.8', {}, ['feed-accept']],
  ['application/json', { url: '/db/_changes?feed=eventsource' }, []],
  ['text/plain', { url: '/db/_changes?feed=continuous' }, []],
  ['text/plain, application/json', { url: '/db/_changes?feed=continuous' }, ['feed-accept']],
  ['application/json;q=0, */*', {}, []],
  ['application/json;version=2', {}, []],
  ['application/json', page('Not acceptable!'), []],
  ['application/json', { url: '/db/_changes?seq_interval=2' }, []],
] as const) {
  test(`a response is not acceptable to ${accept}, ${JSON.stringify(answer)}`, async (t) => {
    const sent = { url: '/db/_changes', headers: { Accept: accept }, ...notAcceptable, ...answer };
    t.deepEqual(failedIn(await judged(t, [sent])), rules);
  });
}

for (const [query, reason, rules] of [
  ['feed=longpoll&heartbeat=true', 'heartbeat must be a number', ['heartbeat-true']],
  ['feed=longpoll&heartbeat=0', 'heartbeat must be positive', []],
  ['heartbeat=true', 'heartbeat without a mode that waits', []],
  ['feed=longpoll&heartbeat=true', 'No such sequence', []],
  ['feed=longpoll&heartbeat=true', 'Not allowed: /db/_changes?feed=longpoll&heartbeat=true', []],
  ['feed=longpoll&heartbeat=true&heartbeat=0', 'heartbeat must be positive', []],
] as const) {
  test(`a feed is refused: ${query}, ${reason}`, async (t) => {
    const answer = { url: `/db/_changes?${query}`, status: 400, body: asError('bad_request', reason) };
    t.deepEqual(failedIn(await judged(t, [answer])), rules);
  });
}

const waits = (query: string, ...times: readonly number[]): Answer[] =>
  times.map((endsAfter) => ({
    url: `/db/_changes?since=now&feed=longpoll&${query}`,
    body: feed(),
    endsAfter,
  }));
const both = 'heartbeat=100&timeout=500';
const breaksOverride = ['heartbeat-overrides'];

for (const [what, answers, rules] of [
  ['at its timeout', waits(both, 501, 520, 505), breaksOverride],
  ['at its timeout, with a later change', waits(`limit=5&${both}`, 501, 520, 505), breaksOverride],
  ['at its timeout twice', waits(both, 501, 520), []],
  ['not at its timeout each time', waits(both, 501, 250, 520, 505), []],
  ['later each time', waits(both, 930, 930, 930), []],
  ['at a time that others have in common', waits('heartbeat=100&timeout=3500', 3510, 3510, 3510), []],
  ['at its timeout, without a heartbeat', waits('timeout=500', 501, 520, 505), []],
  ['at its limit', waits(`limit=0&${both}`, 501, 520, 505), []],
  ['with a change', waits(both, 501, 520, 505).map((answer) => ({ ...answer, body: feed(row('a', 1)) })), []],
  [
    'with its database',
    [...waits(both, 501, 520), { method: 'DELETE', url: '/db', body: { ok: true } }, ...waits(both, 505)],
    [],
  ],
] as const) {
  test(`a long poll with a heartbeat ends ${what}`, async (t) => {
    t.deepEqual(failedIn(await judged(t, answers)), rules);
  });
}

for (const [sent, roles, rules] of [
  ['one, two,,two,', ['two', 'one'], []],
  ['_admin,one', ['one'], []],
  ['one,two', ['one'], ['proxy-userctx']],
  ['one', ['one', 'two'], ['proxy-userctx']],
  ['one two', ['one', 'two'], ['proxy-userctx']],
] as const) {
  test(`the roles of proxy headers: ${sent}, ${roles.join()}`, async (t) => {
    const headers = { 'X-Auth-CouchDB-UserName': 'anna', 'X-Auth-CouchDB-Roles': sent };
    const info = { authenticated: 'proxy', authentication_db: '_users', authentication_handlers: ['proxy'] };
    const body = { ok: true, userCtx: { name: 'anna', roles }, info };
    const greeting = {
      couchdb: 'Welcome',
      version: '3.5.0',
      uuid: 'ab',
      vendor: { name: 'a', version: '1' },
    };
    const answers = [
      { url: '/', body: greeting },
      { url: '/_session', body, headers },
    ];
    t.deepEqual(failedIn(await judged(t, answers)), rules);
  });
}

test('errors of operations that the service document does not show may have any shape', async (t) => {
  const inMaintenance = { url: '/_up', status: 404, body: { status: 'maintenance_mode' } };
  const replicated = { url: '/db/_revs_limit', status: 500, body: { message: 'no' } };
  t.deepEqual(failedIn(await judged(t, [inMaintenance, replicated])), []);
  const shown = { url: '/db/_changes', status: 404, body: { status: 'missing' } };
  t.deepEqual(failedIn(await judged(t, [inMaintenance, shown])), ['error-shape']);
});

test('a report about traffic has no word of what only a run has: seeds, profiles, cases, databases of its own', async (t) => {
  const violating = { url: '/docfeed-a/_changes', body: liveAsDeleted };
  const report = await judged(t, [violating, { ...violating, url: '/docfeed-a/_changes?since=0' }]);
  const check = report.checks.find(({ rule }) => rule === 'feed-deleted')!;
  const texts = {
    terminal: renderTerminal(report, { colour: false, verbose: true }),
    markdown: renderMarkdown(report),
    junit: renderJunit(report),
    page: renderHtml(report).replaceAll(/<(script|style)>.*?<\/\1>/gs, ''),
    explanation: renderExplanation(report, check, { colour: false }),
    firstProblem: renderFirstProblem(report, [check], { colour: false }).join('\n'),
  };
  for (const [name, text] of Object.entries(texts))
    t.notRegex(text, /\bseed|\bprofile|run has removed|\b0 requests|requests: 0/i, name);
  t.regex(texts.terminal, /^traffic +2 requests$/m);
  t.regex(texts.page, /judged in 2 exchanges/);
});

test('what was not judged says what one can do', async (t) => {
  const report = await judged(t, [{ url: '/db/_changes', body: feed(row('a', 1)) }]);
  const unseen = report.checks.find(({ rule }) => rule === 'login-cookie')!;
  t.like(unseen, { reason: 'Nothing that passed shows it.', remedy: 'let requests pass that show it' });
  const { reason, remedy } = report.checks.find(({ rule }) => rule === 'jwt-signature')!;
  t.regex(reason!, /^A passer-by cannot judge it\. Only who knows the keys/);
  t.regex(remedy!, /^run `docfeed check` /);
});

test('a rule of which only a part is judged never reads as a plain pass', async (t) => {
  const report = await judged(t, [{ url: '/db/_changes?limit=2', body: feed(row('a', 1)) }]);
  const limit = report.checks.find(({ rule }) => rule === 'feed-limit')!;
  t.is(limit.outcome, 'pass');
  t.like(limit.traffic, { exchanges: 1, judged: 'No response has more rows than `limit`.' });
  t.regex(limit.reason!, /^Only in part: No response has more rows than `limit`\. The rest is not judged\. /);
  t.regex(
    renderHtml(report),
    /<span class="badge pass partly">pass in part<\/span>[^\n]*<code>feed-limit<\/code>/,
  );
  t.regex(renderMarkdown(report), /^\| feed-limit \| 1 \| No response has more rows/m);
  t.regex(renderJunit(report), /<system-out>pass in part: Only in part: No response has more rows/);
  t.regex(
    renderTerminal(report, { colour: false }),
    /\d+ pass \(\d+ only in part\)[^]*verdict +Whatever was judged of the rules holds\.$/m,
  );
});

test('what the user can say of the target so that more is judged is the next step', async (t) => {
  const feeds = [{ url: '/db/_changes', body: feed(row('a', 1)) }];
  const next = async (answers: readonly Answer[]) => formatNextStep(await judged(t, answers))!;
  const needsCopy = /need single-copy: use --single-copy, if the target has one copy of each database$/;
  t.regex(await next(feeds), needsCopy);
  t.notRegex(await next([hasOneCopy, ...feeds]), needsCopy);
  const pending = (await judged(t, feeds)).checks.find(({ rule }) => rule === 'feed-pending')!;
  t.regex(pending.reason!, /To have more of it judged, use --single-copy/);
});

test('a write counts as before a feed if it ended before, as far as the digits of the times tell', async (t) => {
  const answers = [
    hasOneCopy,
    write('a'),
    { url: '/db/_changes?since=0', body: feed(row('b', 1)) },
    { url: '/db/a', body: { _id: 'a', _rev: '1-a' } },
  ];
  for (const [times, rules] of [
    [['10:00:01.010Z', '10:00:01.011Z'], []],
    [['10:00:01.010Z', '10:00:01.013Z'], ['feed-complete']],
    [['10:00:01.010000Z', '10:00:01.010700Z'], []],
    [['10:00:01.010000Z', '10:00:01.011000Z'], ['feed-complete']],
    [['10:00:01.0109990+00:00', '10:00:01.0118000+00:00'], ['feed-complete']],
  ] as const) {
    const { log } = harOf(answers);
    const all = ['10:00:00Z', ...times, '10:00:02Z'];
    const entries = log.entries.map((entry, index) => ({
      ...entry,
      startedDateTime: `2026-01-01T${all[index]}`,
      time: 0.8,
    }));
    const file = await fileOf(t, JSON.stringify({ log: { ...log, entries } }));
    t.deepEqual(failedIn(await judgeRecording(file, {})), rules, times.join(' '));
  }
});

test('the page says nothing of a database that the run has removed', async (t) => {
  const lost = { url: '/db/_changes?since=0', body: feed(row('b', 1)) };
  const still = { url: '/db/a', body: { _id: 'a', _rev: '1-a' } };
  const report = await judged(t, [hasOneCopy, write('a'), lost, still]);
  t.deepEqual(failedIn(report), ['feed-complete']);
  const page = renderHtml(report);
  t.regex(page, /The commands below send all requests/);
  t.notRegex(page, /has removed its database/);
});

test('a byte order mark is no part of a recording', async (t) => {
  const har = JSON.stringify(harOf([{ url: '/db/_changes', body: liveAsDeleted }]));
  t.deepEqual(failedIn(await judgeRecording(await fileOf(t, `\uFEFF${har}`), {})), breaksDeleted);
});

test('the only server of a recording is the target, and of several the user chooses', async (t) => {
  const [here, there] = ['/db/_changes', 'https://app.example/db/_changes'].map((url) => ({
    url,
    body: liveAsDeleted,
  }));
  t.is((await judged(t, [here!, { url: 'data:text/plain,a', body: '' }])).target.url, `${origin}/`);
  await t.throwsAsync(judged(t, [here!, there!]), {
    instanceOf: Refusal,
    message: /several servers; choose one with --target: http:\/\/db\.example:5984, https:\/\/app\.example$/,
  });
  const file = await fileOf(t, JSON.stringify(harOf([here!, there!])));
  t.is((await judgeRecording(file, { target: 'https://app.example' })).target.url, 'https://app.example/');
  await t.throwsAsync(judgeRecording(file, { target: 'http://other.example' }), {
    instanceOf: Refusal,
    message: /no request to http:\/\/other\.example\/; its servers: http:\/\/db\.example:5984, /,
  });
  await t.throwsAsync(judged(t, []), { instanceOf: Refusal, message: /app\.har has no HTTP request$/ });
});

/** An entry with one member replaced. */
function replaced(path: readonly string[], value: unknown): string {
  const har = harOf([{ method: 'POST', url: '/db/_changes', sent: {}, body: feed() }]);
  const place = path.slice(0, -1).reduce<object>((place, name) => Reflect.get(place, name) as object, har);
  Reflect.set(place, path.at(-1)!, value);
  return JSON.stringify(har);
}

const entry = ['log', 'entries', '0'] as const;

for (const [path, value, message] of [
  [['log'], [], '$.log must be an object'],
  [['log', 'entries'], {}, '$.log.entries must be an array'],
  [['log', 'entries', '0'], null, '$.log.entries[0] must be an object'],
  [['log', '_target'], 5, '$.log._target must be a URL'],
  [[...entry, 'startedDateTime'], 'yesterday', '$.log.entries[0].startedDateTime must be a time'],
  [[...entry, 'time'], '5', '$.log.entries[0].time must be a number'],
  [[...entry, 'comment'], 1, '$.log.entries[0].comment must be a string'],
  [[...entry, '_isWhole'], 'yes', '$.log.entries[0]._isWhole must be a boolean'],
  [[...entry, 'request'], 'GET /', '$.log.entries[0].request must be an object'],
  [[...entry, 'request', 'method'], 'GE T', '$.log.entries[0].request.method must be a method such as GET'],
  [[...entry, 'request', 'url'], '/db', '$.log.entries[0].request.url must be a URL'],
  [[...entry, 'request', 'headers'], { Accept: '*/*' }, '$.log.entries[0].request.headers must be an array'],
  [
    [...entry, 'request', 'headers', '0', 'value'],
    5,
    '$.log.entries[0].request.headers[0].value must be a string',
  ],
  [[...entry, 'request', 'postData'], '{}', '$.log.entries[0].request.postData must be an object'],
  [[...entry, 'request', 'postData', 'text'], {}, '$.log.entries[0].request.postData.text must be a string'],
  [[...entry, 'response'], undefined, '$.log.entries[0].response must be an object'],
  [[...entry, 'response', 'status'], '200', '$.log.entries[0].response.status must be an integer'],
  [[...entry, 'response', 'headers'], 'none', '$.log.entries[0].response.headers must be an array'],
  [[...entry, 'response', 'headers', '0'], 'a: b', '$.log.entries[0].response.headers[0] must be an object'],
  [
    [...entry, 'response', 'headers', '0', 'name'],
    null,
    '$.log.entries[0].response.headers[0].name must be a string',
  ],
  [[...entry, 'response', 'content'], 'text', '$.log.entries[0].response.content must be an object'],
  [
    [...entry, 'response', 'content', 'text'],
    ['a'],
    '$.log.entries[0].response.content.text must be a string',
  ],
  [
    [...entry, 'response', 'content', 'encoding'],
    64,
    '$.log.entries[0].response.content.encoding must be a string',
  ],
  [[...entry, 'response', 'content', 'size'], '1', '$.log.entries[0].response.content.size must be a number'],
] as const) {
  test(`a malformed member is named: ${message}`, async (t) => {
    const error = await t.throwsAsync(judgeRecording(await fileOf(t, replaced(path, value)), {}));
    t.true(error instanceof Refusal);
    t.true(error.message.endsWith(`app.har is not a HAR file: ${message}`), error.message);
  });
}

test('a member without a value may be null', async (t) => {
  for (const path of [
    ['comment'],
    ['request', 'headers'],
    ['request', 'postData'],
    ['request', 'postData', 'text'],
    ['response', 'headers'],
    ['response', 'content', 'text'],
    ['response', 'content', 'encoding'],
    ['response', 'content', 'size'],
  ]) {
    const file = await fileOf(t, replaced([...entry, ...path], null));
    await t.notThrowsAsync(judgeRecording(file, {}), path.join('.'));
  }
});

for (const [what, text, message] of [
  ['nothing', '', 'it is not JSON'],
  ['a cut recording', '{"log":{"entries":[', 'it is not JSON'],
  ['text', 'GET / HTTP/1.1', 'it is not JSON'],
  ['JSON that has too many levels', '['.repeat(100_000), 'it is not JSON with at most 100 levels and '],
] as const) {
  test(`a file is no recording: ${what}`, async (t) => {
    const error = await t.throwsAsync(judgeRecording(await fileOf(t, text), {}), { instanceOf: Refusal });
    t.true(error.message.includes(`app.har is not a HAR file: ${message}`), error.message);
  });
}
