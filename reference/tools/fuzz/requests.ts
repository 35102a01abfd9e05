/** Malformed requests: from almost valid requests to bytes that are not HTTP. */
import fc from 'fast-check';
import { routes, type Route } from '../../generated/routes.js';
import { bomb, contentType, encodedBody, type EncodedBody } from './bodies.js';
import { basic, credentials } from './credentials.js';
import { admin } from './fixtures.js';
import type { RawRequest } from './raw-http.js';
import { methodOf, parameterNames, pathOf, queryOf } from './request-target.js';
import { headerText, mix, names, oddText, parameterValue, word, type Header, type Headers } from './text.js';

const header = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<Header> =>
  fc.tuple(name.map(headerText), value.map(headerText));

const oddHeader = fc.oneof(
  header(word('If-Match If-None-Match Accept Accept-Encoding Range Origin Referer'), oddText),
  header(fc.constant('Accept'), word('multipart/related multipart/mixed application/json */* text/plain')),
  header(
    word('Last-Event-ID Content-Length Transfer-Encoding Connection Expect Upgrade Host'),
    fc.oneof(word('0 -1 5 5,5 1e3 chunked close 100-continue websocket'), fc.constantFrom('', 'x y', '\xff')),
  ),
  header(oddText, oddText),
  fc.constantFrom<Header>(['X Y', 'z'], ['', 'x'], ['X\tY', 'z'], ['X-Y ', 'z'], [' X-Y', 'z']),
  fc.constantFrom<Header>(['X-Y', 'a\r\n b'], ['X-Long', 'x'.repeat(20_000)], ['X-Long', 'x'.repeat(5000)]),
);

const version = mix<string>(
  [60, fc.constant('HTTP/1.1')],
  [1, fc.oneof(word('HTTP/1.0 HTTP/2.0 HTTP/9.9 X'), fc.constant(''))],
);

interface RequestParts {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: Headers;
  readonly body: Buffer;
  /** How the request indicates the end of the body, correctly or not. */
  readonly framing: 'length' | 'chunked' | 'longer' | 'shorter' | 'none';
}

function assemble({ method, target, version, headers, body, framing }: RequestParts): RawRequest {
  const lengths = { length: body.length, longer: body.length + 7, shorter: body.length >> 1 };
  const framed: Headers =
    framing === 'none'
      ? []
      : framing === 'chunked'
        ? [['Transfer-Encoding', 'chunked']]
        : [['Content-Length', `${lengths[framing]}`]];
  const lines = [...headers, ...framed].map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${target} ${version}`, 'Host: localhost', ...lines, '', ''].join('\r\n');
  const chunks = [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')];
  const sent = framing === 'chunked' ? chunks : framing === 'none' ? [] : [body];
  const isOdd = headers.some(([name]) =>
    /^(content-length|transfer-encoding|connection|expect|upgrade)$/i.test(name),
  );
  const isFramed = framing !== 'longer' && framing !== 'shorter';
  return {
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), ...sent]),
    isComplete: isFramed && method !== 'CONNECT' && version === 'HTTP/1.1' && !isOdd,
  };
}

const nearRoute = (route: Route): fc.Arbitrary<RawRequest> => {
  const known = parameterNames(route, 'headers');
  const described = known.length > 0 ? [header(fc.constantFrom(...known), parameterValue)] : [];
  const form = fc.constant('application/x-www-form-urlencoded');
  const noBody = fc.constant<EncodedBody>({ body: Buffer.alloc(0), headers: [] });
  return fc
    .record({
      method: methodOf(route),
      path: pathOf(route),
      query: queryOf(route),
      version,
      credentials,
      contentType: mix([route.body === 'json-or-form' ? 1 : 0, form], [1, contentType]),
      odd: mix<Headers>(
        [9, fc.constant([])],
        [1, fc.array(fc.oneof(oddHeader, ...described), { maxLength: 2 })],
      ),
      encoded: mix([route.body === 'none' ? 9 : 0, noBody], [1, encodedBody]),
      framing: mix<RequestParts['framing']>(
        [20, fc.constant('length')],
        [1, fc.constantFrom('chunked', 'longer', 'shorter', 'none')],
      ),
    })
    .map(({ path, query, credentials, contentType, odd, encoded: { body, headers }, ...rest }) => {
      const type: Headers = body.length > 0 ? [['Content-Type', contentType]] : [];
      const all = [...credentials, ...type, ...headers, ...odd];
      return assemble({ ...rest, target: path + query, headers: all, body });
    });
};
const routed = fc.constantFrom(...routes(names)).chain(nearRoute);

/** Bytes that are mostly not HTTP. */
const garbage: fc.Arbitrary<RawRequest> = fc
  .oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.tuple(routed, fc.nat(100)).map(([{ bytes }, part]) => bytes.subarray(0, (bytes.length * part) / 100)),
    fc
      .tuple(routed, fc.nat(100), fc.nat(255))
      .map(([{ bytes }, part, byte]) => bytes.with(Math.floor(((bytes.length - 1) * part) / 100), byte)),
    fc.tuple(routed, routed).map(([one, other]) => Buffer.concat([one.bytes, other.bytes])),
    fc
      .constantFrom('\r\n\r\n', 'GET', 'GET / HTTP/1.1\r\n', 'GET / HTTP/1.1\n\n', '\x16\x03\x01\x02')
      .map((text) => Buffer.from(text, 'latin1')),
    fc.constant(Buffer.from('PRI * HTTP/2.0\r\n\r\n')),
    fc
      .constantFrom(
        'zz\r\n',
        'ffffffffffffffff\r\n',
        '-1\r\n',
        '5;x=y\r\nab',
        '0\r\nX: y\r\n\r\n',
        '1\r\nab\r\n',
      )
      .map((chunks) => `PUT /recipes/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`)
      .map((text) => Buffer.from(text)),
  )
  .map((bytes) => ({ bytes: Buffer.from(bytes), isComplete: false }));

const bombs = fc
  .constantFrom<[string, string]>(
    ['PUT', '/recipes/x'],
    ['POST', '/_session'],
    ['POST', '/recipes/_bulk_docs'],
  )
  .map(([method, target]) => {
    const headers: Headers = [
      ...basic(admin.name, admin.password),
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'gzip'],
    ];
    return assemble({ method, target, version: 'HTTP/1.1', headers, body: bomb, framing: 'length' });
  });

export const requests: fc.Arbitrary<RawRequest> = mix([300, routed], [30, garbage], [1, bombs]);
