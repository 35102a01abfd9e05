/**
 * Finds changes of a cookie that also change its content. A server may decode a cookie as Base64, as Base32, as
 * hexadecimal digits or as percent-encoded text. It may accept a change that one of these encodings ignores: the last
 * character of Base64 and Base32 has unused bits, and Base32 and hexadecimal digits are not case-sensitive.
 */
import { decodeBase32 } from '../../play/one-time-codes.js';

/** All contents that a server may decode from a cookie, in a fixed order and as comparable text. */
export function decodings(cookie: string): string[] {
  const plain = percentDecoded(cookie);
  return [
    plain,
    // A value may have several parts, as a token has. Each part has its own unused bits.
    plain.replace(/[A-Za-z0-9+/_-]+=*/g, (part) => Buffer.from(part, 'base64url').toString('hex')),
    plain.replace(/\b[0-9A-Fa-f]+\b/g, (part) => part.toLowerCase()),
    // A shorter part may be a name, whose case matters.
    plain.replace(/\b[A-Za-z2-7]{16,}\b/g, (part) => decodeBase32(part.toUpperCase()).toString('hex')),
  ];
}

/** Replaces one character of the cookie. Returns nothing if a decoding stays the same. */
export function tampered(cookie: string, position: number, character: string): string | undefined {
  const changed = cookie.slice(0, position) + character + cookie.slice(position + 1);
  const original = decodings(cookie);
  return decodings(changed).some((content, index) => content === original[index]) ? undefined : changed;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
