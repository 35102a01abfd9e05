/** Document ids. */
import fc from 'fast-check';
import { texts } from './json.js';

/** Ids that break servers which build paths, keys or objects from them carelessly. */
const hard = [
  'a/b',
  '/',
  'a b',
  ' ',
  'a+b',
  '100%',
  '%2F',
  '?a=b&c#d',
  '😀',
  '"quoted"',
  '\\',
  'é', // one code point; the next is the same letter as two, and another document
  'e\u0301',
  'A',
  'a',
  '10',
  '9',
  'constructor',
  'x'.repeat(200),
];

/** Their bodies are as those of any other document: no views, filters or validation functions. */
export const designIds = fc.constantFrom('_design/a', '_design/b c', '_design/é', '_design/a/b');

export const ids: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: fc.nat({ max: 30 }).map((number) => `doc-${number}`) },
  { weight: 3, arbitrary: fc.constantFrom(...hard) },
  { weight: 1, arbitrary: designIds },
  { weight: 1, arbitrary: texts.filter((text) => text.length > 0 && !text.startsWith('_')) },
);
