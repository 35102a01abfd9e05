import test from 'ava';
import fc from 'fast-check';
import { expectedLeaves } from '../testing/leaves.js';
import {
  addRevision,
  ancestryOf,
  descendantLeaves,
  formatRevision,
  leavesOf,
  parseRevision,
  winningRevision,
  type Ancestry,
  type RevisionTree,
} from './revisions.js';

interface Arrival extends Ancestry {
  deleted: boolean;
}

interface Made {
  hash: string;
  generation: number;
  parent: number | undefined;
  deleted: boolean;
}

const hashes = 'abcdefghijklmnopqrstuvwxyz';

/** A random history: each revision has an earlier one as parent, or none. */
const history = fc
  .array(fc.record({ parent: fc.nat(), root: fc.integer({ min: 0, max: 9 }), deleted: fc.boolean() }), {
    minLength: 1,
    maxLength: hashes.length,
  })
  .map((seeds) => {
    const made: Made[] = [];
    for (const [index, { parent, root, deleted }] of seeds.entries()) {
      const from = index === 0 || root === 0 ? undefined : parent % index;
      const generation = from === undefined ? 1 : made[from]!.generation + 1;
      made.push({ hash: hashes[index]!, generation, parent: from, deleted });
    }
    return made;
  });

/** Replicated revisions of one history: a subset, in any order, with some of their ancestors. */
const arrivals = history.chain((made) =>
  fc
    .array(fc.record({ index: fc.nat(made.length - 1), depth: fc.integer({ min: 1, max: 8 }) }), {
      minLength: 1,
      maxLength: 20,
    })
    .map((picks) =>
      picks.map(({ index, depth }): Arrival => {
        const ids: string[] = [];
        for (let at: number | undefined = index; at !== undefined && ids.length < depth;) {
          ids.push(made[at]!.hash);
          at = made[at]!.parent;
        }
        return { start: made[index]!.generation, ids, deleted: made[index]!.deleted };
      }),
    ),
);

function build(list: Arrival[], limit = 1000): RevisionTree {
  let tree: RevisionTree = [];
  for (const arrival of list) ({ tree } = addRevision(tree, arrival, arrival.deleted, limit));
  return tree;
}

const expected = (list: Arrival[]) =>
  expectedLeaves(
    list.map(({ start, ids, deleted }) => ({
      path: ids.map((hash, back) => formatRevision(start - back, hash)),
      deleted,
    })),
  );

test('leaf revisions and winner do not depend on the order of arrival', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(arrivals, (list) => {
        t.deepEqual(leavesOf(build(list), winningRevision), expected(list));
        t.deepEqual(leavesOf(build(list.toReversed()), winningRevision), expected(list));
      }),
      { numRuns: 1000 },
    ),
  );
});

test('a path that connects three histories leaves one root', (t) => {
  const tree = build([
    { start: 5, ids: ['e'], deleted: false },
    { start: 3, ids: ['c', 'b', 'a'], deleted: false },
    { start: 5, ids: ['e', 'd', 'c', 'b'], deleted: false },
  ]);
  t.is(tree.length, 1);
  t.deepEqual(ancestryOf(tree, '5-e'), { start: 5, ids: ['e', 'd', 'c', 'b', 'a'] });
});

test('no path is longer than the limit, which does not affect the leaf revisions', (t) => {
  const chain = (length: number, tip: string): Arrival => ({
    start: length,
    ids: [tip, ...Array.from({ length: length - 1 }, (_, back) => `r${length - 1 - back}`)],
    deleted: false,
  });
  const list = [
    ...Array.from({ length: 30 }, (_, i) => chain(i + 1, `r${i + 1}`)),
    chain(28, 'x'),
    chain(31, 'y'),
  ];
  const tree = build(list, 10);
  t.deepEqual(leavesOf(tree, winningRevision), {
    winner: '31-y',
    deleted: false,
    conflicts: ['28-x'],
    deletedConflicts: [],
  });
  t.true(ancestryOf(tree, '31-y')!.ids.length >= 10);
  t.is(ancestryOf(tree, '5-r5'), undefined);

  const { removed } = addRevision(build(list.slice(0, 10), 10), chain(11, 'r11'), false, 10);
  t.deepEqual(removed, ['1-r1']);
});

test('an ancestry beyond the limit is not processed', (t) => {
  const ids = Array.from({ length: 100_000 }, (_, i) => `h${i}`);
  const { tree } = addRevision([], { start: 200_000, ids }, false, 1000);
  t.is(ancestryOf(tree, '200000-h0')!.ids.length, 1000);
});

test('descendants are found', (t) => {
  const tree = build([
    { start: 3, ids: ['c', 'b', 'a'], deleted: false },
    { start: 3, ids: ['d', 'b', 'a'], deleted: true },
  ]);
  t.deepEqual(descendantLeaves(tree, '2-b').sort(), ['3-c', '3-d']);
  t.deepEqual(descendantLeaves(tree, '3-d'), ['3-d']);
  t.deepEqual(descendantLeaves(tree, '2-z'), []);
});

test('a revision must have the form <n>-<hash>', (t) => {
  t.deepEqual(parseRevision('12-a-b'), { generation: 12, hash: 'a-b' });
  t.deepEqual(parseRevision('1-'), { generation: 1, hash: '' }, 'as in CouchDB');
  for (const text of [
    '',
    '1',
    '-a',
    '0-a',
    '01-a',
    '1.5-a',
    '1-a b',
    '1-ä',
    '1-a\n',
    '1-"',
    '9'.repeat(20) + '-a',
  ])
    t.is(parseRevision(text), undefined, text);
});
