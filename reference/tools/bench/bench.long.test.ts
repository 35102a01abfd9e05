import test, { type ExecutionContext } from 'ava';
import { execaNode } from 'execa';
import { benchFindings, ratioToFloor, speedup } from '../../../reports/tools/bench-report.js';
import { admin, testServer } from '../../testing/server.js';
import { bench, benchOwn } from './bench.js';
import { Client } from '../client.js';
import { rowsToOpenFeeds, workloadsOf, type Workload } from './workloads.js';

const once = { documents: 2, rounds: 1, seconds: 60, warmUpMs: 0, log: () => {} };

async function startTarget(t: ExecutionContext, title: string) {
  const server = await testServer(t, { dialect: 'couchdb' });
  const target = await new Client(server.url, title).logIn(admin);
  t.teardown(() => target.close());
  return { server, target };
}

test('each workload is measured on each server, and all data is deleted', async (t) => {
  const started = [await startTarget(t, 'one'), await startTarget(t, 'two'), await startTarget(t, 'three')];
  const workloads = workloadsOf({
    longpolls: 2,
    feeds: 10,
    writesToFeeds: 5,
    singleWrites: 5,
    bulkWrites: 1,
    sessions: 2,
  });
  const targets = started.map(({ target }) => target);
  const results = await bench(targets, workloads, { ...once, documents: 200 });
  t.deepEqual(
    results.map(({ name }) => name),
    workloads.map(({ name }) => name),
  );
  for (const { measured, rounds, floor, name } of results) {
    t.is(rounds, 1);
    t.deepEqual(Object.keys(measured), ['one', 'two', 'three']);
    for (const { median } of Object.values(measured)) t.true(median > 0);
    t.is(floor === undefined, workloads.find((workload) => workload.name === name)!.floor === undefined);
    if (floor) t.true(floor.median > 0);
  }
  for (const { server } of started) t.deepEqual((await server.asAdmin('GET', '/_all_dbs')).json, ['_users']);
});

test('results are compared with other servers, with the floor and with limits', async (t) => {
  const [own, other] = [await startTarget(t, 'own'), await startTarget(t, 'other')];
  const workload: Workload = {
    name: 'example',
    title: 'An example',
    unit: 'ms',
    measure: ({ target }) => Promise.resolve(target === own.target ? 10 : 40),
    floor: { title: 'nothing at all', maxRatio: 3, measure: () => Promise.resolve(2) },
  };
  const results = await bench([own.target, other.target], [workload], once);
  t.is(speedup(results[0]!, 'other'), 4);
  t.is(speedup(results[0]!, 'unknown'), undefined);
  t.is(ratioToFloor(results[0]!), 5);
  t.deepEqual(benchFindings({ results }), [
    'example takes 5.0 times as long as nothing at all; the limit is 3.',
  ]);
  t.deepEqual(benchFindings({ results: results.map((result) => ({ ...result, maxRatio: 5 })) }), []);

  const counted = {
    name: 'count',
    title: 'A count',
    unit: 'requests',
    measure: () => Promise.resolve(8),
  } as const;
  for (const [max, findings] of [
    [8, []],
    [7, ['count is 8 requests; the limit is 7.']],
  ] as const) {
    t.deepEqual(
      benchFindings({ results: await benchOwn(own.target, [{ ...counted, max }], once) }),
      findings,
    );
  }
});

test('work that another server does not support is not measured there', async (t) => {
  const [own, other] = [await startTarget(t, 'own'), await startTarget(t, 'other')];
  const workload: Workload = {
    name: 'example',
    title: 'An example',
    unit: 'ms',
    measure: ({ target }) =>
      target === own.target ? Promise.resolve(1) : target.read('GET', '/nowhere').then(() => 1),
  };
  const [result] = await bench([own.target, other.target], [workload], once);
  t.deepEqual(Object.keys(result!.measured), ['own']);
  t.regex(result!.failed!['other']!, /GET \/nowhere: status 404/);
});

test('feeds that do not end fail with the name of the server, and their database is deleted', async (t) => {
  const { server, target } = await startTarget(t, 'other');
  const workload: Workload = {
    name: 'feeds',
    title: 'Feeds',
    unit: 'ms/row',
    measure: () => rowsToOpenFeeds(target, { feeds: 3, writesToFeeds: 2, maxMs: 1 }),
  };
  await t.throwsAsync(bench([target], [workload], once), {
    message: /^other: 3 feeds did not end within 0.001 s$/,
  });
  t.deepEqual((await server.asAdmin('GET', '/_all_dbs')).json, ['_users']);
});

test('a wrong response fails the measurement, and all data is deleted', async (t) => {
  const { server, target } = await startTarget(t, 'other');
  const missing: Workload = {
    name: 'gone',
    title: 'A missing database',
    unit: 'ms',
    measure: () => target.read('GET', '/nowhere').then(() => 1),
  };
  await t.throwsAsync(bench([target], [missing], once), { message: /GET \/nowhere: status 404/ });
  t.deepEqual((await server.asAdmin('GET', '/_all_dbs')).json, ['_users']);
});

test('invalid arguments exit with 2', async (t) => {
  for (const [args, message] of [
    [['--against', 'nowhere'], /a name and a URL/],
    [['--only', 'nothing'], /no workload matches nothing/],
    [['--documents', '3'], /even number/],
  ] as const) {
    const main = new URL('main.js', import.meta.url);
    const { exitCode, stderr } = await execaNode({ reject: false })(main, args);
    t.is(exitCode, 2);
    t.regex(stderr, message);
  }
});
