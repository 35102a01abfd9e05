/** Explains the terms of generated histories and of messages that a reader of a report may not know. */
import type { Term } from '../../reports/report.js';

const glossary: readonly (readonly [term: string, pattern: RegExp, explanation: string])[] = [
  [
    'leaf revision',
    /\b(leaf|leaves) revisions?\b|\blea(f|ves)\b(?!")/,
    'A revision that no other revision replaces. A document with several leaf revisions that are not deleted has a conflict.',
  ],
  [
    'winning revision',
    /\bwinn(er|ing)\b/,
    'The leaf revision that a plain read returns. Every server picks the same one: not deleted before deleted, then the longest branch, then the greatest revision id.',
  ],
  [
    '"put", "delete"',
    /"kind": "(put|delete)"/,
    'An ordinary write of a document or of a tombstone. The server chooses the revision id.',
  ],
  [
    '"leaf"',
    /"leaf":/,
    'The leaf revision that the write replaces: 0 is the winning revision, 1 the next one, and so on, starting over after the last.',
  ],
  [
    '"keepAttachments"',
    /"keepAttachments": true/,
    'The write keeps the attachments of the revision that it replaces.',
  ],
  [
    '"replicate"',
    /"kind": "replicate"/,
    'A write as replication sends it (new_edits: false). The client chooses the revision ids, so the write can create a conflict.',
  ],
  [
    '"parent"',
    /"parent": \d/,
    'The revision that the new branch starts at: 0 starts a new root, 1 is the first revision of the document, and so on.',
  ],
  [
    '"hashDigits"',
    /"hashDigits":/,
    'One number for each new revision of the branch, oldest first: the first hexadecimal digit (0 to 15) of its hash. Between branches of equal length the greater digit wins.',
  ],
];

/** @returns the terms that occur in the text, with their explanations. */
export function explainTerms(text: string): Term[] {
  return glossary.flatMap(([term, pattern, explanation]) =>
    pattern.test(text) ? [{ term, explanation }] : [],
  );
}
