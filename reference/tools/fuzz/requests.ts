/** Malformed requests: from almost valid requests to bytes that are not HTTP. */
import fc from 'fast-check';
import { routes } from '../../generated/routes.js';
import { bomb, encodedBody, contentType, type EncodedBody } from './bodies.js';
import type { RawRequest } from './raw-http.js';
import { basic, credentials } from './credentials.js';
import { admin } from './fixtures.js';
import { parameterNames, method, pathOf, queryOf } from './request-target.js';
import { headerText, names, oddText, weighted, parameterValue, type Header, type Headers } from './text.js';

const oddHeader: fc.Arbitrary<Header> = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      ...['If-Match', 'If-None-Match', 'Accept', 'Accept-Encoding', 'Range', 'Origin', 'Referer'],
    ),
    oddText.map(headerText),
  ),
  fc.tuple(
    fc.constantFrom(
      ...['Last-Event-ID', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Expect', 'Upgrade', 'Host'],
    ),
    fc.constantFrom(
      ...['', '0', '-1', '5', '5, 5', '1e3', 'chunked', 'close', '100-continue', 'websocket', 'x y', '\xff'],
    ),
  ),
  fc.tuple(oddText.map(headerText), oddText.map(headerText)),
  fc.constantFrom<Header>(
    ['X Y', 'z'],
    ['', 'x'],
    ['X\tY', 'z'],
    ['X-Y ', 'z'],
    [' X-Y', 'z'],
    ['X-Y', 'a\r\n b'],
  ),
  fc.constantFrom<Header>(['X-Long', 'x'.repeat(20_000)], ['X-Long', 'x'.repeat(5000)]),
);

const version = fc.oneof(
  weighted(60, fc.constant('HTTP/1.1')),
  fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'X', ''),
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
  const length = {
    length: body.length,
    longer: body.length + 7,
    shorter: body.length >> 1,
    chunked: 0,
    none: 0,
  }[framing];
  const framed: Headers =
    framing === 'none'
      ? []
      : framing === 'chunked'
        ? [['Transfer-Encoding', 'chunked']]
        : [['Content-Length', `${length}`]];
  const lines = [...headers, ...framed].map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${target} ${version}`, 'Host: localhost', ...lines, '', ''].join('\r\n');
  const chunks = [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')];
  const sent = framing === 'chunked' ? chunks : framing === 'none' ? [] : [body];
  const isOdd = headers.some(([name]) =>
    /^(content-length|transfer-encoding|connection|expect|upgrade)$/i.test(name),
  );
  return {
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), ...sent]),
    isComplete:
      framing !== 'longer' &&
      framing !== 'shorter' &&
      method !== 'CONNECT' &&
      version === 'HTTP/1.1' &&
      !isOdd,
  };
}

const routed: fc.Arbitrary<RawRequest> = fc.constantFrom(...routes(names)).chain((route) => {
  const known = parameterNames(route, 'headers');
  const describedHeader =
    known.length > 0 ? fc.tuple(fc.constantFrom(...known), parameterValue.map(headerText)) : oddHeader;
  const body =
    route.body === 'none'
      ? fc.oneof(weighted(9, fc.constant<EncodedBody>({ body: Buffer.alloc(0), headers: [] })), encodedBody)
      : encodedBody;
  return fc
    .record({
      method: method(route),
      path: pathOf(route),
      query: queryOf(route),
      version,
      credentials,
      contentType,
      odd: fc.oneof(
        weighted(9, fc.constant<Headers>([])),
        fc.array(fc.oneof(oddHeader, describedHeader), { maxLength: 2 }),
      ),
      encoded: body,
      framing: fc.oneof(
        weighted(20, fc.constant('length' as const)),
        fc.constantFrom('chunked' as const, 'longer' as const, 'shorter' as const, 'none' as const),
      ),
    })
    .map(({ path, query, credentials, contentType, odd, encoded, ...rest }) => {
      const type: Headers = encoded.body.length > 0 ? [['Content-Type', contentType]] : [];
      const headers = [...credentials, ...type, ...encoded.headers, ...odd];
      return assemble({ ...rest, target: path + query, headers, body: encoded.body });
    });
});

/** Bytes that are mostly not HTTP. */
const garbage: fc.Arbitrary<RawRequest> = fc
  .oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.tuple(routed, fc.nat(100)).map(([{ bytes }, part]) => bytes.subarray(0, (bytes.length * part) / 100)),
    fc.tuple(routed, fc.nat(100), fc.nat(255)).map(([{ bytes }, part, byte]) => {
      const changed = Buffer.from(bytes);
      changed[Math.floor(((bytes.length - 1) * part) / 100)] = byte;
      return changed;
    }),
    fc.tuple(routed, routed).map(([one, other]) => Buffer.concat([one.bytes, other.bytes])),
    fc
      .constantFrom(
        '\r\n\r\n',
        'GET',
        'GET / HTTP/1.1\r\n',
        'GET / HTTP/1.1\n\n',
        '\x16\x03\x01\x02',
        'PRI * HTTP/2.0\r\n\r\n',
      )
      .map((text) => Buffer.from(text, 'latin1')),
    fc
      .constantFrom(
        'zz\r\n',
        'ffffffffffffffff\r\n',
        '-1\r\n',
        '5;x=y\r\nab',
        '0\r\nX: y\r\n\r\n',
        '1\r\nab\r\n',
      )
      .map((chunks) =>
        Buffer.from(`PUT /recipes/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`),
      ),
  )
  .map((bytes) => ({ bytes, isComplete: false }));

const bombs: fc.Arbitrary<RawRequest> = fc
  .constantFrom('PUT /recipes/x', 'POST /_session', 'POST /recipes/_bulk_docs')
  .map((start) => {
    const [method, target] = start.split(' ') as [string, string];
    const headers: Headers = [
      ...basic(admin.name, admin.password),
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'gzip'],
    ];
    return assemble({ method, target, version: 'HTTP/1.1', headers, body: bomb, framing: 'length' });
  });

export const requests: fc.Arbitrary<RawRequest> = fc.oneof(
  weighted(300, routed),
  weighted(30, garbage),
  weighted(1, bombs),
);
