/** Document bodies: JSON that every conforming server must return unchanged. */
import fc from 'fast-check';
import type { Body } from '../oracle/revisions.js';

/**
 * Numbers that every JSON implementation preserves. RFC 8259 only guarantees the precision of a double, hence no
 * greater integers. There is no -0, since a server may return it as 0.
 */
const numbers = fc.oneof(
  fc.integer(),
  fc.constantFrom(0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0.1, 1e-7, -273.15),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => (value === 0 ? 0 : value)),
);

/**
 * Ordinary text, and text that is easily damaged. There are no lone surrogates, which UTF-8 cannot represent, and no
 * U+0000, which a conforming store need not support.
 */
export const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    'é', // one code point
    'e\u0301', // the same letter as two code points: a server must not normalize it
    '😀👨‍👩‍👧‍👦',
    '\u2028\u2029\u0085',
    '\t\r\n"\\/',
    '</script>&amp;%00%F0',
    'مرحبا',
    '\ufeffbyte order mark',
  ),
);

/** Long enough to span several buffers and chunks. */
const longTexts = fc
  .tuple(texts, fc.integer({ min: 1, max: 4 }))
  .map(([text, kilobytes]) => `${text}, lang. `.repeat(90 * kilobytes));

/**
 * Names of members. Names with a leading `_` are reserved for the server. The fixed names also occur in JavaScript
 * objects, rows and filters.
 */
const names = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'value', 'type') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'id', 'rev', 'seq', 'deleted', 'doc', 'toString', 'length', 'ключ'),
  },
  {
    weight: 1,
    arbitrary: texts.filter((text) => !text.startsWith('_')),
  },
);

const { value: values } = fc.letrec<{ value: unknown; list: unknown[]; object: Record<string, unknown> }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'json', withCrossShrink: true },
      { weight: 4, arbitrary: fc.oneof(fc.constant(null), fc.boolean(), numbers, texts) },
      { weight: 1, arbitrary: tie('list') },
      { weight: 1, arbitrary: tie('object') },
    ),
    list: fc.array(tie('value'), { maxLength: 3, depthIdentifier: 'json' }),
    object: fc.dictionary(names, tie('value'), {
      maxKeys: 3,
      depthIdentifier: 'json',
      noNullPrototype: true,
    }),
  }),
);

export const bodies: fc.Arbitrary<Body> = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.record({ value: fc.nat() }) },
  { weight: 4, arbitrary: fc.dictionary(names, values, { maxKeys: 4, noNullPrototype: true }) },
  { weight: 1, arbitrary: fc.record({ text: longTexts }) },
);
