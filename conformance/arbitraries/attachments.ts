/** Attachments. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { NewAttachment } from '../model/history.js';

/** Names that differ in what has to be escaped in a path or looks like one. */
const names = fc.constantFrom('a.txt', 'b', 'c d/e.json', '😀ü.bin', 'a+b%2F.png');

/** Of some of these types real servers store the content compressed. */
const types = fc.constantFrom(
  'text/plain',
  'text/html; charset=utf-8',
  'application/json',
  'application/octet-stream',
  'image/png',
);

/**
 * From nothing to more than a buffer holds; the long ones are compressed well, or not at all. Long ones are told by a
 * number: element by element there would be too many ways to make them smaller.
 */
const contents: fc.Arbitrary<Uint8Array> = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constant(new Uint8Array()) },
  // In Base64 these need the two characters that other alphabets write otherwise.
  { weight: 2, arbitrary: fc.constant(Uint8Array.of(0xfb, 0xff, 0xfe, 0xff)) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 200, max: 3000 }).map((length) => Buffer.alloc(length, 'text ')),
  },
  { weight: 1, arbitrary: fc.nat().map(noise) },
);

/** Some 1300 bytes without order. */
function noise(seed: number): Uint8Array {
  return Buffer.concat(
    Array.from({ length: 40 }, (_, index) => createHash('sha256').update(`${seed} ${index}`).digest()),
  );
}

export const attachments: fc.Arbitrary<readonly NewAttachment[]> = fc.uniqueArray(
  fc.record({
    name: names,
    type: types,
    data: contents.map((bytes) => Buffer.from(bytes).toString('base64')),
  }),
  { selector: ({ name }) => name, maxLength: 3 },
);
