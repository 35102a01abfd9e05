import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { dialects } from '../../../openapi/generated/dialects.js';
import { authenticationCapabilities } from '../probe/authentication-capabilities.js';
import { algOf, type Authentication, authenticationOf, type SigningKey } from './authentication.js';
import { Settings, type SettingValues } from './settings.js';

const source = 'from the test';

function authentication(
  values: SettingValues,
  options: { handlers?: string[]; keys?: SigningKey[] } = {},
): Authentication {
  const { handlers = ['cookie', 'proxy', 'jwt', 'default'], keys = [] } = options;
  return authenticationOf({
    handlers,
    settings: new Settings().with(values, source),
    keys,
    names: dialects.service,
  });
}

const available = (auth: Authentication): string[] =>
  authenticationCapabilities(auth, [], 'service').flatMap(({ name, available }) => (available ? name : []));

test('unknown settings stay unknown, and names default to those of the dialect', (t) => {
  t.deepEqual(authentication({}), {
    handlers: ['cookie', 'proxy', 'jwt', 'default'],
    proxy: {
      headers: {
        userName: 'X-Auth-Service-UserName',
        roles: 'X-Auth-Service-Roles',
        token: 'X-Auth-Service-Token',
      },
    },
    jwt: { keys: [], rolesClaim: ['_service.roles'] },
  });
  t.deepEqual(available(authentication({})), []);
});

test('required claims may have a value', (t) => {
  const { jwt } = authentication({ 'jwt_auth/required_claims': 'exp, {iss, "the issuer"},nbf' });
  t.deepEqual(jwt.requiredClaims, [{ name: 'exp' }, { name: 'iss', value: 'the issuer' }, { name: 'nbf' }]);
  t.deepEqual(authentication({ 'jwt_auth/required_claims': '' }).jwt.requiredClaims, []);
});

test('the path of the roles claim overrides its name, and dots in it can be escaped', (t) => {
  const name = { 'jwt_auth/roles_claim_name': 'my.roles' };
  t.deepEqual(authentication(name).jwt.rolesClaim, ['my.roles']);
  const both = { ...name, 'jwt_auth/roles_claim_path': 'a.b\\.c.d' };
  t.deepEqual(authentication(both).jwt.rolesClaim, ['a', 'b.c', 'd']);
});

test('algorithms get the names of node:crypto, and unsupported ones are left out', (t) => {
  const { proxy } = authentication({ 'chttpd_auth/hash_algorithms': 'sha256, sha,sha3_256, rot13' });
  t.deepEqual(proxy.algorithms, ['sha256', 'sha1', 'sha3-256']);
});

test('an hmac secret in the configuration is a signing key, a public key is not', (t) => {
  const auth = authentication({
    'jwt_keys/hmac:_default': Buffer.from('first').toString('base64'),
    'jwt_keys/hmac:a/b': Buffer.from('second').toString('base64'),
    'jwt_keys/rsa:r': '-----BEGIN PUBLIC KEY-----',
  });
  t.deepEqual(
    auth.jwt.keys.map(({ kid, key }) => [kid, key.export().toString()]),
    [
      [undefined, 'first'],
      ['a/b', 'second'],
    ],
  );
  t.deepEqual(available(auth), ['jwt-hmac']);
});

test('a key of the user overrides the key with the same name in the configuration', (t) => {
  const given: SigningKey = {
    type: 'hmac',
    kid: 'a',
    alg: 'HS256',
    source,
    configured: false,
    key: createSecretKey(Buffer.from('given')),
  };
  const auth = authentication({ 'jwt_keys/hmac:a': 'b3RoZXI=' }, { keys: [given] });
  t.deepEqual(auth.jwt.keys, [given]);
});

test('the algorithm of an EC key depends on its curve', (t) => {
  const algs = ['P-256', 'P-384', 'P-521'].map((namedCurve) =>
    algOf('ec', generateKeyPairSync('ec', { namedCurve }).privateKey),
  );
  t.deepEqual(algs, ['ES256', 'ES384', 'ES512']);
});

test('proxies are available without a token, or with a token whose secret is known', (t) => {
  t.deepEqual(available(authentication({ 'chttpd_auth/proxy_use_secret': null })), ['proxy']);
  t.deepEqual(available(authentication({ 'chttpd_auth/proxy_use_secret': 'true' })), []);
  const secret = { 'chttpd_auth/proxy_use_secret': 'true', 'chttpd_auth/secret': 'x' };
  t.deepEqual(available(authentication(secret)), ['proxy', 'proxy-secret']);
  t.deepEqual(available(authentication(secret, { handlers: ['cookie', 'default'] })), []);
});
