/** Users as an administrator may create them. */
import fc from 'fast-check';

/** Role names that every server must accept: names with a leading underscore are reserved for the server. */
export const role = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9_-]{0,11}$/),
  fc.constantFrom('Sales', 'a:b', 'zwei Wörter', '編集'),
);

export const roles = fc.uniqueArray(role, { maxLength: 8 });

/**
 * Keys of 20 bytes and more in Base32, that is A to Z and 2 to 7 (SERVICE 2.4). Without other characters, the length of
 * such a text is a multiple of eight.
 */
export const secondFactorKeys = fc.constantFrom(40, 32, 48, 56, 64).chain((length) =>
  fc.string({
    unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
    minLength: length,
    maxLength: length,
  }),
);

/** Suffixes of user names, with any of the parts that a server may not take for a part of a name. */
export const nameEnd = fc.subarray(['@example.org', '.b_c', '+d', ' e', 'é']).map((parts) => parts.join(''));

/** Printable characters of any script. Many have a colon: only the first colon in a basic token is the separator. */
export const password = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.constant(':') },
      { weight: 2, arbitrary: fc.constantFrom('%', '+', '=', '"', '\\', ' ', 'ß', '€', '密', '🔑') },
    ),
    { minLength: 1, maxLength: 16 },
  )
  .map((characters) => characters.join(''));

/** The options of a user whom a check creates. */
export const newUsers = fc.record({ nameEnd, password, roles });
