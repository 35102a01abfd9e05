/** Subjects, claims and roles for tokens. */
import fc from 'fast-check';
import type { Claims } from '../model/tokens.js';
import { roles } from './users.js';

/** Any text except the empty one, which may stand for an anonymous user, and lone surrogates, which UTF-8 cannot represent. */
export const subjects = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('a b', 'a:b', 'a,b', 'ä€漢🔑', 'user@example.org', '_x', 'null', '0', 'a/b', '"', "'"),
);

export { roles };

/** Values for claims that are not required. */
const anyValue = fc.oneof(
  fc.constantFrom(null, 0, -1, 1, 1e300, 9_999_999_999, '', 'never', true, false),
  fc.jsonValue({ maxDepth: 2 }),
);

const names = fc.oneof(
  fc.constantFrom(
    'exp',
    'nbf',
    'iat',
    'iss',
    'aud',
    'jti',
    'auth_time',
    'azp',
    'cnf',
    'x',
    'toString',
    'ключ',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
);

/** Times in the distant past and future, in seconds since 1970. */
const seconds = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000_000 }),
  fc.integer({ min: 4_000_000_000, max: 9_000_000_000 }),
);

/** Claims that the target does not use, often with registered names. `used` are the names of claims that it uses. */
export function unrequiredClaims(used: readonly string[]): fc.Arbitrary<Claims> {
  const isUnused = (name: string) =>
    !used.includes(name) && !name.startsWith('_') && name !== 'sub' && name !== '__proto__';
  const some = fc.oneof(names, fc.constantFrom('exp', 'nbf', 'iat')).filter(isUnused);
  const values = fc.oneof(anyValue, seconds);
  return fc.dictionary(some, values, { minKeys: 1, maxKeys: 4, noNullPrototype: true });
}

/** A comma with optional spaces. */
const comma = fc.constantFrom(',', ', ', ' ,', ' , ', ',  ');

/** The roles joined to one string. */
export function joined(list: readonly string[]): fc.Arbitrary<string> {
  return fc
    .array(comma, { minLength: list.length, maxLength: list.length })
    .map((commas) => list.map((role, index) => (index === 0 ? role : commas[index]! + role)).join(''));
}
