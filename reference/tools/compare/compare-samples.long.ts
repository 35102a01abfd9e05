import { readFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { execaNode } from 'execa';
import { admin, testServer } from '../../testing/server.js';
import { httpError, type ServerOptions } from '../../index.js';
import { compare } from './compare.js';
import { classifyDifferences, readExpectedDifferences, renderPage } from './expected-differences.js';
import { formatPage, pageFile } from './differences-page.js';
import { readEntries } from './requests.js';

const couchdb = (t: ExecutionContext, options: ServerOptions = {}) =>
  testServer(t, { ...options, dialect: 'couchdb' });

test('two servers that are the same answer alike, and keep nothing of it', async (t) => {
  const servers = [await couchdb(t), await couchdb(t)] as const;
  const entries = (await readEntries()).filter((_, index) => index % 5 === 0);
  const { vendors, differences } = await compare([servers[0].url, servers[1].url], admin, entries);
  t.deepEqual(differences, []);
  t.deepEqual(vendors, ['docfeed', 'docfeed']);
  for (const { asAdmin, reports } of servers) {
    t.deepEqual((await asAdmin('GET', '/_all_dbs')).json, ['_users']);
    t.like((await asAdmin('GET', '/_users')).json, { doc_count: 0 });
    t.deepEqual((await asAdmin('GET', '/_node/_local/_config/jwt_keys')).json, {});
    t.deepEqual(reports, []);
  }
});

test('a server with a fault is told from one without', async (t) => {
  const sound = await couchdb(t);
  const faulty = await couchdb(t, {
    components: ({ handlers, renderRow, ...components }) => ({
      ...components,
      renderRow: (...row) => ({ ...renderRow(...row), changes: [] }),
      handlers: { ...handlers, getUp: () => Promise.reject(httpError(404, 'not_found', 'missing')) },
    }),
  });
  const { stdout, exitCode } = await command(sound.url, faulty.url, '--only', '{changes-limit*,up}');
  t.is(exitCode, 1);
  const lines = stdout.split('\n');
  t.true(lines.includes('changes-limit body.results.0.changes.0.rev: "1-a"  |  nothing'));
  t.true(lines.includes('up status: 200  |  404 "missing"'));
  t.deepEqual(
    lines.filter((line) => /^(changes-limit-word|up) /.test(line)),
    ['up status: 200  |  404 "missing"'],
    'what is the same is not told, and of different statuses nothing besides',
  );
});

test('a expected difference covers what is beneath its path, and is stale when nothing differs', (t) => {
  const expected = [
    { what: 'lists', ours: '', couchdb: '', why: '', where: { 'a*': ['body.rows', 'status'] } },
  ];
  const rows = { request: 'ab', path: 'body.rows.0.id', a: '1', b: '2' };
  const others = [
    { ...rows, request: 'b' },
    { ...rows, path: 'body.rowsize' },
  ];
  const { unexpected, stale } = classifyDifferences([rows, ...others], expected);
  t.deepEqual(unexpected, others);
  t.like(stale, [{ request: 'a*', path: 'status', what: 'lists' }]);
  t.is(stale.length, 1);
});

test('expected differences speak of requests of the list, and the pageFile says what they are', async (t) => {
  const expected = await readExpectedDifferences();
  const entries = await readEntries();
  t.is(new Set(entries.map(({ name }) => name)).size, entries.length, 'names are unique');
  const everything = entries.map(({ name }) => ({ request: name, a: '', b: '' }));
  for (const { where } of expected.groups.flatMap(({ differences }) => differences))
    for (const [request, aspects] of Object.entries(where))
      for (const path of aspects) {
        const found = everything.map((one) => ({ ...one, path }));
        const one = [{ what: '', ours: '', couchdb: '', why: '', where: { [request]: [path] } }];
        t.deepEqual(classifyDifferences(found, one).stale, [], `${request} fits no request`);
      }
  t.is(
    await readFile(pageFile, 'utf8'),
    await formatPage(renderPage(expected)),
    'npm run compare -- --write',
  );
});

test('a wrong command line ends with 2', async (t) => {
  for (const args of [[], ['nonsense', 'http://127.0.0.1:1']]) {
    const { exitCode, stderr, stdout } = await command(...args);
    t.is(exitCode, 2);
    t.regex(stderr, /give the URLs|not a URL/);
    t.is(stdout, '');
  }
});

async function command(...args: string[]) {
  const options = { nodeOptions: ['--import=tsx'], reject: false, env: { DOCFEED_ADMIN: 'admin:secret' } };
  return execaNode('reference/tools/compare/main.ts', args, options);
}
