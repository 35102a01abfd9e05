/** Subjects, claims and roles for tokens. */
import fc from 'fast-check';
import type { Claims } from '../oracle/accepted-tokens.js';
import { role, roles } from './users.js';

/** Subjects that a server changes if it converts, splits or trims them. */
export const difficultSubjects: readonly string[] = [
  'Anna',
  'a b',
  ' a',
  'a ',
  'a:b',
  'a,b',
  'a/b',
  'a%20b',
  '"',
  "'",
  'ä€漢🔑',
  'user@example.org',
  '_x',
  'null',
  '0',
  '1.0',
  'e\u0301',
  'long '.repeat(20) + 'name',
];

/** Any text except the empty one, which may stand for an anonymous user, and lone surrogates, which UTF-8 cannot represent. */
export const subjects = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom(...difficultSubjects),
);

export { roles };

/** Roles that only an array can contain. */
export const rolesOfArray = fc.uniqueArray(
  fc.oneof(
    { weight: 2, arbitrary: role },
    { weight: 1, arbitrary: fc.constantFrom('a,b', ' a', 'a ', 'a, b') },
  ),
  { maxLength: 8 },
);

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

/** Times in seconds since 1970. */
const past = fc.integer({ min: 0, max: 1_000_000_000 });
const future = fc.integer({ min: 4_000_000_000, max: 9_000_000_000 });

const mostly = (usual: fc.Arbitrary<number>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: fc.oneof(anyValue, past, future) });

/** Times at which a token that requires them would be invalid. */
const times = fc.record(
  { exp: mostly(past), nbf: mostly(future), iat: mostly(future) },
  { requiredKeys: [] },
);

/** Claims that the target does not use, often with registered names. `used` are the names of claims that it uses. */
export function unrequiredClaims(used: readonly string[]): fc.Arbitrary<Claims> {
  const isUnused = (name: string) =>
    !used.includes(name) && !name.startsWith('_') && name !== 'sub' && name !== '__proto__';
  const others = fc.dictionary(names, anyValue, { maxKeys: 3, noNullPrototype: true });
  return fc
    .tuple(others, times)
    .map(([others, times]) =>
      Object.fromEntries(Object.entries({ ...others, ...times }).filter(([name]) => isUnused(name))),
    );
}

/** A comma with optional spaces. */
const comma = fc.constantFrom(',', ', ', ' ,', ' , ', ',  ');

/** The roles joined to one string. */
export function joined(list: readonly string[]): fc.Arbitrary<string> {
  return fc
    .array(comma, { minLength: list.length, maxLength: list.length })
    .map((commas) => list.map((role, index) => (index === 0 ? role : commas[index]! + role)).join(''));
}
