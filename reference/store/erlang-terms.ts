/**
 * Writes values in the external format of Erlang, as `term_to_binary(Term, [{minor_version, 1}])` does. Each function
 * returns bytes, one in each character.
 */

/** Writes a term: the byte of the version, and the value. */
export const term = (value: string): string => `\x83${value}`;

export const atom = (name: string): string => `d${unsigned16(name.length)}${name}`;

/** @param bytes one in each character */
export const binary = (bytes: string): string => `m${unsigned32(bytes.length)}${bytes}`;

export const text = (value: string): string => binary(Buffer.from(value).toString('latin1'));

export const tuple = (...values: readonly string[]): string =>
  `h${String.fromCharCode(values.length)}${values.join('')}`;

const emptyList = 'j';

/** A list of bytes is written as a string of Erlang. */
const isByte = (value: string): boolean => value.length === 2 && value.startsWith('a');
const maxString = 0xffff;

export function list(values: readonly string[]): string {
  if (values.length === 0) return emptyList;
  if (values.length <= maxString && values.every(isByte))
    return `k${unsigned16(values.length)}${values.map((value) => value[1]).join('')}`;
  return `l${unsigned32(values.length)}${values.join('')}${emptyList}`;
}

export function number(value: number | bigint): string {
  // JavaScript writes longer integers with an exponent. CouchDB parses such numbers as floats.
  if (typeof value === 'number' && !(Number.isInteger(value) && Math.abs(value) < 1e21)) return float(value);
  if (0 <= value && value <= 0xff) return `a${String.fromCharCode(Number(value))}`;
  if (-0x8000_0000 <= value && value <= 0x7fff_ffff) return `b${unsigned32(Number(value))}`;
  return bigInteger(BigInt(value));
}

function float(value: number): string {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleBE(value);
  return `F${bytes.toString('latin1')}`;
}

function bigInteger(value: bigint): string {
  const sign = value < 0n ? '\x01' : '\0';
  const digits = (value < 0n ? -value : value).toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex').reverse();
  const head =
    bytes.length <= 0xff ? `n${String.fromCharCode(bytes.length)}` : `o${unsigned32(bytes.length)}`;
  return head + sign + bytes.toString('latin1');
}

const unsigned16 = (value: number): string => String.fromCharCode(value >>> 8, value & 0xff);

const unsigned32 = (value: number): string => unsigned16(value >>> 16) + unsigned16(value & 0xffff);
