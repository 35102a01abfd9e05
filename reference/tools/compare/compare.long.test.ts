import { readFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { execaNode } from 'execa';
import { admin, testServer } from '../../testing/server.js';
import { httpError, type ServerOptions } from '../../index.js';
import { compare } from './compare.js';
import {
  classifyDifferences,
  pageFile,
  readExpectedDifferences,
  renderPage,
} from './expected-differences.js';
import { readEntries } from './requests.js';

const couchdb = (t: ExecutionContext, options: ServerOptions = {}) =>
  testServer(t, { ...options, dialect: 'couchdb' });

test('two identical servers have no differences for all requests, and the created data is deleted', async (t) => {
  const servers = [await couchdb(t), await couchdb(t)] as const;
  const { vendors, differences } = await compare(
    [servers[0].url, servers[1].url],
    admin,
    await readEntries(),
  );
  t.deepEqual(differences, []);
  t.deepEqual(vendors, ['docfeed', 'docfeed']);
  for (const { asAdmin, reports } of servers) {
    t.deepEqual((await asAdmin('GET', '/_all_dbs')).json, ['_users']);
    t.like((await asAdmin('GET', '/_users')).json, { doc_count: 1 });
    t.deepEqual((await asAdmin('GET', '/_node/_local/_config/jwt_keys')).json, {});
    t.deepEqual(reports, []);
  }
});

test('a faulty server differs from a correct one', async (t) => {
  const correct = await couchdb(t);
  const faulty = await couchdb(t, {
    components: ({ handlers, rows, ...components }) => ({
      ...components,
      rows: rows.with({ renderRow: (...row) => ({ ...rows.renderRow(...row), changes: [] }) }),
      handlers: { ...handlers, getUp: () => Promise.reject(httpError(404, 'not_found', 'missing')) },
    }),
  });
  const { stdout, exitCode } = await command(correct.url, faulty.url, '--only', '{changes-limit*,up}');
  t.is(exitCode, 1);
  const lines = stdout.split('\n');
  t.true(lines.includes('changes-limit body.results.0.changes.0.rev: "1-a"  |  nothing'));
  t.true(lines.includes('up status: 200  |  404 "missing"'));
  t.deepEqual(
    lines.filter((line) => /^(changes-limit-word|up) /.test(line)),
    ['up status: 200  |  404 "missing"'],
    'equal responses are not reported, and only the status if it differs',
  );
});

test('an expected difference includes the values below its path, and is stale without a difference', (t) => {
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

test('expected differences refer to existing requests, and DIFFERENCES.md is up to date', async (t) => {
  const expected = await readExpectedDifferences();
  const entries = await readEntries();
  t.is(new Set(entries.map(({ name }) => name)).size, entries.length, 'names are unique');
  const everything = entries.map(({ name }) => ({ request: name, a: '', b: '' }));
  for (const { where } of expected.groups.flatMap(({ differences }) => differences))
    for (const [request, paths] of Object.entries(where))
      for (const path of paths) {
        const found = everything.map((one) => ({ ...one, path }));
        const one = [{ what: '', ours: '', couchdb: '', why: '', where: { [request]: [path] } }];
        t.deepEqual(classifyDifferences(found, one).stale, [], `${request} matches no request`);
      }
  t.is(await readFile(pageFile, 'utf8'), await renderPage(expected), 'npm run compare -- --write');
});

test('invalid arguments exit with 2', async (t) => {
  for (const args of [[], ['nonsense', 'http://127.0.0.1:1']]) {
    const { exitCode, stderr, stdout } = await command(...args);
    t.is(exitCode, 2);
    t.regex(stderr, /URLs are required|not a URL/);
    t.is(stdout, '');
  }
});

async function command(...args: string[]) {
  const options = { reject: false, env: { DOCFEED_ADMIN: 'admin:secret' } };
  return execaNode(new URL('main.js', import.meta.url), args, options);
}
