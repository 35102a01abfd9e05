/**
 * Known attacks on JSON Web Tokens. None of them may authenticate (SERVICE 5.4). Checks of the conformance suite try the
 * algorithm "none", public keys as secrets, changed signatures, and signatures of other content.
 */
import { sign } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { sharedServer } from '../testing/shared-server.js';
import { base64url, ec, keySettings, now, rsa, secret, signature, token } from '../testing/signed-tokens.js';

const chttpd = { authentication_handlers: 'cookie, proxy, jwt, default' };
const withKeys = sharedServer({ config: { chttpd, jwt_keys: keySettings } });

const claims = { sub: 'admin', exp: now() + 600, '_service.roles': ['_admin'] };
const hs = { alg: 'HS256', typ: 'JWT' };
const rs = { alg: 'RS256', typ: 'JWT' };
const es = { alg: 'ES256', typ: 'JWT' };
const good = token(hs, claims);
const goodRs = token(rs, claims, rsa.privateKey, 'RS256');
const goodEs = token(es, claims, ec.ES256.privateKey, 'ES256');
const unsigned = (header: unknown, payload: unknown = claims) => `${base64url(header)}.${base64url(payload)}`;
const withSignature = (bearer: string, bytes: Buffer) =>
  `${bearer.slice(0, bearer.lastIndexOf('.'))}.${base64url(bytes)}`;
const [header, payload, mac] = good.split('.') as [string, string, string];
const jwkOf = (key: typeof rsa.publicKey) => key.export({ format: 'jwk' });
/** Encodes the same bytes with another last character, whose unused bits are not zero. */
const respelled = (segment: string) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return segment.slice(0, -1) + alphabet[alphabet.indexOf(segment.at(-1)!) + 1]!;
};

const attacks: Record<string, string | readonly string[]> = {
  'an algorithm that is not a string': [null, 0, true, ['HS256'], { alg: 'HS256' }].map((alg) =>
    token({ alg }, claims),
  ),
  'an algorithm in another case': ['hs256', 'Hs256', 'HS-256', 'HS256 ', 'HS1', 'HS'].map((alg) =>
    token({ alg }, claims),
  ),
  'an unsupported algorithm': [
    token({ alg: 'EdDSA' }, claims),
    token({ alg: 'ES256K' }, claims, ec.ES256.privateKey, 'ES256'),
    token({ alg: 'PS256' }, claims, rsa.privateKey, 'RS256'),
    token({ alg: 'dir' }, claims),
  ],
  'a guessed secret': ['', 'secret', '\0', 'undefined', secret.toString('hex')].map((guess) =>
    token(hs, claims, guess),
  ),
  'an RSA key used as EC key, and vice versa': [
    token(es, claims, rsa.privateKey, 'RS256'),
    token(rs, claims, ec.ES256.privateKey, 'ES256'),
    token({ ...es, kid: 'kitchen' }, claims, rsa.privateKey, 'RS256'),
    withSignature(goodEs, Buffer.from(goodRs.split('.')[2]!, 'base64url')),
  ],
  'an EC key with the hash of another curve': [
    token({ alg: 'ES384' }, claims, ec.ES256.privateKey, 'ES384'),
    token({ alg: 'ES256', kid: '384' }, claims, ec.ES384.privateKey, 'ES256'),
  ],
  'an algorithm that differs from the signature': [
    withSignature(unsigned({ alg: 'HS512' }) + '.', Buffer.from(mac, 'base64url')),
    token({ alg: 'HS384' }, claims, secret, 'HS256'),
    token({ alg: 'RS512' }, claims, rsa.privateKey, 'RS256'),
  ],

  'a kid with special characters': [
    '../../../../dev/null',
    '*',
    "' UNION SELECT '' --",
    '__proto__',
    'constructor',
    'toString',
    'http://127.0.0.1/key',
    'file:///dev/null',
    '|/bin/true',
  ].flatMap((kid) => [token({ ...hs, kid }, claims), token({ ...hs, kid }, claims, '')]),
  'a kid that is not a string': [null, 0, true, ['kitchen'], { kid: 'kitchen' }].map((kid) =>
    token({ ...hs, kid }, claims),
  ),
  'a key in the token': (() => {
    const jwk = jwkOf(ec.ES384.publicKey);
    const key = ec.ES384.privateKey;
    const x5c = [base64url('a certificate')];
    return [
      { jwk },
      { jwk, kid: 'kitchen' },
      { jku: 'https://evil.example/keys' },
      { x5u: 'https://evil.example/certificate' },
      { x5c },
      { x5t: base64url('x') },
    ].flatMap((more) => [
      token({ alg: 'ES384', ...more }, claims, key, 'ES384'),
      token({ ...hs, ...more }, claims, 'mine'),
      token({ ...hs, ...more, jwk: { kty: 'oct', k: base64url('mine') } }, claims, 'mine'),
    ]);
  })(),

  'critical extensions': [
    token({ ...hs, crit: ['exp'], exp: 1 }, claims),
    token({ ...hs, crit: ['x'] }, claims),
    token({ ...hs, crit: [] }, claims),
    token({ ...hs, crit: null }, claims),
    token({ ...hs, crit: 'alg' }, claims),
  ],
  'an unencoded payload': (() => {
    const open = { ...hs, b64: false, crit: ['b64'] };
    const plain = JSON.stringify(claims);
    const signed = signature('HS256', `${base64url(open)}.${plain}`, secret);
    return [
      token({ ...hs, b64: false }, claims),
      token(open, claims),
      `${base64url(open)}.${plain}.${base64url(signed)}`,
      `${base64url(open)}.${base64url(plain)}.${base64url(signed)}`,
    ];
  })(),
  'a token with another purpose': ['JOSE', 'JOSE+JSON', 'JWE', 'dpop+jwt', 'logout+jwt', '', 5, null].map(
    (typ) => token({ alg: 'HS256', typ }, claims),
  ),

  'no signature': [`${header}.${payload}.`, `${header}.${payload}`, `${header}.${payload}. `],
  'a signature of zeros, of the order of the curve, of DER': [
    withSignature(goodEs, Buffer.alloc(64)),
    withSignature(goodEs, Buffer.alloc(0)),
    withSignature(
      goodEs,
      Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'.repeat(2), 'hex'),
    ),
    withSignature(goodEs, Buffer.from('3006020100020100', 'hex')),
    withSignature(goodEs, sign('sha256', Buffer.from(unsigned(es)), ec.ES256.privateKey)),
    withSignature(goodRs, Buffer.alloc(256)),
    withSignature(goodRs, Buffer.concat([Buffer.alloc(255), Buffer.from([1])])),
    withSignature(good, Buffer.alloc(32)),
  ],

  'other encodings of the same bytes': [
    `${header}.${payload}.${respelled(mac)}`,
    `${good}=`,
    `${good}==`,
    goodRs.replace(/[^.]*$/, (segment) => Buffer.from(segment, 'base64url').toString('base64')),
    ...[respelled(base64url('{"alg":"HS256" }')), `${base64url('{"alg":"HS256" }')}==`].map(
      (spelled) => `${spelled}.${payload}.${base64url(signature('HS256', `${spelled}.${payload}`, secret))}`,
    ),
    `${header}.${payload}.${mac.slice(0, 5)}\t${mac.slice(5)}`,
    `${header}.${payload}.${mac.slice(0, 5)} ${mac.slice(5)}`,
    `${header} .${payload}.${mac}`,
    `${header}.${payload}.${mac}!`,
    `${header}.${payload}.${mac},`,
  ],
  'more or fewer parts': [
    `.${good}`,
    `${good}.`,
    `${good}.${mac}`,
    `${header}..${mac}`,
    `.${payload}.${mac}`,
    '..',
    '...',
    '.',
    '',
    header,
    good.replaceAll('.', '..'),
    `${good} ${good}`,
    `${good},${good}`,
  ],
  'a token within a token': [
    token({ ...hs, cty: 'JWT' }, good),
    `${base64url({ alg: 'dir', enc: 'A256GCM' })}..${base64url('iv')}.${base64url(good)}.${base64url('tag')}`,
    `${base64url({ alg: 'RSA-OAEP', enc: 'A256GCM', cty: 'JWT' })}.a.b.c.d`,
    base64url(good),
    JSON.stringify({ payload, protected: header, signature: mac }),
  ],
  'duplicate members': [
    token('{"alg":"none","alg":"HS256"}', claims),
    token('{"alg":"HS256","alg":"none"}', claims),
    token('{"alg":"HS256","a\\u006cg":"HS256"}', claims),
    token('{"alg":"HS256","kid":"kitchen","kid":"kitchen"}', claims),
    token(hs, `{"sub":"eve","sub":"admin","exp":${now() + 600}}`),
    token(hs, `{"sub":"admin","exp":1,"exp":${now() + 600}}`),
    token(hs, `{"sub":"admin","exp":${now() + 600},"e\\u0078p":1}`),
    token(hs, `{"sub":"admin","exp":${now() + 600},"a":[{"b":{"c":1,"c":2}}]}`),
  ],
  'a payload that is not an object': [
    '[]',
    '5',
    '"admin"',
    'null',
    'true',
    '',
    '{',
    '{}{}',
    `[${JSON.stringify(claims)}]`,
  ].map((text) => token(hs, text)),
  'a header that is not an object': ['[]', '"HS256"', 'null', '', '{', '{"alg":"HS256"}x'].map((text) =>
    token(text, claims),
  ),
  'text that is not UTF-8 or begins with a byte order mark': [
    token(hs, Buffer.from(JSON.stringify(claims).replace('admin', '\xff'), 'latin1')),
    token(hs, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(claims))])),
    token(Buffer.from('{"alg":"HS256","x":"\xc3\x28"}', 'latin1'), claims),
    token(hs, Buffer.from(JSON.stringify(claims), 'utf16le')),
  ],
  'a huge or deeply nested token': [
    token(hs, { ...claims, padding: 'x'.repeat(100_000) }),
    token({ ...hs, kid: 'x'.repeat(100_000) }, claims),
    `${'a.'.repeat(50_000)}a`,
    '.'.repeat(7000),
    token(hs, '['.repeat(5000)),
  ],
  'a name instead of a token': [
    'admin',
    'null',
    'undefined',
    '%00',
    Buffer.from('admin:secret').toString('base64'),
  ],
};

for (const [what, bearers] of Object.entries(attacks)) {
  test(what, async (t) => {
    const { send, reports } = await withKeys();
    for (const bearer of [bearers].flat()) {
      const headers = { authorization: `Bearer ${bearer}` };
      const { status, json } = await send('GET', '/_session', { headers });
      t.true(status >= 400 && status < 500, `${status} for ${bearer.slice(0, 300)}`);
      const { error, reason } = json as Record<string, unknown>;
      t.deepEqual([typeof error, typeof reason], ['string', 'string']);
    }
    t.deepEqual(reports, []);
  });
}

test('two Authorization headers, in any order', async (t) => {
  const { url } = await withKeys();
  const bad = token(hs, claims, 'a guess');
  for (const [one, other] of [
    [good, bad],
    [bad, good],
    [good, good],
  ] as const) {
    const reply = await raw(url, [`Authorization: Bearer ${one}`, `AUTHORIZATION: Bearer ${other}`]);
    t.regex(reply, /^HTTP\/1\.1 400 /);
    t.notRegex(reply, /"admin"/);
  }
  t.regex(await raw(url, [`Authorization: Bearer ${good}`]), /^HTTP\/1\.1 200 [^]*"admin"/);
});

test('a token outside of the Authorization header', async (t) => {
  const { send } = await withKeys();
  for (const [path, headers] of [
    [`/_session?access_token=${good}`, {}],
    ['/_session', { cookie: `access_token=${good}; Authorization=Bearer ${good}` }],
    ['/_session', { 'x-authorization': `Bearer ${good}`, 'proxy-authorization': `Bearer ${good}` }],
  ] as const) {
    const { json } = await send('GET', path, { headers });
    t.like(json, { userCtx: { name: null, roles: [] } });
  }
});

test('header members do not select another key', async (t) => {
  const jwk = jwkOf(rsa.publicKey);
  const harmless = { ...hs, jwk, jku: 'https://evil.example/keys', x5u: 'https://evil.example/c', cty: 'x' };
  const headers = { authorization: `Bearer ${token(harmless, claims)}` };
  const { send } = await withKeys();
  t.like((await send('GET', '/_session', { headers })).json, { userCtx: { name: 'admin' } });
});

test('the unmodified tokens are valid', async (t) => {
  const { send } = await withKeys();
  for (const bearer of [good, goodRs, goodEs, token({ alg: 'HS256', typ: 'at+jwt' }, claims)]) {
    const { json } = await send('GET', '/_session', { headers: { authorization: `Bearer ${bearer}` } });
    t.like(json, { userCtx: { name: 'admin', roles: ['_admin'] }, info: { authenticated: 'jwt' } });
  }
});

async function raw(url: string, lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(['GET /_session HTTP/1.1', 'Host: x', 'Connection: close', ...lines, '', ''].join('\r\n'));
  return text(socket);
}
