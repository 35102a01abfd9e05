/** Credentials of requests: valid, invalid, or malformed. */
import fc from 'fast-check';
import { base64url, proxyToken, token } from '../../testing/signed-tokens.js';
import { json, similarJson } from './bodies.js';
import { admin, alice, secrets, totpUser } from './fixtures.js';
import { headerText, mix, names, oddText, userName, word, type Headers } from './text.js';

const authorization = (value: string): Headers => [['Authorization', value]];
export const basic = (name: string, password: string) =>
  authorization(`Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`);

const header = fc.oneof(
  word('{"alg":"HS256"} {"alg":"RS256"} {"alg":"ES256"} {"alg":"none"} {"alg":"HS256","kid":5}'),
  similarJson.map((kid) => JSON.stringify({ alg: 'HS256', kid })),
  json,
);
const claims = fc.oneof(
  fc
    .tuple(fc.constantFrom(4e9, 1, null, '4e9', {}), similarJson)
    .map(([exp, roles]) => JSON.stringify({ sub: 'alice', exp, '_service.roles': roles })),
  similarJson.map((sub) => JSON.stringify({ sub, exp: 4e9 })),
  json,
);
const bearer = fc.tuple(header, claims, word('valid wrong none truncated')).map(([header, claims, how]) => {
  const signed = token(header, claims, how === 'wrong' ? 'x' : secrets.hmac);
  const mac = signed.lastIndexOf('.') + 1;
  const cut = { none: mac, truncated: -9 }[how] ?? signed.length;
  return authorization(`Bearer ${signed.slice(0, cut)}`);
});

const proxied = fc.tuple(userName, oddText, fc.boolean()).map(([name, roles, isSigned]): Headers => [
  [names.proxyUserName, name],
  [names.proxyRoles, headerText(roles)],
  [names.proxyToken, isSigned ? proxyToken(name, secrets.proxy) : 'x'],
]);

const session = (name: string, time: string) =>
  `AuthSession=${base64url(`${name}:${time}:${'s'.repeat(32)}`)}`;
const cookie = fc.oneof(
  word('AuthSession= AuthSession AuthSession=x ;;; = AuthSession="x" AuthSession=%00'),
  fc.tuple(oddText, oddText).map(([name, time]) => session(name, time)),
  fc.constant(session('alice', 'FFFFFFFF')),
);

export const credentials: fc.Arbitrary<Headers> = mix<Headers>(
  [40, fc.constant(basic(admin.name, admin.password))],
  [6, fc.constant(basic(alice.name, alice.password))],
  [2, fc.constant([])],
  [1, fc.constant(basic(totpUser.name, totpUser.password))],
  [1, fc.tuple(oddText, oddText).map(([name, password]) => basic(name, password))],
  [3, fc.tuple(word('Basic Bearer x'), oddText).map((words) => authorization(headerText(words.join(' '))))],
  [4, bearer],
  [2, proxied],
  [2, cookie.map((value) => [['Cookie', value]])],
  [1, fc.constant([...basic(alice.name, alice.password), ...basic(admin.name, 'x')])],
);
