/** Parses and writes JSON, with all digits of long integers. */
import { parse, stringify } from 'lossless-json';

/** A number with more digits or a higher exponent than `number` has. It also matches some other numbers and texts. */
export const longNumber = /[[:,\s]-?\d{16}|\d[eE]\+?\d{3}/;

/**
 * Like `JSON.parse`, but an integer that would lose digits becomes a `bigint`. It is not in the type `Json`, because
 * only `toJson` knows it: what needs a number rejects it, as a value of another type.
 *
 * @throws SyntaxError for malformed JSON, RangeError for a number that is not in the range of `number`
 */
export function parseJson(text: string): unknown {
  // lossless-json takes two to three times as long.
  return longNumber.test(text)
    ? parse(text, undefined, { parseNumber: exactly, onDuplicateKey: ({ newValue }) => newValue })
    : JSON.parse(text);
}

/** Like `JSON.stringify`, also for what `parseJson` returns. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The only values that it refuses are those with a `bigint`: no value here has a cycle.
    if (error instanceof TypeError) return stringify(value)!;
    throw error;
  }
}

/** Longer integers take too long, because the time grows with the square of the length. */
const maxDigits = 1000;

function exactly(text: string): number | bigint {
  const value = Number(text);
  if (String(value) === text) return value;
  if (/^-?\d+$/.test(text) && !Number.isSafeInteger(value)) {
    if (text.length <= maxDigits) return BigInt(text);
    throw new RangeError(`an integer has more than ${maxDigits} digits`);
  }
  if (Number.isFinite(value)) return value;
  throw new RangeError(`the number ${text.slice(0, 40)} is out of range`);
}
