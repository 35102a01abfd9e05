/** What `docfeed setup` gives a server under test, and the target file that tells the suite of it. */
import { randomBytes } from 'node:crypto';
import { stringify } from 'yaml';
import type { Dialect } from '../../openapi/generated/dialects.js';
import { type KeyType, keyTypes } from '../client/authentication.js';
import { handlerList } from '../client/handler-list.js';
import { makeKey, type MadeKey } from './keys.js';

const handlers = ['cookie', 'proxy', 'jwt', 'default'];
const algorithms = ['sha256', 'sha'];
const requiredClaims = 'exp, nbf, {iss, "docfeed"}';

/**
 * Two names beside the default of each kind, so that one key can be taken for another. Public keys share theirs, but not
 * with secrets: whoever looks for a secret there must find none.
 */
const kidsOf = (type: KeyType) =>
  type === 'hmac' ? ['docfeed-secret-one', 'docfeed-secret-two'] : ['docfeed-one', 'docfeed-two'];
const kidWithEquals = 'docfeed=three';

/**
 * Makes keys and a secret that nobody else has.
 *
 * @returns the text of an ini for the server, with CouchDB's names of sections and keys, and of the target file.
 */
export async function makeSetup(dialect: Dialect): Promise<{ ini: string; target: string }> {
  const keys = await Promise.all([
    ...keyTypes.flatMap((type) => [makeKey(type), ...kidsOf(type).map((kid) => makeKey(type, kid))]),
    makeKey('hmac', kidWithEquals),
  ]);
  const secret = randomBytes(16).toString('hex');
  return { ini: iniOf(dialect, keys, secret), target: targetOf(keys, secret) };
}

function iniOf(dialect: Dialect, keys: readonly MadeKey[], secret: string): string {
  const sections: Record<string, readonly (readonly [string, string])[]> = {
    chttpd: [['authentication_handlers', handlerList(handlers, dialect)]],
    chttpd_auth: [
      ['secret', secret],
      ['proxy_use_secret', 'true'],
      ['hash_algorithms', algorithms.join(', ')],
    ],
    jwt_auth: [['required_claims', requiredClaims]],
    jwt_keys: keys.map(({ name, value }) => [name, value]),
  };
  const text = Object.entries(sections).map(([section, entries]) =>
    [`[${section}]`, ...entries.map(([key, value]) => `${key} = ${value}`), ''].join('\n'),
  );
  return [
    '; Test keys, made by `docfeed setup` for one server under test. Never use them for anything else.',
    ...text,
  ].join('\n');
}

function targetOf(keys: readonly MadeKey[], secret: string): string {
  const content = {
    'jwt-keys': keys.map(({ type, kid, key }) => ({
      type,
      ...(kid === undefined ? {} : { kid }),
      key:
        type === 'hmac'
          ? key.export().toString('base64')
          : key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    })),
    'proxy-secret': secret,
    'hash-algorithms': algorithms,
    'required-claims': requiredClaims,
  };
  return `# What the suite needs to know of a server that runs with the ini of the same \`docfeed setup\`.\n${stringify(content)}`;
}
