/** Time-based one-time codes: RFC 6238 with SHA-1, six digits and periods of 30 seconds (SERVICE 5.5). */
import { createHmac } from 'node:crypto';

/** The validity of a code, in seconds. */
export const stepSeconds = 30;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** @throws RangeError if the text is not Base32. Padding is optional (RFC 4648, section 6). */
export function decodeBase32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, '')].map((character) => {
    const value = alphabet.indexOf(character);
    if (value < 0) throw new RangeError(`"${character}" is not a Base32 character.`);
    return value.toString(2).padStart(5, '0');
  });
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/**
 * The one-time code at a time.
 *
 * @param key in Base32
 * @param time in seconds since 1970
 */
export function oneTimeCode(key: string, time: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(time / stepSeconds)));
  const hash = createHmac('sha1', decodeBase32(key)).update(counter).digest();
  const number = hash.readUInt32BE(hash.at(-1)! & 0xf) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}
