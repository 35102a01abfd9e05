/**
 * The examples of each operation fit each other: a request with the first example of each parameter, and with each
 * example of the body, has the success that the description promises. Clients and mock servers send such requests.
 */
import { createRequire } from 'node:module';
import test from 'ava';
import {
  type Description,
  handledOperations,
  type Operation,
  type Parameter,
} from '../generators/description.js';
import { admin, basic, testServer, type TestServer } from '../reference/testing/server.js';

const description = createRequire(import.meta.url)('docfeed/openapi/service.json') as Description;
const operations = handledOperations(description);

/** The ids of a list, in the query or in the body, exclude a range. */
const range: readonly string[] = ['key', 'startkey', 'start_key', 'endkey', 'end_key'];

/** The one-time code of an example is of another time. */
const isOutdated = (body: unknown): boolean => typeof body === 'object' && body !== null && 'token' in body;

const hasKeys = (body: unknown): boolean => typeof body === 'object' && body !== null && 'keys' in body;

for (const operation of operations) {
  test(`the examples of ${operation.id} fit each other`, async (t) => {
    const server = await testServer(t);
    for (const media of operation.body?.media ?? [undefined]) {
      for (const body of media?.examples ?? [undefined]) {
        if (isOutdated(body)) continue;
        const keys = hasKeys(body) ? ['keys'] : [];
        for (const omitted of operation.method === 'GET' ? [range, ['keys']] : [[...range, ...keys]]) {
          await prepare(server, operation);
          const { status, text } = await send(server, operation, omitted, media?.type, body);
          const promised = operation.responses.map((response) => response.status).filter((one) => one < 304);
          t.true(promised.includes(status), `${JSON.stringify(body)}: ${status} ${text}`);
        }
      }
    }
  });
}

const _rev = '1-967a00dff5e02add41819138abb3284d';

/** Makes what the examples name, as they name it. */
async function prepare({ asAdmin }: TestServer, { id }: Operation): Promise<void> {
  await asAdmin('DELETE', '/recipes');
  await asAdmin('DELETE', '/_users');
  await asAdmin('PUT', '/_users');
  const user = { _id: 'org.service.user:alice', name: 'alice', password: 'correct horse', roles: ['cooks'] };
  await asAdmin('POST', '/_users/_bulk_docs', {
    new_edits: false,
    docs: [{ ...user, type: 'user', _rev }],
  });
  if (id === 'putDatabase') return;
  await asAdmin('PUT', '/recipes');
  await asAdmin('POST', '/recipes/_bulk_docs', {
    new_edits: false,
    docs: [
      { _id: 'pancakes', _attachments: { 'note.txt': { data: 'TW9yZSBidXR0ZXIu' } }, _rev },
      {
        _id: '_design/lists',
        filters: { quick: 'function () { return true; }' },
        views: { by_title: { map: 'function (doc) { emit(doc.title); }' } },
        _rev,
      },
    ],
  });
  await asAdmin('PUT', '/recipes/_local/3fb2c1', {});
}

function send(
  server: TestServer,
  { id, method, path, parameters }: Operation,
  omitted: readonly string[],
  type: string | undefined,
  body: unknown,
) {
  const sentIn = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter): [string, string] => [parameter.name, textOf(parameter)]);
  const places = Object.fromEntries(sentIn('path'));
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(places[name]!));
  const query = new URLSearchParams(sentIn('query').filter(([name]) => !omitted.includes(name)));
  return server.send(method, `${target}?${query.toString()}`, {
    headers: {
      ...Object.fromEntries(sentIn('header')),
      // That of the example of `Referer`.
      host: '127.0.0.1:5984',
      ...(id === 'postSession' ? {} : basic(admin.name, admin.password)),
      'content-type': type?.startsWith('multipart/') ? `${type}; boundary=b` : type,
    },
    body: encode(body, type),
  });
}

function encode(body: unknown, type: string | undefined): unknown {
  if (type === 'application/json') return JSON.stringify(body);
  const fields = body as Record<string, string>;
  if (type === 'application/x-www-form-urlencoded') return new URLSearchParams(fields).toString();
  if (type !== 'multipart/form-data') return body;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--b--`;
}

const textOf = ({ examples: [first], json }: Parameter): string =>
  json ? JSON.stringify(first) : String(first);
