/** What a proxy may say of a user. */
import fc from 'fast-check';

/** Names that a header carries as they are: no blank at either end, and nothing beyond ASCII, which has no one form. */
export const proxyNames = fc.oneof(
  fc.stringMatching(/^[!-~]([ -~]{0,14}[!-~])?$/),
  fc.constantFrom('anna', 'a b', 'a,b', 'a:b', 'user@example.org'),
);

/** Roles are separated by commas. */
export const proxyRoles = fc.uniqueArray(
  fc.oneof(fc.stringMatching(/^[a-z][a-z0-9_-]{0,11}$/), fc.constantFrom('Sales', 'a:b', 'two words')),
  { maxLength: 4 },
);
