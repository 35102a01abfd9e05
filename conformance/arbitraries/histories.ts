/** Histories of databases. `histories.test.ts` verifies how often they reach rare cases. */
import fc from 'fast-check';
import type { Edit, History, NewAttachment, ReplicatedWrite, Write } from '../oracle/history.js';
import type { Body } from '../oracle/revisions.js';
import { ids, unusualIds } from './ids.js';
import { bodies } from './bodies.js';

/** Overrides for parts of the written documents. Default: any id and body, and no attachments. */
export interface Contents {
  readonly id?: fc.Arbitrary<string>;
  readonly body?: fc.Arbitrary<Body>;
  readonly attachments?: fc.Arbitrary<readonly NewAttachment[]>;
  readonly keepAttachments?: fc.Arbitrary<boolean>;
}

const hashDigits = (minLength: number, maxLength: number): fc.Arbitrary<number[]> =>
  fc.array(fc.nat({ max: 15 }), { minLength, maxLength });

/** Whether a revision is a deletion: one in three is. */
const deletions = fc.nat({ max: 2 }).map((roll) => roll === 2);

/** Few documents with many writes. */
function fewDocuments(
  stages: number,
  { id = ids, keepAttachments, ...overrides }: Contents,
): fc.Arbitrary<History[]> {
  const contents = { body: bodies, ...overrides };

  const edits = fc.record<Edit>({
    kind: fc.oneof(
      { weight: 2, arbitrary: fc.constant('put' as const) },
      { weight: 1, arbitrary: fc.constant('delete' as const) },
    ),
    leaf: fc.nat({ max: 2 }),
    ...(keepAttachments && { keepAttachments }),
    ...contents,
  });
  const replicated = (
    parent: fc.Arbitrary<number>,
    hashDigits: fc.Arbitrary<number[]>,
  ): fc.Arbitrary<ReplicatedWrite> =>
    fc.record<ReplicatedWrite>({
      kind: fc.constant('replicate' as const),
      parent,
      hashDigits,
      deleted: deletions,
      ...contents,
    });

  /** Any write, anywhere in the tree. */
  const anyWrite: fc.Arbitrary<Write> = fc.oneof(edits, replicated(fc.nat({ max: 8 }), hashDigits(1, 3)));

  /** Branches of nearly equal length with the same parent, so that often the hash decides between them. */
  const equalBranches = replicated(fc.nat({ max: 1 }), hashDigits(1, 2));

  /** Branches of equal length whose hashes differ only at their end. */
  const similarBranch = replicated(fc.constant(0), fc.constant([15]));
  const similarBranches = fc.tuple(similarBranch, similarBranch);

  /** Branches of about ten generations: a comparison as text would sort `10-…` before `9-…`. */
  const longBranches = fc.tuple(
    replicated(fc.constant(0), hashDigits(8, 9)),
    replicated(fc.constant(0), hashDigits(10, 11)),
  );

  // No minimum lengths: fast-check can shrink an array that may be empty from both ends.
  const writes: fc.Arbitrary<Write[]> = fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: fc.array(anyWrite, { maxLength: 5 }) },
    { weight: 3, arbitrary: fc.array(equalBranches, { maxLength: 6 }) },
    { weight: 1, arbitrary: similarBranches },
    { weight: 1, arbitrary: longBranches },
  );
  return staged(stages, id, writes, 10);
}

/** Many documents with few writes each: enough for several pages, batches and buffers. */
function manyDocuments(
  stages: number,
  { body = fc.record({ value: fc.nat() }) }: Contents,
): fc.Arbitrary<History[]> {
  const numbered = fc.nat({ max: 9999 }).map((number) => `doc-${number}`);
  const small = fc.record<Edit>({
    kind: fc.constantFrom('put', 'put', 'put', 'delete'),
    leaf: fc.constant(0),
    body,
  });
  return staged(stages, numbered, fc.array(small, { maxLength: 2 }), 120);
}

function staged(
  stages: number,
  id: fc.Arbitrary<string>,
  stage: fc.Arbitrary<Write[]>,
  maxLength: number,
): fc.Arbitrary<History[]> {
  const document = fc.record({
    id,
    stages: fc.array(stage, { minLength: stages, maxLength: stages }),
  });
  return fc
    .uniqueArray(document, { selector: ({ id }) => id, maxLength, size: 'max' })
    .map((documents) =>
      Array.from({ length: stages }, (_, stage) =>
        documents
          .map(({ id, stages }) => ({ id, writes: stages[stage]! }))
          .filter(({ writes }) => writes.length > 0),
      ),
    );
}

/**
 * The history of one database in consecutive stages, so that a check can read the feed in between. Some documents
 * occur in one stage only.
 */
export function stagedHistories(stages: number, contents: Contents = {}): fc.Arbitrary<History[]> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 9, arbitrary: fewDocuments(stages, contents) },
    { weight: 1, arbitrary: manyDocuments(stages, contents) },
  );
}

/** Adds the documents of other histories, except those whose id is taken. */
function join(stages: readonly History[], others: readonly History[]): History[] {
  const ids = new Set(stages.flat().map(({ id }) => id));
  return stages.map((stage, index) => [...stage, ...others[index]!.filter(({ id }) => !ids.has(id))]);
}

/**
 * Adds histories with the documents of two: the run plays a shared history only once, and a request takes many
 * documents, so a rich history costs as much as a poor one. Some have no documents.
 */
export function orJoined(histories: fc.Arbitrary<History[]>): fc.Arbitrary<History[]> {
  const joined = fc.tuple(histories, histories).map(([stages, others]) => join(stages, others));
  const empty = histories.map((stages) => stages.map(() => []));
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: empty },
    { weight: 4, arbitrary: histories },
    { weight: 4, arbitrary: joined },
  );
}

/**
 * The same documents with as many writes, but all by a replicator, which takes one request instead of several. For what
 * a database contains before a check opens its feed.
 */
export function replicated(history: History): History {
  return history.map(({ id, writes }) => {
    let revisions = 0;
    const replicatedWrites = writes.map((write): ReplicatedWrite => {
      const { body, attachments = [] } = write;
      const replicatedWrite: ReplicatedWrite =
        write.kind === 'replicate'
          ? write
          : {
              kind: 'replicate',
              // Continues the latest revision.
              parent: revisions,
              hashDigits: [(5 * write.leaf + revisions) % 16],
              deleted: write.kind === 'delete',
              body,
              attachments,
            };
      revisions += replicatedWrite.hashDigits.length;
      return replicatedWrite;
    });
    return { id, writes: replicatedWrites };
  });
}

/** Histories with one stage, from empty to more than a hundred documents. */
export const histories: fc.Arbitrary<History> = stagedHistories(1).map(([history]) => history!);

/** One or two leaf revisions. */
const someLeaves: fc.Arbitrary<ReplicatedWrite[]> = fc
  .array(fc.record({ deleted: deletions, body: bodies }), {
    minLength: 1,
    maxLength: 2,
  })
  .map((leaves) =>
    leaves.map((leaf, index) => ({ kind: 'replicate', parent: 0, hashDigits: [index], ...leaf })),
  );

/**
 * Adds documents with most of these ids to the first stage, unless it is empty. A request writes many documents, and
 * another one reads them, so that few cases show what a server does wrong with any of them.
 */
export function withMostOf(
  ids: readonly string[],
  histories: fc.Arbitrary<History[]>,
): fc.Arbitrary<History[]> {
  const documents = ids.map((id) => {
    const document = fc.record({ id: fc.constant(id), writes: someLeaves });
    return fc.option(document, { nil: undefined, freq: 4 });
  });
  return fc.tuple(histories, fc.tuple(...documents)).map(([[first, ...later], more]) => {
    const added = more.filter((document) => document !== undefined);
    return first!.length === 0 ? [first!, ...later] : [...join([first!], [added]), ...later];
  });
}

/** Histories for databases that checks share. */
export const sharedHistories: fc.Arbitrary<History> = withMostOf(
  unusualIds,
  orJoined(stagedHistories(1)),
).map(([history]) => history!);

/** Histories of what a database contains before a check opens its feed. */
export const existingContents: fc.Arbitrary<History> = histories.map(replicated);

/** More documents than a server may send or read at once. Every third one is deleted. Their ids make a long list. */
export const manyChanges: History = Array.from({ length: 1200 }, (_, index) => ({
  id: `${'many-'.repeat(8)}${index}`,
  writes: [
    {
      kind: 'replicate',
      parent: 0,
      hashDigits: [index % 16],
      deleted: index % 3 === 0,
      body: { value: index },
    },
  ],
}));

/** A document with more leaf revisions than generated ones have. Every fourth one is deleted. */
export const manyLeaves: History = [
  {
    id: 'conflicting',
    writes: Array.from({ length: 30 }, (_, index) => ({
      kind: 'replicate',
      parent: 0,
      hashDigits: [index % 16],
      deleted: index % 4 === 0,
      body: { value: index },
    })),
  },
];
