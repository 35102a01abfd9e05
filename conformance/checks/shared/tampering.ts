/**
 * Which changes of a cookie's text are changes of what it says. A server may read a cookie as base64, as hexadecimal
 * digits or percent-encoded; a change that any of these readings does not notice is one that it may accept: the last
 * character of base64 has bits that mean nothing, and digits have two cases.
 */

/** Everything that a server may read out of a cookie, as comparable text; the same readings in the same order. */
export function decodings(cookie: string): string[] {
  const plain = percentDecoded(cookie);
  return [
    plain,
    // Also for values of several parts, such as a token: each part has its own spare bits.
    plain.replace(/[A-Za-z0-9+/_-]+=*/g, (part) => Buffer.from(part, 'base64url').toString('hex')),
    plain.replace(/\b[0-9A-Fa-f]+\b/g, (part) => part.toLowerCase()),
  ];
}

/** The cookie with one character replaced, or nothing when that changes no reading of it. */
export function tampered(cookie: string, position: number, character: string): string | undefined {
  const changed = cookie.slice(0, position) + character + cookie.slice(position + 1);
  const original = decodings(cookie);
  return decodings(changed).some((reading, index) => reading === original[index]) ? undefined : changed;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
