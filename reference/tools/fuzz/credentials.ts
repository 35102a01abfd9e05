/** Credentials of requests: valid, invalid, or malformed. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { json, similarJson } from './bodies.js';
import { admin, alice, secrets, totpUser } from './fixtures.js';
import { headerText, names, oddText, weighted, userName, type Headers } from './text.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (value: string) => Buffer.from(value).toString('base64url');
const authorization = (value: string): Headers => [['Authorization', value]];
export const basic = (name: string, password: string) =>
  authorization(`Basic ${base64(`${name}:${password}`)}`);

const bearer = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(
        '{"alg":"HS256"}',
        '{"alg":"RS256"}',
        '{"alg":"ES256"}',
        '{"alg":"none"}',
        '{"alg":"HS256","kid":5}',
      ),
      similarJson.map((value) => JSON.stringify({ alg: 'HS256', kid: value })),
      json,
    ),
    fc.oneof(
      fc
        .constantFrom(4e9, 1, null, '4e9', {})
        .chain((exp) =>
          similarJson.map((value) => JSON.stringify({ sub: 'alice', exp, '_service.roles': value })),
        ),
      similarJson.map((value) => JSON.stringify({ sub: value, exp: 4e9 })),
      json,
    ),
    fc.constantFrom('valid', 'wrong', 'none', 'truncated'),
  )
  .map(([header, claims, how]) => {
    const signed = `${base64url(header)}.${base64url(claims)}`;
    const mac = createHmac('sha256', how === 'wrong' ? 'x' : secrets.hmac)
      .update(signed)
      .digest('base64url');
    return authorization(
      `Bearer ${signed}.${how === 'none' ? '' : how === 'truncated' ? mac.slice(9) : mac}`,
    );
  });

const proxied = fc.tuple(userName, oddText, fc.boolean()).map(([name, roles, isSigned]): Headers => [
  [names.proxyUserName, name],
  [names.proxyRoles, headerText(roles)],
  [names.proxyToken, isSigned ? createHmac('sha256', secrets.proxy).update(name).digest('hex') : 'x'],
]);

const cookie = fc.oneof(
  fc.constantFrom(
    'AuthSession=',
    'AuthSession',
    'AuthSession=x',
    ';;;',
    '=',
    'AuthSession="x"',
    'AuthSession=%00',
  ),
  fc
    .tuple(oddText, oddText)
    .map(([name, time]) => `AuthSession=${base64url(`${name}:${time}:${'s'.repeat(32)}`)}`),
  fc.constant(`AuthSession=${base64url(`alice:FFFFFFFF:${'s'.repeat(32)}`)}`),
);

export const credentials: fc.Arbitrary<Headers> = fc.oneof(
  weighted(40, fc.constant(basic(admin.name, admin.password))),
  weighted(6, fc.constant(basic(alice.name, alice.password))),
  weighted(2, fc.constant([])),
  weighted(1, fc.constant(basic(totpUser.name, totpUser.password))),
  weighted(
    1,
    fc.tuple(oddText, oddText).map(([name, password]) => basic(name, password)),
  ),
  weighted(
    1,
    oddText.map((text) => authorization(headerText(`Basic ${text}`))),
  ),
  weighted(
    1,
    oddText.map((text) => authorization(headerText(text))),
  ),
  weighted(
    1,
    oddText.map((text) => authorization(headerText(`Bearer ${text}`))),
  ),
  weighted(4, bearer),
  weighted(2, proxied),
  weighted(
    2,
    cookie.map((value): Headers => [['Cookie', value]]),
  ),
  weighted(1, fc.constant([...basic(alice.name, alice.password), ...basic(admin.name, 'x')])),
);
