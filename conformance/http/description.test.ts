import test from 'ava';
import { loadDescription } from './description.js';

const description = loadDescription('service');
const none = new URLSearchParams();

function difference(method: string, path: string, status: number, body: unknown) {
  const { pathname, searchParams } = new URL(path, 'http://target');
  return description.responseDifference(description.operation(method, pathname)!, searchParams, status, body);
}

test('finds the operation of a request, preferring the most literal template', (t) => {
  const id = (method: string, path: string) => description.operation(method, path)?.id;
  t.is(id('GET', '/'), 'getRoot');
  t.is(id('GET', '/_session'), 'getSession');
  t.is(id('GET', '/some%2Fdb'), 'getDatabase');
  t.is(id('PUT', '/_users/org.service.user:anna'), 'putUser');
  t.is(id('GET', '/_users/org.service.user:anna'), 'getUser');
  t.is(id('HEAD', '/db/_changes'), 'headChanges');
  t.is(id('GET', '/db/_design/x'), 'getDesignDocument');
  t.is(id('GET', '/db/doc/a/b/c.txt'), 'getAttachment');
  t.is(id('PATCH', '/db'), undefined);
  t.is(id('TRACE', '/'), undefined);
});

test('tells which operations the service document shows', (t) => {
  t.true(description.operation('GET', '/db/_changes')?.documented);
  t.false(description.operation('GET', '/db')?.documented);
});

test('has the names of the dialect', (t) => {
  const couchdb = loadDescription('couchdb');
  t.is(couchdb.operation('PUT', '/_users/org.couchdb.user:anna')?.id, 'putUser');
});

test('finds problems of requests that the description does not allow', (t) => {
  const problem = (method: string, path: string, body?: unknown) =>
    description.requestProblem({
      method,
      path,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  t.is(problem('GET', '/db/_changes?since=now&limit=5&descending=true&doc_ids=%5B%22a%22%5D'), undefined);
  t.is(problem('GET', '/db/_changes?heartbeat=true'), undefined);
  t.is(problem('GET', '/db/_changes?heartbeat=10000'), undefined);
  t.is(problem('POST', '/_session', { name: 'anna', password: 'x' }), undefined);
  t.regex(problem('PATCH', '/db')!, /has no PATCH \/db/);
  t.regex(problem('GET', '/db/_changes?sinse=now')!, /no query parameter "sinse"/);
  t.regex(problem('GET', '/db/_changes?feed=none')!, /does not allow feed=none/);
  t.regex(problem('GET', '/db/_changes?doc_ids=a')!, /does not allow doc_ids=a/);
  t.is(problem('GET', '/db/_changes?filter=lists%2Fquick&minutes=5'), undefined);
  t.is(problem('GET', '/db/doc?open_revs=all'), undefined);
  t.is(problem('GET', '/db/doc?open_revs=%5B%221-a%22%5D'), undefined);
  t.regex(problem('GET', '/db/doc?open_revs=some')!, /does not allow open_revs=some/);
  t.regex(problem('GET', '/db/_changes?limit=few')!, /does not allow limit=few/);
  t.regex(problem('POST', '/_session', { name: 1 })!, /the body of postSession/);
});

test('finds the first difference between a response and its description', (t) => {
  const greeting = { service: 'x', uuid: 'ab', version: '3.4', vendor: { name: 'a', version: '1' } };
  t.is(difference('GET', '/', 200, greeting), undefined);
  t.is(difference('GET', '/', 200, { ...greeting, more: 1 }), undefined);
  t.like(difference('GET', '/', 200, { ...greeting, version: 3 }), { path: '$.version', actual: 3 });
  t.is(difference('GET', '/', 200, [])?.path, '$');
  const row = { id: 'a', seq: 1, changes: [{ rev: '1-ab' }] };
  t.is(difference('GET', '/db/_changes', 200, { results: [row], last_seq: 1, pending: 0 }), undefined);
  t.is(
    difference('GET', '/db/_changes', 200, { results: [row, { ...row, id: 5 }], last_seq: 1, pending: 0 })
      ?.path,
    '$.results[1].id',
  );
});

test('a required field may be missing if another rule reports that', (t) => {
  const uuid = 'ab';
  t.is(difference('GET', '/', 200, { uuid, version: '3.4' }), undefined);
  t.is(difference('GET', '/', 200, { uuid, version: '3.4', vendor: {} }), undefined);
  t.is(
    difference('GET', '/_session', 200, { ok: true, userCtx: { name: 'a', roles: [] }, info: {} }),
    undefined,
  );
  t.is(difference('GET', '/db/_changes', 200, { results: [], last_seq: 1 }), undefined);
  t.truthy(difference('GET', '/', 200, { uuid }));
  t.truthy(difference('GET', '/', 200, { uuid, version: '3.4', vendor: { name: 1 } }));
  t.truthy(difference('GET', '/db/_changes', 200, { results: [], last_seq: 1, pending: '0' }));
});

test('a required field that another rule reports may be missing', (t) => {
  const greeting = { uuid: '85fb71bf700c17267fef77535820e371', version: '3.5.0' };
  t.is(difference('GET', '/', 200, { ...greeting, vendor: {} }), undefined);
  t.is(difference('GET', '/', 200, greeting), undefined);
  t.truthy(difference('GET', '/', 200, { ...greeting, version: undefined }));
  t.is(difference('GET', '/db/_changes', 200, { results: [], last_seq: 0 }), undefined);
  t.truthy(difference('GET', '/db/_changes', 200, { results: [], pending: 0 }));
});

test('the schema of a feed depends on the requested mode', (t) => {
  t.truthy(difference('GET', '/db/_changes?feed=longpoll', 200, 'text'));
  const row = { id: 'a', seq: 1, changes: [{ rev: '1-ab' }] };
  for (const feed of ['continuous', 'eventsource']) {
    t.is(difference('GET', `/db/_changes?feed=${feed}`, 200, row), undefined);
    t.is(difference('GET', `/db/_changes?feed=${feed}`, 200, { last_seq: [] }), undefined);
    t.truthy(difference('GET', `/db/_changes?feed=${feed}`, 200, { ...row, id: 5 }));
    t.truthy(difference('GET', `/db/_changes?feed=${feed}`, 200, { id: 'a' }));
  }
});

test('the framing of a feed depends on the requested mode', (t) => {
  const framing = (mode: string) =>
    description.framing(description.operation('POST', '/db/_changes')!, new URLSearchParams(mode));
  t.is(framing(''), 'json');
  t.is(framing('feed=longpoll'), 'json');
  t.is(framing('feed=continuous'), 'lines');
  t.is(framing('feed=eventsource'), 'event-stream');
  t.is(description.framing(description.operation('GET', '/')!, none), 'json');
});

test('an unlisted error status must have an error body, an unlisted success status may have any body', (t) => {
  t.is(difference('GET', '/', 418, { error: 'teapot', reason: 'short and stout' }), undefined);
  t.is(difference('GET', '/', 418, { error: 'teapot' })?.path, '$');
  t.is(difference('GET', '/', 299, 'anything'), undefined);
  t.is(description.responseDifference(description.operation('GET', '/')!, none, 299, 1), undefined);
});
