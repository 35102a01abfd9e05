/** User names and roles for the headers of a proxy. */
import fc from 'fast-check';

/** Names with characters that have a meaning elsewhere, in both cases. */
export const specialProxyNames = ['A b', 'A,b', 'A:b', 'A%20b', 'A+b', 'User@example.org'];

/** Names that a header transports unchanged: no spaces at the ends, and ASCII only, since other text has no standard encoding. */
export const proxyNames = fc.oneof(
  fc.stringMatching(/^[!-~]([ -~]{0,14}[!-~])?$/),
  fc.constantFrom('anna', ...specialProxyNames),
);

/** Roles without commas, which separate them in the header. */
export const proxyRoles = fc.uniqueArray(
  fc.oneof(
    fc.stringMatching(/^[a-z][a-z0-9_-]{0,11}$/),
    fc.constantFrom('Sales', 'a:b', 'two words', 'a%2Cb'),
  ),
  { maxLength: 8 },
);
