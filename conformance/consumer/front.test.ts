import { once } from 'node:events';
import { connect as connectPlainly } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import test from 'ava';
import { served } from '../testing/server.js';
import { makeCertificates } from './certificates.js';
import { Front, ownAddress } from './front.js';

test('a connection whose handshake began before another server took the address is one to the server', async (t) => {
  const { url } = await served(t, (_, response) => response.end('right'));
  const certificates = await makeCertificates(ownAddress);
  const front = new Front([], certificates);
  front.upstream = new URL(url);
  await front.listen();
  t.teardown(() => front.stop());
  const port = Number(new URL(front.url).port);
  const send = async (socket = connectPlainly(port, ownAddress)) => {
    const secure = connect({
      socket,
      host: ownAddress,
      ca: [certificates.authority, certificates.unknown.cert],
    });
    secure.write('GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Basic YTpi\r\nConnection: close\r\n\r\n');
    return text(secure);
  };
  const early = connectPlainly(port, ownAddress);
  await once(early, 'connect');
  // The front has accepted the early connection before this one.
  t.regex(await send(), /right$/);
  front.startImpostor(certificates.unknown);
  t.regex(await send(early), /right$/);
  t.is(front.leakedTo, undefined);
  t.regex(await send(), /^HTTP\/1\.1 503/);
  t.is(front.leakedTo, 'a server with another certificate');
});

for (const [given, expected] of [
  ['heartbeat=1000&since=0', 'heartbeat=17&since=0'],
  ['heartbeat=true', 'heartbeat=1000'],
  ['timeout=90000', 'timeout=1500'],
  ['since=now', 'since=now'],
] as const) {
  test(`the periods of a fast clock are as short for the server: ${given}`, async (t) => {
    const { url } = await served(t, ({ url: path }, response) => response.end(path));
    const front = new Front([], undefined, 60);
    front.upstream = new URL(url);
    await front.listen();
    t.teardown(() => front.stop());
    const response = await fetch(`${front.url}/db/_changes?${given}`);
    t.is(await response.text(), `/db/_changes?${expected}`);
  });
}
