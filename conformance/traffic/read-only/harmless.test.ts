import test from 'ava';
import { loadDescription } from '../../http/description.js';
import { connected, served } from '../../testing/server.js';
import { MayChangeSomething, onlyHarmless } from './harmless.js';

test('what may change something is not sent', async (t) => {
  const received: string[] = [];
  const { url } = await served(t, (request, response) => {
    received.push(`${request.method} ${request.url}`);
    request.resume();
    response.end('{}');
  });
  const client = connected(t, url).client(new AbortController().signal, [
    onlyHarmless(loadDescription('couchdb'), ['db', 'a/b']),
  ]);
  for (const [method, path] of [
    ['PUT', '/db'],
    ['DELETE', '/db'],
    ['PUT', '/db/a'],
    ['POST', '/db'],
    ['POST', '/db/_bulk_docs'],
    ['POST', '/db/_find'],
    ['PUT', '/db/_changes'],
    ['DELETE', '/_session'],
    ['PUT', '/_users/org.couchdb.user:a'],
    ['PUT', '/_node/_local/_config/a/b'],
    ['POST', '/_replicate'],
    // It builds an index.
    ['GET', '/db/_design/a/_view/b'],
    ['GET', '/other'],
    ['GET', '/other/_changes'],
    ['GET', '/other/a'],
    ['GET', '/_users/_changes'],
    ['get', '/db/_changes'],
  ] as const) {
    await t.throwsAsync(
      client.request({ method, path }),
      { instanceOf: MayChangeSomething },
      `${method} ${path}`,
    );
  }
  t.deepEqual(received, []);
  const harmless = [
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/_session'],
    ['POST', '/_session'],
    ['GET', '/db'],
    ['GET', '/db/_changes'],
    ['HEAD', '/db/_changes'],
    ['GET', '/db/a?rev=1-a'],
    ['GET', '/db/_design/a'],
    ['POST', '/a%2Fb/_changes'],
  ] as const;
  for (const [method, path] of harmless) await client.request({ method, path });
  t.deepEqual(
    received,
    harmless.map((request) => request.join(' ')),
  );
});
