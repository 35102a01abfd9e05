/** Document ids. */
import fc from 'fast-check';
import { texts } from './bodies.js';

/** Ids that break a server if it builds paths, keys or objects from them without escaping. */
const difficultIds = [
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
  'é', // one code point; the next id is the same letter as two code points, and thus another document
  'e\u0301',
  'A',
  'a',
  '10',
  '9',
  'constructor',
];

const longId = 'x'.repeat(200);

/** Design documents get ordinary bodies, without views, filters or validation functions. */
export const designIds: readonly string[] = [
  '_design/a',
  '_design/A',
  '_design/b c',
  '_design/é',
  '_design/a/b',
  '_design/_local',
];

/**
 * Ids of ordinary documents that resemble those with a meaning: of design documents, local documents and users. Other
 * ids that begin with `_` are refused by servers.
 */
const lookalikes = [
  'designer-1',
  'design/a',
  'x_design/a',
  'a/_design/a',
  ' _design/a',
  '%5Fdesign/a',
  'localhost',
  'local/a',
  'x_local/a',
  'org.couchdb.user:a',
  'org.service.user:a',
];
export const lookalikeIds = fc.constantFrom(...lookalikes);

/** Ids of ordinary documents that a server may confuse, change or escape wrongly. */
export const unusualIds: readonly string[] = [...difficultIds, ...lookalikes, longId];

export const ids: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.nat({ max: 30 }).map((number) => `doc-${number}`) },
  { weight: 3, arbitrary: fc.constantFrom(...difficultIds) },
  { weight: 1, arbitrary: fc.constant(longId) },
  { weight: 1, arbitrary: fc.constantFrom(...designIds) },
  { weight: 2, arbitrary: lookalikeIds },
  { weight: 1, arbitrary: texts.filter((text) => text.length > 0 && !text.startsWith('_')) },
);
