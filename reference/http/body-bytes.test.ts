/** Bodies that arrive slowly, in part, or never. */
import { once } from 'node:events';
import { createServer, request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Boom } from '@hapi/boom';
import test, { type ExecutionContext } from 'ava';
import { readBytes } from './body-bytes.js';

/** Waits until the whole body is there, before anybody reads it. */
async function arrival(request: IncomingMessage): Promise<void> {
  while (!request.complete) await setImmediate();
}

/** Starts a server that responds with the status of reading the body, and begins a request to it. */
async function begin(
  t: ExecutionContext,
  headers: Record<string, string> = {},
  { maxBytes = 1000, timeoutMs = 600_000, isWhole = false } = {},
) {
  const outcomes: number[] = [];
  const server = createServer((request, response) => {
    void (isWhole ? arrival(request) : Promise.resolve())
      .then(() => readBytes(request, maxBytes, { timeoutMs }))
      .then(
        ({ length }) => ({ status: 200, body: `${length}` }),
        (error: Boom) => ({ status: error.output.statusCode, body: error.message }),
      )
      .then(({ status, body }) => {
        outcomes.push(status);
        response.writeHead(status).end(body);
        server.emit('outcome');
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const request = send({ port, method: 'POST', headers });
  request.on('error', () => {});
  return { server, request, outcomes };
}

const responseTo = async (request: ClientRequest) => {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return [response.statusCode, await text(response)];
};

const large = Buffer.alloc(1_000_000, 'x');
const compressed = { 'content-encoding': 'gzip' };

for (const [what, headers, first, rest] of [
  ['plain', {}, Buffer.from('x'), large],
  ['compressed', compressed, gzipSync(large).subarray(0, 20), gzipSync(large).subarray(20)],
] as const) {
  test(`a ${what} body that is late and then too large: 408, and nothing else happens`, async (t) => {
    const { request } = await begin(t, headers, { timeoutMs: 500 });
    request.write(first);
    t.deepEqual(await responseTo(request), [408, 'The request took too long to arrive.']);
    request.end(rest);
    await new Promise((resolve) => request.once('close', resolve));
  });

  test(`a ${what} body that ends in the middle: it is given up`, async (t) => {
    const { server, request, outcomes } = await begin(t, headers);
    request.write(first);
    await once(server, 'request');
    request.destroy();
    await once(server, 'outcome');
    t.deepEqual(outcomes, [408]);
  });
}

test('a body of unknown length that is too large: 413 once it has arrived', async (t) => {
  const { request, outcomes } = await begin(t);
  request.write(large);
  t.deepEqual(outcomes, []);
  request.end();
  t.deepEqual(await responseTo(request), [413, 'the request entity is too large']);
});

test('a compressed body that is too large only when it is decompressed: 413 at once', async (t) => {
  // The request has ended long before so much is decompressed.
  const { request } = await begin(t, compressed, { maxBytes: large.length - 1 });
  request.end(gzipSync(large));
  t.deepEqual(await responseTo(request), [413, 'the request entity is too large']);
});

test('a compressed body that has arrived in time and takes longer to decompress is accepted', async (t) => {
  const length = 10_000_000;
  const { request } = await begin(t, compressed, { maxBytes: length, timeoutMs: 1, isWhole: true });
  request.end(gzipSync(Buffer.alloc(length)));
  t.deepEqual(await responseTo(request), [200, `${length}`]);
});

test('a compressed body without its end: 400', async (t) => {
  const { request } = await begin(t, compressed);
  request.end(gzipSync('hello').subarray(0, -4));
  t.deepEqual(await responseTo(request), [400, 'Invalid compressed payload']);
});
