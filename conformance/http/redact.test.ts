import test from 'ava';
import fc from 'fast-check';
import { createRedactor } from './redact.js';

const { header, text, sentText, secrets } = createRedactor(['top secret']);

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

test('redacts credentials in headers, but not their scheme', (t) => {
  t.is(header('Authorization', basic('admin:top secret')), 'Basic [redacted]');
  t.is(header('authorization', 'Bearer a.b.c'), 'Bearer [redacted]');
  t.is(header('authorization', 'whatever'), '[redacted]');
  t.is(header('X-Auth-CouchDB-Token', 'abcdef'), '[redacted]');
  t.is(header('X-Auth-CouchDB-UserName', 'anna'), 'anna');
  t.regex(
    header('Cookie', 'theme=dark; AuthSession=abc; x=y'),
    /^theme=dark; AuthSession=\[redacted \w{8}\]; x=y$/,
  );
  t.regex(
    header('Set-Cookie', 'AuthSession=abc; Path=/; HttpOnly'),
    /^AuthSession=\[redacted \w{8}\]; Path=\/; HttpOnly$/,
  );
  t.is(header('Content-Type', 'application/json'), 'application/json');
});

test('redacts credentials under similar names', (t) => {
  t.is(header('Proxy-Authorization', 'Bearer abc'), 'Bearer [redacted]');
  t.is(header('X-Authorization', 'abc'), '[redacted]');
  t.is(header('X_Auth_CouchDB_Token', 'abc'), '[redacted]');
  t.regex(
    header('Cookie', 'theme=dark; xAuthSession2=0123456789abcdef; a=AuthSession=0123456789abcdef'),
    /^theme=dark; xAuthSession2=\[redacted \w{8}\]; a=\[redacted \w{8}\]$/,
  );
});

test('redacts secrets in JSON and in forms', (t) => {
  t.is(
    text('{"name":"anna","password":"x\\"y","roles":[]}'),
    '{"name":"anna","password":"[redacted]","roles":[]}',
  );
  t.is(text('{"token": 123456}'), '{"token": "[redacted]"}');
  t.is(text('{"totp":{"key":"ABC"},"key":"doc"}'), '{"totp":"[redacted]","key":"doc"}');
  t.is(text('name=anna&password=x%26y&next=/'), 'name=anna&password=[redacted]&next=/');
  t.is(
    text('{"derived_key":"ab","salt":"cd","id":"1"}'),
    '{"derived_key":"[redacted]","salt":"[redacted]","id":"1"}',
  );
});

test('equal cookies have equal marks, different cookies have different ones', (t) => {
  const cookie = (value: string) => header('Cookie', `AuthSession=${value}`);
  t.is(cookie('abc'), header('Set-Cookie', 'AuthSession=abc'));
  t.not(cookie('abc'), cookie('abd'));
});

test('keeps passwords that the suite generated, and redacts given ones', (t) => {
  t.is(header('authorization', basic('anna:made up')), basic('anna:made up'));
  t.is(sentText('{"name":"anna","password":"made up"}'), '{"name":"anna","password":"made up"}');
  t.is(sentText('name=anna&password=made'), 'name=anna&password=made');
  t.is(
    sentText('{"password":"top secret","token":"123456"}'),
    '{"password":"[redacted]","token":"[redacted]"}',
  );
});

test('redacts given secrets everywhere', (t) => {
  t.is(text('{"reason":"no user with top secret"}'), '{"reason":"no user with [redacted]"}');
  t.is(text('/db?x=top%20secret'), '/db?x=[redacted]');
  t.is(header('X-Debug', 'top secret'), '[redacted]');
  t.is(secrets('top secret and password=1'), '[redacted] and password=1');
});

test('redacts a short secret as a word, but not inside other words', (t) => {
  const { secrets } = createRedactor(['secret']);
  t.is(secrets('proxy_use_secret, secretary'), 'proxy_use_secret, secretary');
  for (const text of [
    'secret',
    '"secret"',
    'a:secret@b',
    'x=%3Dsecret&',
    '\\nsecret',
    '\\u0022secret',
    '-secret.',
  ]) {
    t.is(secrets(text), text.replace('secret', '[redacted]'));
  }
  t.is(createRedactor(['ünïcode$1']).secrets('ünïcode$1 and xünïcode$1'), '[redacted] and xünïcode$1');
  t.is(createRedactor(['twelve bytes']).secrets('xtwelve bytesx'), 'x[redacted]x');
});

test('a redacted JSON body is still JSON and has no password', (t) => {
  fc.assert(
    fc.property(fc.string({ minLength: 6 }), fc.json(), (password, rest) => {
      const body = JSON.stringify({ rest: JSON.parse(rest) as unknown, password: `<<${password}>>` });
      const shown = JSON.parse(text(body)) as { password: string };
      t.is(shown.password, '[redacted]');
    }),
  );
});

test('redacts secrets that are added later', (t) => {
  const redact = createRedactor([]);
  redact.addSecrets(['s3cret/']);
  t.is(redact.text('/a?b=s3cret%2F and s3cret/'), '/a?b=[redacted] and [redacted]');
});
