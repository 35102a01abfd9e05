/** What tokens may say. */
import fc from 'fast-check';
import type { Claims } from '../model/tokens.js';
import { roles } from './users.js';

/** Any text but the empty one, which may as well be nobody's name. No lone surrogates: UTF-8 has no form for them. */
export const subjects = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('a b', 'a:b', 'a,b', 'ä€漢🔑', 'user@example.org', '_x', 'null', '0', 'a/b', '"', "'"),
);

export { roles };

/** Values that a claim which nobody asks for may have. */
const anything = fc.oneof(
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

/** Long ago, and far away. */
const seconds = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000_000 }),
  fc.integer({ min: 4_000_000_000, max: 9_000_000_000 }),
);

/** Claims without a meaning, often such as have one elsewhere. `meant` are the names that have one. */
export function unrequiredClaims(meant: readonly string[]): fc.Arbitrary<Claims> {
  const isFree = (name: string) =>
    !meant.includes(name) && !name.startsWith('_') && name !== 'sub' && name !== '__proto__';
  const some = fc.oneof(names, fc.constantFrom('exp', 'nbf', 'iat')).filter(isFree);
  const values = fc.oneof(anything, seconds);
  return fc.dictionary(some, values, { minKeys: 1, maxKeys: 4, noNullPrototype: true });
}

/** Blanks around a comma. */
const comma = fc.constantFrom(',', ', ', ' ,', ' , ', ',  ');

/** The same roles in a string. */
export function joined(list: readonly string[]): fc.Arbitrary<string> {
  return fc
    .array(comma, { minLength: list.length, maxLength: list.length })
    .map((commas) => list.map((role, index) => (index === 0 ? role : commas[index]! + role)).join(''));
}
