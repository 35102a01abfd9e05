/** Histories for consumers: generated from a seed, and what is true after they are played. */
import fc from 'fast-check';
import { attachments } from '../arbitraries/attachments.js';
import { unusualIds } from '../arbitraries/ids.js';
import { bodies } from '../arbitraries/bodies.js';
import type { DatabaseState, History, NewAttachment, Write } from '../oracle/history.js';
import { type Body, leaves } from '../oracle/revisions.js';

/** What a scenario writes. */
export interface HistoryShape {
  /** Number of documents. */
  readonly documents: number;
  /** Number of writes of each document in each part after the first. Default 0: each document is in one part only. */
  readonly updates?: number;
  /** Whether a third of the documents is deleted in its last part. */
  readonly deletes?: true;
  /** Whether a third of the documents is deleted in the part before the last one, and made again in the last one. */
  readonly recreates?: true;
  /** Whether a third of the documents gets conflicts. */
  readonly conflicts?: true;
  /** Whether a third of the documents loses its conflicts again: another leaf is deleted in each part, the winning one first. */
  readonly resolves?: true;
  /** Whether ids are names of members that objects have anyway, or differ in case or normal form only. */
  readonly similarIds?: true;
  /** Whether documents have members named like those of rows. */
  readonly likeRows?: true;
  /** Whether one document has more than this number of characters. */
  readonly size?: number;
  /** Whether documents have attachments, and a third of them are design documents. */
  readonly attachments?: true;
  /** Whether ids and bodies have text that is easily damaged. */
  readonly unusual?: true;
}

/** The documents of a group are those that a selector accepts. */
export type Group = 'a' | 'b';

/** The history of one database, with a part for each event `write` of the scenario. */
export function stagesOf(shape: HistoryShape, parts: number): fc.Arbitrary<History[]> {
  const {
    documents,
    updates = 0,
    deletes,
    recreates,
    conflicts,
    resolves,
    unusual,
    likeRows,
    similarIds,
    attachments: hasAttachments,
    size = 0,
  } = shape;
  const contents = fc.record({
    text: unusual ? unusualTexts : fc.constant('doc'),
    body: unusual ? bodies : likeRows ? bodiesLikeRows : plainBodies,
    attached: hasAttachments ? attachments : fc.constant([]),
  });
  const writesIn = (part: number, { body: content, attached }: Contents, index: number): Write[] => {
    // Each part has documents of both groups.
    const group: Group = Math.floor(index / parts) % 2 === 0 ? 'a' : 'b';
    const body = { ...content, ...(index === 0 && size > 0 && { text: 'x'.repeat(size) }), group };
    const age = part - (index % parts);
    const last = parts - 1;
    const isOfThird = index % 3 === 0;
    const isChosen = part === last && isOfThird;
    const isRemade = recreates && isOfThird;
    const hasConflicts = conflicts && isChosen;
    const losesConflicts = resolves && isOfThird;
    const deletion: Write = { kind: 'delete', leaf: 0, body: {} };
    return [
      ...Array.from({ length: age === 0 ? 1 : age > 0 ? updates : 0 }, (_, round) =>
        edit({ ...body, round }, attached),
      ),
      ...(hasConflicts ? [branch(1, body), branch(14, body)] : []),
      ...(deletes && isChosen ? [deletion] : []),
      ...(isRemade && part === last - 1 ? [deletion] : []),
      ...(isRemade && part === last ? [edit(body)] : []),
      // The winning leaf has a greater generation than the others.
      ...(losesConflicts && age === 0 ? [branch(1, body), branch(14, body), edit(body)] : []),
      ...(losesConflicts && age > 0 ? [deletion] : []),
    ];
  };
  return fc.array(contents, { minLength: documents, maxLength: documents, size: 'max' }).map((all) =>
    Array.from({ length: parts }, (_, part) =>
      all
        .map((content, index) => ({
          id:
            (similarIds && similar[index]) ??
            `${hasAttachments && index % 3 === 0 ? '_design/' : ''}${content.text}-${index}`,
          writes: writesIn(part, content, index),
        }))
        .filter(({ writes }) => writes.length > 0),
    ),
  );
}

interface Contents {
  readonly body: Body;
  readonly attached: readonly NewAttachment[];
}

const edit = (body: Body, attachments: readonly NewAttachment[] = []): Write => ({
  kind: 'put',
  leaf: 0,
  body,
  ...(attachments.length > 0 && { attachments }),
});

const branch = (digit: number, body: Body): Write => ({
  kind: 'replicate',
  parent: 0,
  hashDigits: [digit],
  deleted: false,
  body,
});

/** The last ones look alike in pairs: by case, or by the normal form of Unicode. */
const similar = [
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'name',
  'Name',
  'ı',
  'I',
  '\u00e9',
  'e\u0301',
  '\u212a',
  'K',
];

const unusualTexts = fc.constantFrom(...unusualIds, 'ünï-😀');
const plainBodies = fc.record({ value: fc.nat() });
const bodiesLikeRows = fc.record({
  deleted: fc.boolean(),
  id: fc.constantFrom('doc-0', 'other'),
  rev: fc.constant('9-abc'),
  seq: fc.nat(),
  last_seq: fc.nat(),
  pending: fc.nat(),
  changes: fc.constant([{ rev: '9-abc' }]),
  results: fc.constant([]),
  error: fc.constant('not_found'),
});

/** The state of a document that a consumer must know. */
export interface Truth {
  readonly rev: string;
  readonly deleted: boolean;
  /** All leaf revisions, sorted. */
  readonly leaves: readonly string[];
  readonly group: Group | undefined;
}

/**
 * What is true of each document.
 *
 * @param state with the winning revisions, which the service document does not define.
 */
export function truthOf(state: DatabaseState): Map<string, Truth> {
  return new Map(
    [...state].map(([id, tree]) => {
      const all = leaves(tree);
      const { rev, deleted, body } = all[0]!;
      const { group } = (body ?? {}) as { group?: Group };
      return [id, { rev, deleted, leaves: all.map((leaf) => leaf.rev).sort(), group }];
    }),
  );
}
