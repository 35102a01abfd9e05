import test from 'ava';
import { describeResponse, operationName } from './describe-response.js';

for (const [method, path, name] of [
  ['GET', '/', 'GET /'],
  ['GET', '/_session', 'GET /_session'],
  ['POST', '/prefix/_session', 'POST /_session'],
  ['PUT', '/docfeed-1f-2', 'PUT /{db}'],
  ['POST', '/docfeed-1f-2/_changes?feed=longpoll&since=5-x', 'POST /{db}/_changes'],
  ['GET', '/prefix/docfeed-1f-2/a%20b', 'GET /{db}/{id}'],
  ['PUT', '/docfeed-1f-2/_design/probe', 'PUT /{db}/_design/{id}'],
  ['PUT', '/docfeed-1f-2/_local/a', 'PUT /{db}/_local/{id}'],
  ['PUT', '/_users/org.couchdb.user:docfeed-1f-3', 'PUT /_users/{id}'],
] as const) {
  test(`names ${method} ${path}`, (t) => {
    t.is(operationName(method, path), name);
  });
}

test('names a response by its request and status', (t) => {
  t.is(describeResponse({ path: '/docfeed-1/_changes', status: 404 }), 'GET /{db}/_changes returns 404');
});
