/** Every error leaves as JSON with `error` and `reason`, and with a log line, whatever fails. */
import { Readable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import type { Components } from './components.js';
import { testServer, type TestServer } from '../testing/server.js';

type Replace = (components: Components) => Partial<Components>;

const internal = { error: 'internal_server_error', reason: 'The request could not be completed.' };

const failing = (t: ExecutionContext, replace: Replace): Promise<TestServer> =>
  testServer(t, { components: (components) => ({ ...components, ...replace(components) }) });

const handler =
  (getRoot: () => unknown): Replace =>
  ({ handlers }) => ({ handlers: { ...handlers, getRoot: getRoot as typeof handlers.getRoot } });

const throwing = (error: unknown) => () => {
  throw error;
};
const circular: Record<string, unknown> = {};
circular.self = circular;
const returning = (body: unknown, more: object = {}) =>
  handler(() => Promise.resolve({ status: 200, body, ...more }));

const internalErrors: Record<string, Replace> = {
  'a handler throws': handler(throwing(new TypeError('secret detail'))),
  'a handler rejects': handler(() => Promise.reject(new RangeError('secret detail'))),
  'a handler throws no error': handler(throwing('secret detail')),
  'a handler returns nothing': handler(() => undefined),
  'a body is circular': returning(circular),
  'a body has a value without JSON': returning({
    value: { toJSON: throwing(new TypeError('secret detail')) },
  }),
  'a body is longer than the longest string': returning(Array(600).fill('x'.repeat(1024 * 1024))),
  'a header cannot be sent': returning({}, { headers: { etag: 'a\nb' } }),
  'one of several headers cannot be sent': returning({}, { headers: { 'set-cookie': ['a', 'b\0'] } }),
  'a media type cannot be sent': returning('{}', { type: 'text/\u{1F600}' }),
  'a stream has objects': returning(Readable.from([{}])),
  'authentication fails': ({ authenticators }) => ({
    authenticators: { ...authenticators, cookie: throwing(new TypeError('secret detail')) },
  }),
  'authorization fails': () => ({ authorize: throwing(new TypeError('secret detail')) }),
  'the preparation of the response fails': () => ({
    prepareResponse: throwing(new TypeError('secret detail')),
  }),
};

for (const [what, replace] of Object.entries(internalErrors)) {
  test(`500: ${what}`, async (t) => {
    const { send, reports } = await failing(t, replace);
    const { status, json, text, headers } = await send('GET', '/');
    t.deepEqual([status, json], [500, internal]);
    t.is(headers['content-type'], 'application/json');
    t.regex(String(headers['x-request-id']), /^[0-9a-f]{10}$/);
    t.false(text.includes('secret detail'));
    t.is(reports.length, 1);
    t.like(reports[0], { msg: 'request failed', requestId: headers['x-request-id'] });
  });
}

test('500: the parser of bodies fails', async (t) => {
  const { asAdmin, reports } = await failing(t, () => ({
    parseBody: throwing(new TypeError('secret detail')),
  }));
  const { status, json } = await asAdmin('POST', '/recipes', {});
  t.deepEqual([status, json, reports.length], [500, internal, 1]);
});

for (const [what, errorBody] of Object.entries({
  throws: throwing(new TypeError('secret detail')),
  'returns a circular body': () => circular,
})) {
  test(`500: the function that renders errors ${what}`, async (t) => {
    const { send, reports } = await failing(t, () => ({ errorBody: errorBody as Components['errorBody'] }));
    const { status, json } = await send('GET', '/nowhere/at/all/here');
    t.deepEqual([status, json, reports.length], [500, internal, 1]);
  });
}

test('a stream that fails after its beginning is cut, and logged', async (t) => {
  async function* pieces() {
    yield '{"service":';
    await Promise.resolve();
    throw new Error('disk on fire');
  }
  const body = () => Promise.resolve({ status: 200, body: Readable.from(pieces(), { objectMode: false }) });
  const { send, logged } = await failing(t, handler(body));
  await t.throwsAsync(send('GET', '/'));
  t.like(
    logged.find(({ level }) => level === 'warn'),
    { msg: 'the response was aborted', error: 'disk on fire', path: '/' },
  );
});
