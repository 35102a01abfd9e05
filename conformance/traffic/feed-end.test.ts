/** When the end of a feed that passes is known to be its end. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { startProxy } from './start-proxy.js';

const row = '{"id":"a","seq":1,"changes":[{"rev":"1-a"}]}\r\n';
const end = '{"last_seq":1}\r\n';
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const head = (header: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${header}\r\n\r\n`;
const chunked = head('Transfer-Encoding: chunked');

/** Sends requests to a target that answers each as it says. @returns the outcome of the rule continuous-limit */
async function outcome(t: ExecutionContext, exchanges: readonly (readonly [string, string])[]) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const [, query] = /\?(\S*)/.exec(bytes.toString())!;
      socket.end(exchanges.find(([sent]) => query === sent)![1]);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = await startProxy({ target, dialect: 'couchdb' });
  for (const [query] of exchanges) {
    await fetch(`${proxy.url}/db/_changes?${query}`).then((reply) => reply.text().catch(() => {}));
  }
  const { checks } = await proxy.stop();
  return checks.find(({ rule }) => rule === 'continuous-limit')!.outcome;
}

const feed = 'feed=continuous';

for (const [what, response] of [
  ['chunks', chunked + chunk(row) + chunk('\n') + chunk('')],
  ['a known length', head(`Content-Length: ${row.length}`) + row],
] as const) {
  test(`a continuous feed of ${what} has last_seq at its limit`, async (t) => {
    t.is(await outcome(t, [[`${feed}&limit=1`, response]]), 'fail');
  });
}

test('a continuous feed that may be cut, or that nothing says why it ends, needs no last_seq', async (t) => {
  const exchanges = [
    [`${feed}&limit=1`, chunked + chunk(row)],
    [`${feed}&limit=1&since=0`, head('Connection: close') + row],
    [`${feed}&limit=2`, chunked + chunk(row) + chunk('')],
    [`${feed}&limit=2&timeout=60000`, chunked + chunk(row) + chunk('')],
    [`${feed}&limit=2&timeout=1&heartbeat=60000`, chunked + chunk(row) + chunk('')],
    [`${feed}&timeout=1`, chunked + chunk(row) + chunk('')],
    // At least one is judged.
    [`${feed}&limit=1&timeout=1`, chunked + chunk(row) + chunk(end) + chunk('')],
  ] as const;
  t.is(await outcome(t, exchanges), 'pass');
});
