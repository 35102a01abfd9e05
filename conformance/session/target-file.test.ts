import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { emptyFolder } from '../../reports/testing/folder.js';
import { Refusal } from '../engine/refusal.js';
import { readCheckOptions, readTargetFile } from './target-file.js';
import { readTargetOptions } from './declared-target.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const pem = rsa.export({ type: 'pkcs8', format: 'pem' }).toString();

async function writeTarget(t: ExecutionContext, text: string): Promise<string> {
  const dir = await emptyFolder(t);
  await writeFile(join(dir, 'rsa.pem'), pem);
  const file = join(dir, 'target.yaml');
  await writeFile(file, text);
  return file;
}

/** The message without the folder. */
async function refusalMessage(t: ExecutionContext, text: string): Promise<string> {
  const file = await writeTarget(t, text);
  const error = await t.throwsAsync(readTargetFile(file), { instanceOf: Refusal });
  t.is(error.exitCode, 2);
  return error.message.replace(file, basename(file));
}

test('reads keys as text, from files and from the environment', async (t) => {
  process.env['DOCFEED_TEST_SECRET'] = 'c2VjcmV0';
  const file = await writeTarget(
    t,
    `
jwt-keys:
  - { type: hmac, kid: a, key: { env: DOCFEED_TEST_SECRET } }
  - { type: hmac, key: Zmlyc3Q= }
  - { type: rsa, kid: a, key: { file: rsa.pem } }
proxy-secret: hush
hash-algorithms: [sha256, sha]
required-claims: exp, nbf
capabilities: { functions: false, totp: true }
`,
  );
  const { keys, settings, declared, secrets } = await readTargetFile(file);
  t.deepEqual(
    keys.map(({ type, kid, alg }) => [type, kid, alg]),
    [
      ['hmac', 'a', 'HS256'],
      ['hmac', undefined, 'HS256'],
      ['rsa', 'a', 'RS256'],
    ],
  );
  t.deepEqual(
    keys.slice(0, 2).map(({ key }) => key.export().toString()),
    ['secret', 'first'],
  );
  t.true(keys[2]!.key.equals(rsa));
  t.deepEqual(settings, {
    'chttpd_auth/secret': 'hush',
    'chttpd_auth/proxy_use_secret': 'true',
    'chttpd_auth/hash_algorithms': 'sha256, sha',
    'jwt_auth/required_claims': 'exp, nbf',
  });
  t.deepEqual(
    declared.map(({ name, available }) => [name, available]),
    [
      ['functions', false],
      ['totp', true],
    ],
  );
  t.deepEqual(secrets, ['c2VjcmV0', 'Zmlyc3Q=', pem.trimEnd(), 'hush']);
});

test('an empty file declares nothing', async (t) => {
  t.deepEqual(await readTargetFile(await writeTarget(t, '# nothing yet\n')), {
    keys: [],
    settings: {},
    declared: [],
    required: [],
    databases: {},
    secrets: [],
  });
});

test('reads how databases are created: with a body, or by commands in the folder of the file', async (t) => {
  const withBody = await readTargetFile(await writeTarget(t, 'databases: { create-body: { a: 1 } }\n'));
  t.deepEqual(withBody.databases, { body: { a: 1 } });
  const file = await writeTarget(t, 'databases: { create: make it, remove: drop it }\n');
  const { databases } = await readTargetFile(file);
  t.deepEqual(databases.commands, {
    create: { name: `databases.create in ${file}`, command: 'make it', folder: dirname(file) },
    remove: { name: `databases.remove in ${file}`, command: 'drop it', folder: dirname(file) },
  });
});

const invalid: readonly (readonly [text: string, message: RegExp])[] = [
  ['\n- a\n', /^target\.yaml:2: must be object$/],
  ['proxy-secret: "a secret\n', /^target\.yaml:2: invalid YAML: /],
  [
    'capabilities: {}\njwt_keys: []\n',
    /^target\.yaml:2: must not have the property "jwt_keys"; allowed: check, jwt-keys, /,
  ],
  [
    'jwt-keys:\n  - type: dsa\n    key: x\n',
    /^target\.yaml:2: jwt-keys\.0\.type must be one of hmac, rsa, ec$/,
  ],
  [
    'databases:\n  create: make it\n',
    /^target\.yaml:1: databases must have property remove when property create is present$/,
  ],
  ['databases: { create-body: {}, create: a, remove: b }\n', /create-body has no effect beside `create`$/],
  ['jwt-keys:\n  - type: rsa\n', /^target\.yaml:2: jwt-keys\.0 must have the property "key"$/],
  [
    '\nproxy-secret: 7\n',
    /^target\.yaml:2: proxy-secret must be a string, \{ file: PATH \} or \{ env: VARIABLE \}$/,
  ],
  [
    'proxy-secret: { file: none }\n',
    /^target\.yaml:1: proxy-secret refers to the file none, which cannot be read: ENOENT$/,
  ],
  [
    'proxy-secret: { env: DOCFEED_NOT_SET }\n',
    /:1: proxy-secret refers to the environment variable DOCFEED_NOT_SET, which/,
  ],
  [
    'jwt-keys:\n- type: hmac\n  key: a secret\n',
    /^target\.yaml:3: jwt-keys\.0\.key must be base64, as in jwt_keys$/,
  ],
  [
    'jwt-keys:\n- type: rsa\n  key: a secret\n',
    /^target\.yaml:3: jwt-keys\.0\.key must be a private key in PEM format without a passphrase$/,
  ],
  [
    'jwt-keys:\n- type: ec\n  key: { file: rsa.pem }\n',
    /:3: jwt-keys\.0\.key must be a key of type ec, not rsa$/,
  ],
  [
    'jwt-keys:\n- { type: hmac, key: YQ== }\n- { type: hmac, key: YQ== }',
    /:3: jwt-keys\.1 is the second hmac key with this kid$/,
  ],
  [
    'capabilities:\n  wings: true\n',
    /^target\.yaml:2: capabilities\.wings is not a capability; capabilities: admin, /,
  ],
  ['require:\n- users\n- clutser\n', /:3: require\.1 is not a capability; did you mean cluster\?$/],
  [
    'capabilities:\n  jwt-rsa: true\n',
    /:2: capabilities\.jwt-rsa cannot be declared; set jwt-keys in the target file$/,
  ],
];

for (const [text, message] of invalid) {
  test(`refuses an invalid file with the line and without secrets: ${JSON.stringify(text)}`, async (t) => {
    const actual = await refusalMessage(t, text);
    t.regex(actual, message);
    t.false(actual.includes('a secret'));
  });
}

test('capabilities are required by the file and by flags', async (t) => {
  const target = await writeTarget(t, 'require: [users, functions]\n');
  const { required } = await readTargetOptions({ target, require: ['cluster'] });
  t.deepEqual(required, ['users', 'functions', 'cluster']);
});

test('flags override the file and must name a capability', async (t) => {
  const target = await writeTarget(t, 'capabilities: { functions: true }\n');
  const { declared } = await readTargetOptions({ target, lack: ['functions'] });
  t.like(declared.at(-1), { name: 'functions', available: false, how: 'declared with --lack' });
  await t.throwsAsync(readTargetOptions({ have: ['wings'] }), {
    message: /^--have wings is not a capability; capabilities: admin/,
  });
  await t.throwsAsync(readTargetOptions({ have: ['config-write'] }), {
    message: '--have config-write cannot be declared; use --configure',
  });
});

test('holds options of check, except those that are given, with paths from its folder', async (t) => {
  process.env['DOCFEED_TEST_ADMIN'] = 'admin:secret';
  const file = await writeTarget(
    t,
    `
check:
  url: http://127.0.0.1:5984
  admin: { env: DOCFEED_TEST_ADMIN }
  profile: smoke
  skip: [cluster-*]
  baseline: known.yaml
capabilities: { totp: true }
`,
  );
  t.deepEqual(await readCheckOptions(file, (name) => name === 'profile'), {
    urls: ['http://127.0.0.1:5984'],
    options: { admin: 'admin:secret', skip: ['cluster-*'], baseline: join(dirname(file), 'known.yaml') },
  });
  const nodes = await writeTarget(t, 'check: { url: [http://a, http://b] }');
  t.deepEqual(await readCheckOptions(nodes, () => false), { urls: ['http://a', 'http://b'], options: {} });
});

test('a wrong option of check is refused with its line, and a password is not quoted', async (t) => {
  const messages = {
    '\ncheck:\n  profil: smoke': /^target\.yaml:3: check /,
    '\ncheck:\n  profile: smoek': /^target\.yaml:3: check\.profile .*smoke/,
    '\ncheck:\n  admin: root:hush': /^target\.yaml:3: check\.admin must be { env: VARIABLE }$/,
    '\ncheck:\n  admin: { env: DOCFEED_TEST_NOT_SET }':
      /^target\.yaml:3: check\.admin .*DOCFEED_TEST_NOT_SET, which is not set$/,
  };
  for (const [text, message] of Object.entries(messages)) {
    const file = await writeTarget(t, text);
    const error = await t.throwsAsync(
      readCheckOptions(file, () => false),
      { instanceOf: Refusal },
    );
    const shown = error.message.replace(file, basename(file));
    t.regex(shown, message);
    t.false(shown.includes('hush'));
  }
});
