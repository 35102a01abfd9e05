/** Followers of the feed in plain Python: what is lawful passes, and each finding says what is wrong. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import anyTest from 'ava';
import { execa } from 'execa';
import { emptyFolder } from '../../reports/testing/folder.js';
import { findCauses } from '../../reports/causes.js';
import { runConsumer } from './run-consumer.js';

const file = fileURLToPath(new URL('testing/follower.py', import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;
/** Without Python, there is nothing to run. */
const test = hasPython ? anyTest.serial : anyTest.skip;

const follow = (args: readonly string[], only: readonly string[]) =>
  runConsumer({ command: ['python3', file, ...args], only: [...only], seed: 1, shrinkMs: 1, concurrency: 6 });

const liveConverges = (...variants: string[]): string[] =>
  variants.map((variant) => `feed-live-converges/${variant}`);

for (const [what, args, only] of [
  ['waits for 2, 4, 8 and 16 seconds', ['wait=2*2<60'], liveConverges('proxy', 'redirect', 'restart', 'cut')],
  ['waits for up to a minute, at random', ['wait=1*2<60+jitter'], liveConverges('proxy', 'restart', 'cut')],
  ['waits shortly twice, and then for 14 seconds', ['waits=0.3,0.2,14'], liveConverges('proxy', 'cut')],
  [
    'waits for 4, 8 and 16 seconds, and asks each second for life',
    ['pings', 'wait=4*2<60'],
    liveConverges('proxy'),
  ],
  ['takes 8 seconds to start', ['slow=8'], ['feed-since-resume']],
  [
    'takes two requests for each attempt and waits for 0.25 to 1.4 seconds',
    ['login', 'wait=0.25*1.4<1.4'],
    [...liveConverges('unavailable', 'rate-limit'), 'cookie-authenticates/restart'],
  ],
  ['logs in once', ['login=once'], liveConverges('restart', 'restart-at-work')],
  [
    'has two connections',
    ['two'],
    ['feed-latest', 'feed-deleted', ...liveConverges('restart', 'unavailable', 'rate-limit')],
  ],
  ['is careful', [], ['feed-since-default/*', 'basic-accepts/*', 'continuous-timeout/*']],
] as const) {
  test(`a follower that ${what} passes`, async (t) => {
    t.timeout(600_000);
    const { checks } = await follow(args, only);
    t.deepEqual(
      checks.filter(({ outcome }) => outcome !== 'pass').map(({ id, reason }) => `${id}: ${reason}`),
      [],
    );
  });
}

/** The examples, and how to make a command of each in a folder. */
const examples: readonly {
  readonly name: string;
  readonly language: string;
  readonly prepare: (example: string, folder: string) => Promise<readonly string[]>;
}[] = [
  {
    name: 'follower.py',
    language: 'python3',
    prepare: (example) => Promise.resolve(['python3', example]),
  },
  {
    name: 'follower.go',
    language: 'go',
    async prepare(example, folder) {
      await execa('go', ['build', '-o', join(folder, 'follower'), example]);
      return [join(folder, 'follower')];
    },
  },
  {
    name: 'Follower.java',
    language: 'javac',
    async prepare(example, folder) {
      await execa('javac', ['-d', folder, example]);
      return ['java', '-cp', folder, 'Follower'];
    },
  },
  {
    name: 'follower.rs',
    language: 'rustc',
    async prepare(example, folder) {
      await execa('rustc', ['-O', '-o', join(folder, 'follower'), example]);
      return [join(folder, 'follower')];
    },
  },
];

for (const { name, language, prepare } of examples) {
  const hasLanguage = spawnSync('which', [language]).status === 0;
  const testIf = hasLanguage ? anyTest.serial : anyTest.skip;
  testIf(`the example ${name} survives all scenarios`, async (t) => {
    t.timeout(900_000);
    const example = fileURLToPath(new URL(`../examples/consumer/${name}`, import.meta.url));
    const command = await prepare(example, await emptyFolder(t));
    const { checks } = await runConsumer({ command, seed: 1 });
    t.deepEqual(
      checks
        .filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped')
        .map(({ id, reason }) => `${id}: ${reason}`),
      [],
    );
  });
}

test('a follower that reads everything again is advised, not refused', async (t) => {
  const { checks } = await follow(['all'], ['feed-since-resume']);
  t.deepEqual(
    checks.map(({ id, outcome }) => [id, outcome]),
    [
      ['feed-since-resume', 'pass'],
      ['feed-since-resume/checkpoint', 'warn'],
    ],
  );
});

for (const [what, args, reason] of [
  [
    'does not flush its output',
    ['quiet'],
    'The consumer gets rows and has said nothing: does it flush its standard output?',
  ],
  [
    'says something else',
    ['words'],
    'The consumer gets rows and has said nothing like {"id":"doc-1","rev":"2-abc"}: its first line is a row',
  ],
  [
    'has a wrong password',
    ['stranger'],
    'The server refuses all feeds of the consumer: GET /db/_changes is answered with 401',
  ],
  [
    'has a wrong password, and asks for the greeting first',
    ['stranger', 'greets'],
    'The server refuses all feeds of the consumer: GET /db/_changes is answered with 401',
  ],
  [
    'logs in with a wrong password',
    ['stranger', 'login', 'greets'],
    'The server refuses all feeds of the consumer: POST /_session is answered with 401',
  ],
  ['sends no request', ['idle'], 'The consumer sends no request to the database in DOCFEED_DATABASE_URL'],
] as const) {
  test(`a follower that ${what} blocks all scenarios at once`, async (t) => {
    const { checks } = await follow(args, ['*']);
    t.deepEqual(
      [...new Set(checks.map((check) => `${check.outcome}: ${check.reason}`))],
      [`blocked: ${reason}`],
    );
  });
}

test('a leak of credentials is a finding of its own, beside a connection that falls silent', async (t) => {
  t.timeout(600_000);
  const { checks } = await follow(['redirects', 'deaf'], liveConverges('redirect', 'silent'));
  const causes = findCauses(checks);
  t.deepEqual(
    causes.map(({ lead, others }) => [lead.reason?.split(':')[0], others.length]),
    [
      ['The consumer does not know a document', 0],
      ['The consumer sends its credentials to another host', 0],
    ],
  );
  const events = causes[0]!.lead.counterexample!.timeline!.map(({ text }) => text);
  t.true(events.includes('from here on, the connection is silent'));
  t.regex(events.at(-1)!, /^docfeed has waited \d+ s without progress; the consumer waits for a response$/);
});

test('a follower that does not try again is not accused in a scenario about cookies, which it does not use', async (t) => {
  t.timeout(600_000);
  const { checks } = await follow(['ends'], ['cookie-authenticates/expired', 'feed-live-converges/restart']);
  t.deepEqual(
    checks.map(({ id, outcome }) => [id, outcome]),
    [
      ['feed-live-converges/restart', 'fail'],
      ['cookie-authenticates/expired', 'skipped'],
    ],
  );
});

test('a follower that does not try again is not accused of its cookies', async (t) => {
  t.timeout(600_000);
  const { checks } = await follow(['login=once', 'ends'], ['cookie-authenticates/*']);
  t.deepEqual(
    [...new Set(checks.map(({ outcome, reason }) => `${outcome}: ${reason}`))],
    [
      'skipped: The consumer goes wrong before a cookie that has expired is refused; other scenarios show why.',
    ],
  );
});

test('a follower that gives up while the server is away is not accused of its cookies', async (t) => {
  t.timeout(600_000);
  const { checks } = await follow(
    ['login=once', 'gives-up=2'],
    ['cookie-authenticates/expired', 'cookie-authenticates/restart'],
  );
  t.deepEqual(
    checks.map(({ id, outcome }) => [id, outcome]),
    [
      ['cookie-authenticates/expired', 'fail'],
      ['cookie-authenticates/restart', 'skipped'],
    ],
  );
});

test('a report has no part of the password, however the consumer writes it', async (t) => {
  const { checks } = await follow(['undecoded'], ['basic-accepts/*']);
  t.is(checks[0]!.outcome, 'fail');
  const { timeline } = checks[0]!.counterexample!;
  const line = 'stderr: [redacted]%20%2541:/%3F%23%5B%5D%40+%26%3D';
  t.is(timeline!.find(({ text }) => text === line)?.kind, 'error');
});

for (const coding of ['gzip', 'deflate']) {
  test(`a report shows what a login in ${coding} says, without the password`, async (t) => {
    const { checks } = await follow(['login=once', coding], ['cookie-authenticates/restart']);
    t.is(checks[0]!.outcome, 'fail');
    const { exchanges } = checks[0]!.counterexample!;
    const login = exchanges.find(({ request }) => request.path === '/_session')!;
    t.is(login.request.body, '{"name": "docfeed", "password": "[redacted]"}');
  });
}
