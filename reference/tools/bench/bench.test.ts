import test from 'ava';
import { admin, testServer } from '../../testing/server.js';
import { bench } from './bench.js';
import { BenchmarkTarget } from './target.js';
import { workloadsOf } from './workloads.js';

test('each workload is measured on both targets, and all data is deleted', async (t) => {
  const servers = [await testServer(t, { dialect: 'couchdb' }), await testServer(t, { dialect: 'couchdb' })];
  const targets = await Promise.all(servers.map(({ url }) => BenchmarkTarget.connect(url, url, admin)));
  t.teardown(() => Promise.all(targets.map((target) => target.close())));
  const workloads = workloadsOf({
    longpolls: 2,
    feeds: 10,
    writesToFeeds: 5,
    singleWrites: 5,
    bulkWrites: 1,
  });
  const results = await bench(targets, workloads, { documents: 40, rounds: 1, seconds: 60, log: () => {} });
  t.deepEqual(
    results.map(({ workload }) => workload),
    workloads.map(({ name }) => name),
  );
  for (const { measured, ratio } of results) {
    const [first, second] = measured.map((one) => one.median);
    t.true(first! > 0 && second! > 0);
    t.true([first! / second!, second! / first!].includes(ratio!));
  }
  for (const { asAdmin } of servers) t.deepEqual((await asAdmin('GET', '/_all_dbs')).json, ['_users']);
});

test('the ratio is the speedup of the first target for all units', async (t) => {
  const server = await testServer(t, { dialect: 'couchdb' });
  const [fast, slow] = [
    await BenchmarkTarget.connect('fast', server.url, admin),
    await BenchmarkTarget.connect('slow', server.url, admin),
  ];
  t.teardown(() => Promise.all([fast.close(), slow.close()]));
  const measuring = (unit: 'ms' | 'rows/s', ofFast: number, ofSlow: number) => ({
    name: unit,
    unit,
    measure: ({ target }: { target: BenchmarkTarget }) => Promise.resolve(target === fast ? ofFast : ofSlow),
  });
  const results = await bench([fast, slow], [measuring('ms', 10, 40), measuring('rows/s', 40, 10)], {
    documents: 2,
    rounds: 2,
    seconds: 60,
    log: () => {},
  });
  t.like(results, [
    { ratio: 4, rounds: 2 },
    { ratio: 4, rounds: 2 },
  ]);
});

test('a wrong response fails the measurement, and all data is deleted', async (t) => {
  const server = await testServer(t, { dialect: 'couchdb' });
  const target = await BenchmarkTarget.connect('other', server.url, admin);
  t.teardown(() => target.close());
  const missing = {
    name: 'gone',
    unit: 'ms',
    measure: () => target.send('GET', '/nowhere').then(() => 1),
  } as const;
  const options = { documents: 2, rounds: 1, seconds: 60, log: () => {} };
  await t.throwsAsync(bench([target], [missing], options), { message: /GET \/nowhere: status 404/ });
  t.deepEqual((await server.asAdmin('GET', '/_all_dbs')).json, ['_users']);
});
