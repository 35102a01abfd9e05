/** Names that resemble the right one but are others, so that what they name must have no effect. */

/** With more or less at one end. */
export const longerOrShorter = (name: string): string[] => [
  `x${name}`,
  `${name}x`,
  `-${name}`,
  `${name}-`,
  name.slice(1),
  name.slice(0, -1),
];

export const inAnotherCase = (name: string): string[] =>
  [name.toLowerCase(), name.toUpperCase(), swapCase(name)].filter((other) => other !== name);

const swapCase = (text: string): string =>
  text.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

export const withSpaces = (name: string): string[] => [` ${name}`, `${name} `];

/** Members of a JSON object. Their case is another matter: some libraries ignore it (Go's `encoding/json`). */
export const membersLike = (name: string): string[] => [...longerOrShorter(name), ...withSpaces(name)];

/** Members of a token, whose case matters (RFC 7515, section 5.3; RFC 7519, section 7.3). */
export const tokenMembersLike = (name: string): string[] => [...membersLike(name), ...inAnotherCase(name)];

/** Header fields. Their case never matters, and a gateway may take an underscore for a hyphen. */
export const headersLike = (name: string): string[] =>
  [`X-${name}`, `${name}x`, `${name}-2`, name.slice(0, -1), name.replaceAll('-', '_')].filter(
    (other) => other !== name,
  );

/**
 * Values of `Authorization` with another scheme. The case of a scheme does not matter (RFC 9110, section 11.1), nor does
 * the number of spaces after it.
 */
export const withSchemesLike = (scheme: string, credentials: string): string[] => [
  ...[...longerOrShorter(scheme), `${scheme}:`, `"${scheme}"`].map((other) => `${other} ${credentials}`),
  scheme + credentials,
  `${scheme}:${credentials}`,
  credentials,
];

/** Values of `Cookie` without a cookie of this name. The case of names matters (RFC 6265, section 5.4). */
export const withCookiesLike = (name: string, value: string): string[] => [
  ...[...longerOrShorter(name), ...inAnotherCase(name), `__Host-${name}`, percentEncoded(name)].map(
    (other) => `${other}=${value}`,
  ),
  // The cookie in the value of another one.
  `theme=${name}=${value}`,
];

const percentEncoded = (name: string): string =>
  name.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`);
