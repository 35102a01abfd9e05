/** Careful consumers, and weak ones: each is a careful one with one classic bug. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyFolder } from '../../../reports/testing/folder.js';

export const carefulConsumer = fileURLToPath(new URL('../../examples/consumer/follower.js', import.meta.url));

export const carefulReplicator = fileURLToPath(new URL('replicator.js', import.meta.url));

export interface WeakConsumer {
  /** What the consumer does wrong. */
  readonly bug: string;
  /** The rule or scenarios that must find it. */
  readonly foundBy: RegExp;
  /** Other scenarios that may find it, always or by chance, as where a kill or a restart comes at such a moment. */
  readonly mayBeFoundBy?: RegExp;
  /** Whether it is a replicator. */
  readonly replicates?: true;
  /** Texts of the careful consumer and what replaces them. */
  readonly changes: readonly (readonly [careful: string, weak: string])[];
}

/** Reads what there is in one response of normal mode, at the start and after each error, and follows the feed then. */
const readsFirst = (take: string): WeakConsumer['changes'] => [
  ['let attempts = 0;', "let attempts = 0;\nlet feedMode = 'normal';"],
  ["feed: 'continuous'", 'feed: feedMode'],
  ['console.error(error.message);', "feedMode = 'normal';"],
  [
    "let rest = '';",
    `if (feedMode === 'normal') {
    let text = '';
    for await (const part of feed) text += part;
    const { results, last_seq, pending } = JSON.parse(text);
    feedMode = 'continuous';
    ${take}
    return;
  }
  let rest = '';`,
  ],
];

/** Reads an event stream. `data` has the lines of an event that has not ended. */
const readsEvents = (eventsIn: string, split = '/\\r\\n|\\r|\\n/'): WeakConsumer['changes'] => [
  ["feed: 'continuous'", "feed: 'eventsource'"],
  ["let rest = '';", "let rest = '';\n  const data = [];"],
  ["(rest + part).split('\\n')", `(rest + part).replace(/^\\ufeff/, '').split(${split})`],
  ["lines.filter((line) => line.trim() !== '')", 'eventsIn(lines, data)'],
  ['async function work(', `function eventsIn(lines, data) {${eventsIn}}\n\nasync function work(`],
];

/** The careful consumer, which reads an event stream. */
export const carefulOfEvents: WeakConsumer = {
  bug: 'has none',
  foundBy: /^$/,
  changes: readsEvents(`
  return lines.flatMap((line) => {
    const [, text] = /^data: ?(.*)$/s.exec(line) ?? [];
    if (text !== undefined) data.push(text);
    const event = line === '' ? data.splice(0).join('\\n') : '';
    return event === '' ? [] : [event];
  });
`),
};

/** The consumer is stopped while it may be at work. */
const stopped = /^feed-idempotent\/killed|^feed-seq-any-json\//;

export const weakConsumers: readonly WeakConsumer[] = [
  {
    bug: 'trusts order: what comes before the last row that it worked on is done',
    foundBy: /^feed-partial-order$/,
    changes: [
      ...readsFirst(`const done = results.findLastIndex((row) => keyOf(row) === globalThis.last) + 1;
    if (results.length > 0) await take([...results.slice(done), results.at(-1)], last_seq);`),
      ['async function take(rows) {', 'async function take(rows, seq) {'],
      [
        'since = rows.at(-1).seq;',
        `globalThis.last = keyOf(rows.at(-1));
  // Only after a response of normal mode.
  since = seq ?? since;`,
      ],
      [
        'async function work(',
        'function keyOf({ id, changes }) {\n  return id + JSON.stringify(changes);\n}\n\nasync function work(',
      ],
    ],
  },
  {
    bug: 'stores the last seq before the work is done',
    foundBy: /^feed-idempotent\/killed$/,
    mayBeFoundBy: stopped,
    changes: [
      ['for (const row of rows) await work(row);\n', ''],
      [
        'await rename(`${checkpointFile}.new`, checkpointFile);',
        `await rename(\`\${checkpointFile}.new\`, checkpointFile);
  for (const row of rows) {
    if (rows.length < 100) await pause(50);
    await work(row);
  }`,
      ],
    ],
  },
  {
    bug: 'stores the last seq before it says all rows at once',
    foundBy: /^feed-idempotent\/killed-at-rows$/,
    mayBeFoundBy: stopped,
    changes: [
      ['for (const row of rows) await work(row);\n', ''],
      [
        'await rename(`${checkpointFile}.new`, checkpointFile);',
        `await rename(\`\${checkpointFile}.new\`, checkpointFile);
  await pause(40);
  await Promise.all(rows.map(work));`,
      ],
    ],
  },
  {
    bug: 'stores the last seq before it says the rows one after the other',
    foundBy: /^feed-idempotent\/killed-at-checkpoints$/,
    mayBeFoundBy: stopped,
    changes: [
      ['for (const row of rows) await work(row);\n', ''],
      [
        'await rename(`${checkpointFile}.new`, checkpointFile);',
        'await rename(`${checkpointFile}.new`, checkpointFile);\n  for (const row of rows) await work(row);',
      ],
    ],
  },
  {
    bug: 'stores its checkpoint before it copies',
    replicates: true,
    foundBy: /^feed-idempotent\/killed-at-(checkpoints|start)$/,
    // Whatever breaks a copy, or stops the replicator meanwhile.
    mayBeFoundBy:
      /^feed-idempotent\/killed|^feed-seq-any-json\/|^cluster-converges$|\/restart|\/(failing-target|away|haste)$/,
    changes: [
      [
        'await copy(rows);\n  await store(rows.at(-1).seq);',
        'await store(rows.at(-1).seq);\n  await copy(rows);',
      ],
    ],
  },
  {
    bug: 'takes a target that has documents for a whole copy',
    replicates: true,
    foundBy: /^feed-idempotent\/killed-at-(copies|checkpoints)$/,
    // It has no checkpoint for another selector, and the function that refuses documents is one in the target.
    mayBeFoundBy: /^feed-idempotent\/killed|^filter-selector\/changed$|\/refused-documents$/,
    changes: [
      ['return { since: 0 };', "return { since: (await ask(target, '')).doc_count > 0 ? 'now' : 0 };"],
    ],
  },
  {
    bug: 'refuses to start since it was killed when it started last',
    foundBy: /^feed-idempotent\/killed-at-start$/,
    mayBeFoundBy: /^feed-idempotent\/killed/,
    changes: [
      ['import { readFile, rename, writeFile }', 'import { readFile, rename, rm, writeFile }'],
      [
        "let cookie = '';",
        `const lock = join(process.env.DOCFEED_STATE, 'starting');
await writeFile(lock, '', { flag: 'wx' });
let cookie = '';`,
      ],
      ["let rest = '';", "await rm(lock, { force: true });\n  let rest = '';"],
    ],
  },
  {
    bug: 'stops at an empty feed',
    foundBy: /^longpoll-timeout$/,
    mayBeFoundBy: /^continuous-timeout\/other-end$/,
    changes: [['await followFeed();', 'await followFeed();\n    if (attempts > 0) process.exit();']],
  },
  {
    bug: 'parses chunks as lines',
    foundBy: /^continuous-lines\/chunks$/,
    changes: [
      // A long response arrives in several chunks anyway.
      ...readsFirst('if (results.length > 0) await take(results);'),
      ['(rest + part)', 'part'],
      ['rest = lines.pop();', ''],
      [
        '.map((line) => JSON.parse(line))',
        `.flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    })`,
      ],
    ],
  },
  {
    bug: 'ignores deletions',
    foundBy: /^feed-deleted$/,
    mayBeFoundBy: /^feed-deleted\/recreated$|^feed-style-all\/resolved$/,
    changes: [['const line = JSON', 'if (deleted) return;\n  const line = JSON']],
  },
  {
    bug: 'takes a deleted document for deleted for ever',
    foundBy: /^feed-deleted\/recreated$/,
    changes: [
      [
        'const line = JSON',
        `globalThis.gone ??= new Set();
  if (globalThis.gone.has(id)) return;
  if (deleted) globalThis.gone.add(id);
  const line = JSON`,
      ],
    ],
  },
  {
    bug: 'takes no revision of a lower generation',
    foundBy: /^feed-style-all\/resolved$/,
    changes: [
      [
        'const line = JSON',
        `globalThis.generations ??= new Map();
  const generation = Number.parseInt(doc._rev);
  if (generation < globalThis.generations.get(id)) return;
  globalThis.generations.set(id, generation);
  const line = JSON`,
      ],
    ],
  },
  {
    bug: 'takes the members of documents for those of rows',
    foundBy: /^feed-row-shape\/other-members$/,
    changes: [
      [
        'async function work({ id, doc, deleted = false, changes }) {',
        `async function work(row) {
  const { id, doc, deleted = false, changes } = { ...row, ...row.doc };`,
      ],
    ],
  },
  {
    bug: 'takes each line of data for an event',
    foundBy: /^eventsource-stream\/fields$/,
    changes: readsEvents('return lines.flatMap((line) => /^data: ?(.+)$/s.exec(line)?.[1] ?? []);'),
  },
  {
    bug: 'ends lines of events at line feeds only',
    foundBy: /^eventsource-stream\/cr$/,
    mayBeFoundBy: /^eventsource-stream\/fields$/,
    changes: readsEvents('return lines.flatMap((line) => /^data: ?(.+)$/s.exec(line)?.[1] ?? []);', "'\\n'"),
  },
  {
    bug: 'ends an event at two line feeds',
    foundBy: /^eventsource-stream\/crlf$/,
    mayBeFoundBy: /^eventsource-stream\/cr$/,
    changes: readsEvents(
      `
  return lines.flatMap((event) => {
    const texts = event.split('\\n').flatMap((line) => /^data: ?(.*)$/s.exec(line)?.[1] ?? []);
    return texts.join('') === '' ? [] : [texts.join('\\n')];
  });
`,
      "'\\n\\n'",
    ),
  },
  {
    bug: 'expects results before last_seq',
    foundBy: /^feed-row-shape\/member-order$/,
    changes: readsFirst(`if (!text.startsWith('{"results":[')) process.exit();
    if (results.length > 0) await take(results);`),
  },
  {
    bug: 'refuses leaves with members that it does not know',
    foundBy: /^feed-row-shape\/other-members$/,
    changes: [
      [
        'const line = JSON',
        `if (changes.some((leaf) => Object.keys(leaf).length > 1)) process.exit();
  const line = JSON`,
      ],
    ],
  },
  {
    bug: 'does not escape the plus sign of a seq',
    foundBy: /^feed-seq-any-json\/unusual-string$/,
    changes: [['_changes?${query}', "_changes?${query.toString().replaceAll('%2B', '+')}"]],
  },
  {
    bug: 'keeps the revisions of documents in a plain object',
    foundBy: /^feed-row-shape\/similar-ids$/,
    changes: [
      ['const line = JSON', '((globalThis.known ??= {})[id] ??= []).push(doc._rev);\n  const line = JSON'],
    ],
  },
  ...[
    ['case', 'toLowerCase'],
    ['normal form', 'normalize'],
  ].map(([what, method]): WeakConsumer => ({
    bug: `takes two ids for one that differ in their ${what} only`,
    foundBy: /^feed-row-shape\/similar-ids$/,
    changes: [
      [
        'const line = JSON',
        `const ids = (globalThis.ids ??= new Map());
  const key = id.${method}();
  if (!ids.has(key)) ids.set(key, id);
  if (ids.get(key) !== id) return;
  const line = JSON`,
      ],
    ],
  })),
  {
    bug: 'refuses rows with members that it does not know',
    foundBy: /^feed-row-shape\/other-members$/,
    changes: [
      [
        'for (const row of rows) await work(row);',
        `const names = ['seq', 'id', 'changes', 'doc', 'deleted'];
  const unknown = rows.flatMap(Object.keys).find((name) => !names.includes(name));
  if (unknown) throw new Error('A row has an unknown member: ' + unknown);
  for (const row of rows) await work(row);`,
      ],
    ],
  },
  {
    bug: 'has a limit for the length of a line',
    foundBy: /^feed-row-shape\/large$/,
    changes: [
      [
        'rest = lines.pop();',
        `rest = lines.pop();
    if (rest.length > 500_000) process.exit();`,
      ],
    ],
  },
  {
    bug: 'compares seqs as numbers',
    foundBy: /^feed-seq-any-json\//,
    changes: [
      [
        'for (const row of rows) await work(row);',
        `for (const row of rows) {
    const position = Number.parseInt(row.seq);
    if (!(position >= (globalThis.position ?? 0))) continue;
    globalThis.position = position;
    await work(row);
  }`,
      ],
    ],
  },
  {
    bug: 'waits a second before each attempt, whatever the server says',
    foundBy: /^feed-live-converges\/insistent-limit$/,
    changes: [
      ['error.retryAfterMs ?? 0', '0'],
      ['Math.min(10 * 2 ** attempts, 5000)', '1000'],
    ],
  },
  {
    bug: 'gives up after five attempts',
    foundBy: /^feed-live-converges\/outage$/,
    // It does not understand the date. A server that starts again on a busy machine is away for as long.
    mayBeFoundBy: /\/(retry-date|away|haste)$|\/restart/,
    changes: [['await pause(Math.min', 'if (attempts > 5) process.exit();\n  await pause(Math.min']],
  },
  {
    bug: 'gives up when it has got no row for twenty seconds',
    foundBy: /^feed-live-converges\/away$/,
    changes: [
      [
        'attempts += 1;',
        `attempts += 1;
  if (attempts === 1) globalThis.triedAt = Date.now();
  if (Date.now() - globalThis.triedAt > 20_000) process.exit();`,
      ],
    ],
  },
  {
    bug: 'tries again at once, unless the server says when',
    foundBy: /^feed-live-converges\/haste$/,
    changes: [['Math.min(10 * 2 ** attempts, 5000)', '0']],
  },
  {
    bug: 'has a limit for the time of a response, however much of it arrives',
    foundBy: /^feed-live-converges\/long-response$/,
    changes: [
      ...readsFirst('if (results.length > 0) await take(results);'),
      [
        'const [response] = await once(',
        `setTimeout(() => outgoing.destroy(), 20_000);
  const [response] = await once(`,
      ],
    ],
  },
  {
    bug: 'takes a date in Retry-After for a number of seconds',
    foundBy: /^feed-live-converges\/retry-date$/,
    changes: [
      [
        "1000 * received['retry-after'] || undefined",
        "received['retry-after'] && 1000 * received['retry-after']",
      ],
      [
        'await pause(error.retryAfterMs ?? 0);',
        'await pause(error.retryAfterMs ?? 0);\n    if (error.retryAfterMs !== undefined) continue;',
      ],
    ],
  },
  {
    bug: 'copies documents without their attachments',
    foundBy: /^feed-row-shape\/attachments$/,
    replicates: true,
    changes: [
      [
        '({ ok }) => ok ?? []',
        '({ ok: { _attachments, ...doc } = {} }) => (doc._id === undefined ? [] : doc)',
      ],
    ],
  },
  {
    bug: 'moves its checkpoint although the target has failed',
    foundBy: /^feed-live-converges\/failing-target$/,
    mayBeFoundBy: /^feed-seq-any-json\/|^cluster-converges$|\/restart|\/(away|haste)$/,
    replicates: true,
    changes: [['await copy(rows);', 'await copy(rows).catch(() => {});']],
  },
  {
    bug: 'waits a second at most for its target',
    foundBy: /^feed-live-converges\/slow-target$/,
    replicates: true,
    changes: [
      ['3 * heartbeatMs);', "path.startsWith('/_bulk_docs') ? 1000 : 3 * heartbeatMs);"],
      ['await pause(error.retryAfterMs ?? 0);', "if (error.message.includes('silent')) process.exit(1);"],
    ],
  },
  {
    bug: 'gives up if its target refuses a document',
    foundBy: /^feed-live-converges\/refused-documents$/,
    replicates: true,
    changes: [
      ["await ask(target, '/_bulk_docs'", "const refused = await ask(target, '/_bulk_docs'"],
      [
        'docs, new_edits: false });',
        'docs, new_edits: false });\n  if (refused.length > 0) process.exit(1);',
      ],
    ],
  },
  {
    bug: 'takes a document that it has copied before for a reason to give up',
    foundBy: /^feed-idempotent\/stored-in-vain$/,
    // Rows come again.
    mayBeFoundBy:
      /^feed-idempotent\/|^feed-style-all|^feed-seq-any-json\/|^cluster-converges$|^feed-since-default\/|^filter-selector\/changed$|\/slow-target$/,
    replicates: true,
    changes: [
      [
        "await ask(target, '/_bulk_docs'",
        `const { rows: known } = await ask(target, '/_all_docs', 'POST', { keys: docs.map(({ _id }) => _id) });
  if (known.some(({ value }, index) => value?.rev === docs[index]._rev)) process.exit(1);
  await ask(target, '/_bulk_docs'`,
      ],
    ],
  },
  {
    bug: 'does not encode the name of its database',
    foundBy: /^feed-complete\/unusual-name$/,
    changes: [
      [
        'const { username, password, protocol, origin, pathname }',
        'const { username, password, protocol, origin, pathname: encoded }',
      ],
      ['const login = {', 'const pathname = decodeURIComponent(encoded);\nconst login = {'],
    ],
  },
  {
    bug: 'retries without waiting',
    foundBy: /^feed-live-converges\/(unavailable|rate-limit)$/,
    mayBeFoundBy: /\/(retry-date|insistent-limit|haste)$/,
    changes: [
      ['error.retryAfterMs ?? 0', '0'],
      ['Math.min(10 * 2 ** attempts, 5000)', '0'],
    ],
  },
  {
    bug: 'forgets style=all_docs',
    foundBy: /^feed-style-all$/,
    mayBeFoundBy: /^feed-style-all\/resolved$/,
    changes: [["style: 'all_docs',\n", '']],
  },
  {
    bug: 'reads everything again after a restart',
    foundBy: /^feed-since-resume\/checkpoint$/,
    changes: [['let since = await readCheckpoint();', 'let since = 0;']],
  },
  {
    bug: 'sends the seq of an earlier database again and again',
    foundBy: /^feed-since-default\/refused$/,
    changes: [['if (error.status === 400) since = 0;', '']],
  },
  {
    bug: 'does not decode the credentials of its URL',
    foundBy: /^basic-accepts\/unusual-characters$/,
    changes: [
      [
        '{ name: decodeURIComponent(username), password: decodeURIComponent(password) }',
        '{ name: username, password }',
      ],
    ],
  },
  {
    bug: 'knows the end of a feed by its text',
    foundBy: /^continuous-timeout\/other-end$/,
    changes: [
      ['({ id }) => id !== undefined', 'isRow'],
      [
        'async function work(',
        `function isRow(object) {
  if (JSON.stringify(object).startsWith('{"last_seq":')) return false;
  if (object.id === undefined) process.exit();
  return true;
}

async function work(`,
      ],
    ],
  },
  {
    bug: 'logs in only once',
    foundBy: /^cookie-authenticates\//,
    changes: [["if (error.status === 401) cookie = '';", '']],
  },
  {
    bug: 'drops its cookie at the end that it said, and gives up if the server wants one then',
    foundBy: /^cookie-authenticates\/max-age$/,
    changes: [
      [
        "cookie = session.split(';')[0];",
        `cookie = session.split(';')[0];
  const [, seconds] = /Max-Age=(\\d+)/.exec(session) ?? [];
  setTimeout(() => (cookie = 'none'), 1000 * seconds).unref();`,
      ],
      [
        "if (error.status === 401) cookie = '';",
        `if (error.status === 401) {
      if (cookie === 'none') process.exit();
      cookie = '';
    }`,
      ],
    ],
  },
  {
    bug: 'takes the first cookie for that of the session',
    foundBy: /^login-cookie\/beside-another$/,
    changes: [["(text) => text.startsWith('AuthSession=')", '() => true']],
  },
  {
    bug: 'refuses media types with a parameter',
    foundBy: /^feed-shape\/headers$/,
    changes: [
      [
        'if (status === 200) return',
        "if (received['content-type'].includes(';')) process.exit();\n  if (status === 200) return",
      ],
    ],
  },
  {
    bug: 'ends if it cannot log in again',
    foundBy: /^cookie-authenticates\/refused-login$/,
    changes: [
      [
        'await logIn();',
        `await logIn().catch((error) => {
      if (globalThis.hasLoggedIn) process.exit();
      throw error;
    });
    globalThis.hasLoggedIn = true;`,
      ],
    ],
  },
  {
    bug: 'takes the checkpoint of another selector',
    foundBy: /^filter-selector\/changed$/,
    changes: [['checkpoint.selector === selector', 'true']],
  },
  {
    bug: 'works only when nothing is pending',
    foundBy: /^feed-pending\/filtered$/,
    changes: readsFirst(`if (pending === 0 && results.length > 0) await take(results);
    else since = last_seq;`),
  },
  {
    bug: 'stops after some hours of heartbeats',
    foundBy: /^heartbeat-lines\/day$/,
    changes: [
      [
        'const lines = (rest',
        `globalThis.beats = part.trim() === '' ? (globalThis.beats ?? 0) + part.length : 0;
    if (globalThis.beats > 500) process.exit();
    const lines = (rest`,
      ],
    ],
  },
  {
    bug: 'speaks http to any server',
    foundBy: /^feed-complete\/https$/,
    mayBeFoundBy: /^feed-live-converges\/(impostor|other-host)$/,
    changes: [
      ["protocol === 'https:' ? https : http", 'http'],
      ['request(origin + path,', "request(origin.replace('https:', 'http:') + path,"],
    ],
  },
  {
    bug: 'does not send a cookie that is for https only',
    foundBy: /^feed-complete\/https$/,
    changes: [
      [
        "cookie = session.split(';')[0];",
        "cookie = session.includes('Secure') ? 'none' : session.split(';')[0];",
      ],
    ],
  },
  {
    bug: 'trusts any certificate',
    foundBy: /^feed-live-converges\/(impostor|other-host)$/,
    changes: [['timeout: 3 * heartbeatMs }', 'timeout: 3 * heartbeatMs, rejectUnauthorized: false }']],
  },
  {
    bug: 'takes the certificate of any host',
    foundBy: /^feed-live-converges\/other-host$/,
    changes: [
      ['timeout: 3 * heartbeatMs }', 'timeout: 3 * heartbeatMs, checkServerIdentity: () => undefined }'],
    ],
  },
  {
    bug: 'creates its database if there is none',
    foundBy: /^feed-since-default\/deleted$/,
    changes: [
      [
        "if (error.status === 401) cookie = '';",
        `if (error.status === 401) cookie = '';
    if (error.status === 404) await send('PUT', pathname).catch(() => {});`,
      ],
    ],
  },
  {
    bug: 'follows redirects with its credentials',
    foundBy: /^feed-live-converges\/redirect$/,
    changes: [
      [
        'response.destroy();',
        `response.destroy();
  if (received.location) await fetch(received.location, { headers });`,
      ],
    ],
  },
];

/** A connection is dead after three minutes of a fast clock: a machine may be busy for so many seconds. */
const patient = ['heartbeatMs = 1000', 'heartbeatMs = 60_000'] as const;

/** Only an hour shows their bugs. */
export const weakForAnHour: readonly WeakConsumer[] = [
  {
    bug: 'doubles its wait without a bound',
    foundBy: /^feed-live-converges\/back-off$/,
    changes: [patient, ['Math.min(10 * 2 ** attempts, 5000)', '10 * 2 ** attempts']],
  },
  {
    bug: 'ends after twenty attempts',
    foundBy: /^feed-live-converges\/(hour|back-off)$/,
    changes: [
      patient,
      ['await pause(Math.min', 'if (attempts > 20) process.exit();\n  await pause(Math.min'],
    ],
  },
  {
    bug: 'does nothing more when it has got no row for ten minutes',
    foundBy: /^feed-live-converges\/(hour|back-off)$/,
    changes: [
      patient,
      [
        'attempts += 1;',
        `attempts += 1;
  if (attempts === 1) globalThis.triedAt = Date.now();
  if (Date.now() - globalThis.triedAt > 600_000) await new Promise(() => setInterval(() => {}, 1000));`,
      ],
    ],
  },
];

/** Writes the program of a weak consumer to a file that exists during the test. */
export async function writeWeakConsumer(
  t: Parameters<typeof emptyFolder>[0],
  { bug, changes, replicates }: WeakConsumer,
): Promise<string> {
  const file = join(await emptyFolder(t), 'follower.mjs');
  let program = await readFile(replicates ? carefulReplicator : carefulConsumer, 'utf8');
  for (const [careful, weak] of changes) {
    if (!program.includes(careful)) throw new Error(`The careful consumer has no "${careful}" (${bug}).`);
    program = program.replace(careful, () => weak);
  }
  await writeFile(file, program);
  return file;
}
