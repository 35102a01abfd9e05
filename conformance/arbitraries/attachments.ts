/** Attachments. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { NewAttachment } from '../oracle/history.js';

/** Names with characters that must be escaped in a path. */
const names = fc.constantFrom('a.txt', 'b', 'c d/e.json', '😀ü.bin', 'a+b%2F.png');

/** Servers compress the content of some of these types. */
const types = fc.constantFrom(
  'text/plain',
  'text/html; charset=utf-8',
  'application/json',
  'application/octet-stream',
  'image/png',
);

/**
 * From empty content to more than one buffer. Long content either compresses well or not at all. It is generated from
 * one number, since shrinking it byte by byte would take too many steps.
 */
const contents: fc.Arbitrary<Uint8Array> = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constant(new Uint8Array()) },
  // Contains the Base64 characters + and /, which base64url replaces.
  { weight: 2, arbitrary: fc.constant(Uint8Array.of(0xfb, 0xff, 0xfe, 0xff)) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 200, max: 3000 }).map((length) => Buffer.alloc(length, 'text ')),
  },
  { weight: 1, arbitrary: fc.nat().map((seed) => randomBytes(seed, 1280)) },
  { weight: 1, arbitrary: fc.nat().map((seed) => randomBytes(seed, 32_768)) },
);

/** Every server that compresses attachments compresses this one. */
export const compressibleAttachment: NewAttachment = {
  name: 'text.txt',
  type: 'text/plain',
  data: Buffer.alloc(2000, 'text ').toString('base64'),
};

/** Pseudorandom bytes. */
const randomBytes = (seed: number, length: number): Uint8Array =>
  createHash('shake256', { outputLength: length }).update(`${seed}`).digest();

export const attachments: fc.Arbitrary<readonly NewAttachment[]> = fc.uniqueArray(
  fc.record({
    name: names,
    type: types,
    data: contents.map((bytes) => Buffer.from(bytes).toString('base64')),
  }),
  { selector: ({ name }) => name, maxLength: 5 },
);
