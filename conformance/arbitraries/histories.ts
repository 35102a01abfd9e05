/** Histories of databases. `histories.test.ts` holds how often they reach what is rare. */
import fc from 'fast-check';
import type { Edit, Graft, History, Write } from '../model/history.js';
import { ids } from './ids.js';
import { bodies } from './json.js';

const edits: fc.Arbitrary<Edit> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('put' as const) },
    { weight: 1, arbitrary: fc.constant('delete' as const) },
  ),
  leaf: fc.nat({ max: 2 }),
  body: bodies,
});

const ranks = fc.nat({ max: 15 });

function grafts(from: fc.Arbitrary<number>, branch: fc.Arbitrary<number[]>): fc.Arbitrary<Graft> {
  return fc.record({
    kind: fc.constant('graft' as const),
    from,
    ranks: branch,
    deleted: fc.nat({ max: 2 }).map((roll) => roll === 2),
    body: bodies,
  });
}

/** Anything, anywhere in the tree. */
const wild: fc.Arbitrary<Write> = fc.oneof(
  edits,
  grafts(
    fc.nat({ max: 8 }),
    fc.oneof(
      { withCrossShrink: true },
      { weight: 8, arbitrary: fc.array(ranks, { minLength: 1, maxLength: 3 }) },
      // Beyond nine generations: compared as text, `10-…` would come before `9-…`.
      { weight: 1, arbitrary: fc.array(ranks, { minLength: 8, maxLength: 11 }) },
    ),
  ),
);

/** Branches of nearly one length from one place: what only the hash decides. */
const contending = grafts(fc.nat({ max: 1 }), fc.array(ranks, { minLength: 1, maxLength: 2 }));

/** Few documents that live through much. */
function eventful(stages: number): fc.Arbitrary<History[]> {
  // Of several stages a document may sleep through some.
  const minLength = stages === 1 ? 1 : 0;
  const writes = fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: fc.array(wild, { minLength, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(contending, { minLength: 2, maxLength: 5 }) },
  );
  return staged(stages, ids, writes, 6);
}

/** Many documents that live through little: what pages, batches and buffers are for. */
function crowded(stages: number): fc.Arbitrary<History[]> {
  const numbered = fc.nat({ max: 9999 }).map((number) => `doc-${number}`);
  const small: fc.Arbitrary<Write> = fc.record({
    kind: fc.constantFrom('put', 'put', 'put', 'delete'),
    leaf: fc.constant(0),
    body: fc.record({ value: fc.nat() }),
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
export function stagedHistories(stages: number): fc.Arbitrary<History[]> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 11, arbitrary: eventful(stages) },
    { weight: 1, arbitrary: crowded(stages) },
  );
}

/** Histories of one stage, from the empty one to more than a hundred documents. */
export const histories: fc.Arbitrary<History> = stagedHistories(1).map(([only]) => only!);
