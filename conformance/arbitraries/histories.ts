/** Histories of databases. `histories.test.ts` holds how often they reach what is rare. */
import fc from 'fast-check';
import type { Edit, Graft, History, NewAttachment, Write } from '../model/history.js';
import type { Body } from '../model/revisions.js';
import { ids } from './ids.js';
import { bodies } from './json.js';

/** What is written to which documents: by default any bodies, and no attachments. */
export interface Contents {
  readonly id?: fc.Arbitrary<string>;
  readonly body?: fc.Arbitrary<Body>;
  readonly attachments?: fc.Arbitrary<readonly NewAttachment[]>;
  readonly keeps?: fc.Arbitrary<boolean>;
}

const branch = (minLength: number, maxLength: number): fc.Arbitrary<number[]> =>
  fc.array(fc.nat({ max: 15 }), { minLength, maxLength });

/** Few documents that live through much. */
function eventful(stages: number, { id = ids, keeps, ...given }: Contents): fc.Arbitrary<History[]> {
  const contents = { body: bodies, ...given };

  const edits = fc.record<Edit>({
    kind: fc.oneof(
      { weight: 2, arbitrary: fc.constant('put' as const) },
      { weight: 1, arbitrary: fc.constant('delete' as const) },
    ),
    leaf: fc.nat({ max: 2 }),
    ...(keeps && { keeps }),
    ...contents,
  });
  const grafts = (from: fc.Arbitrary<number>, ranks: fc.Arbitrary<number[]>): fc.Arbitrary<Graft> =>
    fc.record<Graft>({
      kind: fc.constant('graft' as const),
      from,
      ranks,
      deleted: fc.nat({ max: 2 }).map((roll) => roll === 2),
      ...contents,
    });

  /** Anything, anywhere in the tree. */
  const wild: fc.Arbitrary<Write> = fc.oneof(edits, grafts(fc.nat({ max: 8 }), branch(1, 3)));

  /** Branches of nearly one length from one place: what only the hash decides. */
  const contending = grafts(fc.nat({ max: 1 }), branch(1, 2));

  /** Branches around ten generations: compared as text, `10-…` would come before `9-…`. */
  const tall = fc.tuple(grafts(fc.constant(0), branch(8, 9)), grafts(fc.constant(0), branch(10, 11)));

  // No minimal lengths: an array that may be empty can be shrunk from both its ends.
  const writes: fc.Arbitrary<Write[]> = fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: fc.array(wild, { maxLength: 5 }) },
    { weight: 3, arbitrary: fc.array(contending, { maxLength: 6 }) },
    { weight: 1, arbitrary: tall },
  );
  return staged(stages, id, writes, 10);
}

/** Many documents that live through little: what pages, batches and buffers are for. */
function crowded(
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
  const life = fc.record({
    id,
    stages: fc.array(stage, { minLength: stages, maxLength: stages }),
  });
  return fc
    .uniqueArray(life, { selector: ({ id }) => id, maxLength, size: 'max' })
    .map((lives) =>
      Array.from({ length: stages }, (_, stage) =>
        lives
          .map(({ id, stages }) => ({ id, writes: stages[stage]! }))
          .filter(({ writes }) => writes.length > 0),
      ),
    );
}

/**
 * So many histories of one database, each of which goes on where the one before has ended: a check can read the feed
 * in between. Some documents live in one of them only.
 */
export function stagedHistories(stages: number, contents: Contents = {}): fc.Arbitrary<History[]> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 9, arbitrary: eventful(stages, contents) },
    { weight: 1, arbitrary: crowded(stages, contents) },
  );
}

/** Histories of one stage, from the empty one to more than a hundred documents. */
export const histories: fc.Arbitrary<History> = stagedHistories(1).map(([only]) => only!);
