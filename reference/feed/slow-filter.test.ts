/** When a response begins while the filter is evaluating the first batch, over HTTP. */
import { EventEmitter, once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import type { Filter } from '../filters/filter.js';
import { httpError } from '../http/errors.js';
import { basic, testServer } from '../testing/server.js';

const modes = ['normal', 'longpoll', 'continuous', 'eventsource'];

/** A server with one change, whose filter does not end until the test rejects its results. */
async function withSlowFilter(t: ExecutionContext) {
  const events = new EventEmitter<{ started: []; failed: []; closed: [] }>();
  const started = once(events, 'started');
  const closed = once(events, 'closed');
  const filter: Filter = {
    needsBodies: false,
    async accept() {
      events.emit('started');
      await once(events, 'failed');
      throw httpError(400, 'filter_error', 'The filter fails.');
    },
    close: () => events.emit('closed'),
  };
  const server = await testServer(t, {
    components: (components) => ({ ...components, createFilter: () => Promise.resolve(filter) }),
  });
  await server.asAdmin('PUT', '/recipes');
  await server.asAdmin('PUT', '/recipes/soup', {});
  const headers = basic(server.admin.name, server.admin.password);
  const open = (query: string, signal?: AbortSignal) =>
    server.open('GET', `/recipes/_changes?${query}`, { headers, signal });
  return { server, open, started, closed, fail: () => events.emit('failed') };
}

for (const feed of modes)
  test(`${feed}: a filter that fails on the first batch makes the response an error`, async (t) => {
    const { open, started, fail } = await withSlowFilter(t);
    const opened = open(`feed=${feed}&heartbeat=30000`);
    await started;
    fail();
    const response = await opened;
    t.is(response.statusCode, 400);
    t.deepEqual(await response.body.json(), { error: 'filter_error', reason: 'The filter fails.' });
  });

for (const feed of modes.slice(1))
  test(`${feed}: without past changes, a response begins before the filter is needed`, async (t) => {
    const { open } = await withSlowFilter(t);
    t.is((await open(`feed=${feed}&since=now`)).statusCode, 200);
  });

for (const feed of modes.slice(1))
  test(`${feed}: the first heartbeat does not wait for the filter`, async (t) => {
    const { open, fail } = await withSlowFilter(t);
    const response = await open(`feed=${feed}&heartbeat=20`);
    t.is(response.statusCode, 200);
    const iterator = (response.body.setEncoding('utf8') as AsyncIterable<string>)[Symbol.asyncIterator]();
    let received = '';
    while (!received.endsWith(feed === 'eventsource' ? 'data: \n\n' : '\n\n'))
      received += (await iterator.next()).value as string;
    fail();
    await t.throwsAsync(async () => {
      while (!(await iterator.next()).done);
    });
  });

test('a client that disconnects before the response begins ends the filter', async (t) => {
  const { server, open, started, closed, fail } = await withSlowFilter(t);
  const leaving = new AbortController();
  const opened = t.throwsAsync(open('', leaving.signal), { any: true });
  await started;
  leaving.abort();
  await opened;
  await closed;
  fail();
  t.is((await server.asAdmin('GET', '/recipes')).status, 200);
  t.deepEqual(server.reports, []);
});
