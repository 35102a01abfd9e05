import test from 'ava';
import fc from 'fast-check';
import {
  addRevision,
  ancestry,
  emptyTree,
  leaves,
  winner,
  withWinner,
  type Revision,
  type RevisionTree,
} from './revisions.js';

/** The parent of each revision is an earlier one or none. Hashes are taken from a small range, so that equal ones occur. */
const tables: fc.Arbitrary<(Revision & { history: string[] })[]> = fc
  .array(fc.record({ from: fc.nat(), hash: fc.nat({ max: 255 }), deleted: fc.boolean() }), {
    minLength: 1,
    maxLength: 14,
  })
  .map((nodes) => {
    const table: (Revision & { history: string[] })[] = [];
    for (const [index, { from, hash, deleted }] of nodes.entries()) {
      const parent = [undefined, ...table][from % (table.length + 1)];
      const rev = `${(parent?.history.length ?? 0) + 1}-${hash.toString(16).padStart(2, '0')}${index.toString(16)}`;
      table.push({
        rev,
        parent: parent?.rev,
        deleted,
        body: { index },
        history: [rev, ...(parent?.history ?? [])],
      });
    }
    return table;
  });

function treeOf(revisions: readonly (Revision & { history: string[] })[]): RevisionTree {
  return revisions.reduce<RevisionTree>(
    (tree, { history, deleted, body }) => addRevision(tree, history, { deleted, body: body! }),
    emptyTree,
  );
}

const revs = (revisions: readonly Revision[]) => revisions.map(({ rev }) => rev).sort();

const tablesTwice = tables.chain((table) =>
  fc.tuple(fc.constant(table), fc.shuffledSubarray(table, { minLength: table.length })),
);

test('a tree does not depend on the order in which revisions arrive', (t) => {
  fc.assert(
    fc.property(tablesTwice, ([table, shuffled]) => {
      const [one, other] = [treeOf(table), treeOf(shuffled)];
      t.deepEqual(leaves(one), leaves(other));
      t.deepEqual(winner(one), winner(other));
      for (const { rev } of table) t.deepEqual(one.get(rev), other.get(rev));
      for (const { rev, history } of table) t.deepEqual(ancestry(other, rev), history);
    }),
  );
});

test('unknown ancestors are added before their descendant, live and without content', (t) => {
  const tree = addRevision(emptyTree, ['2-b', '1-a'], { deleted: true, body: { why: 'old' } });
  t.deepEqual(
    [...tree.values()],
    [
      { rev: '1-a', parent: undefined, deleted: false },
      { rev: '2-b', parent: '1-a', deleted: true, body: { why: 'old' } },
    ],
  );
});

/** Each branch as its revisions, newest first; `!` marks a deletion. */
const winners: [name: string, winner: string, branches: string[]][] = [
  ['the one with the higher generation', '2-0', ['1-f', '2-0 1-0']],
  ['a live one, even if a deleted one has a higher generation', '1-0', ['1-0', '!2-f 1-f']],
  ['the one with the greater hash', '2-b', ['2-a 1-0', '2-b 1-0']],
  ['the one with the highest generation if all are deleted', '2-0', ['!1-f', '!2-0 1-0']],
  ['generation 10 rather than 9', '10-0', [pathFrom(9, 'f'), pathFrom(10, '0')]],
];

function pathFrom(generation: number, hash: string): string {
  return Array.from({ length: generation }, (_, index) => `${generation - index}-${hash}`).join(' ');
}

for (const [name, expected, branches] of winners) {
  test(`the winning revision is ${name}`, (t) => {
    for (const order of [branches, branches.toReversed()]) {
      const tree = order.reduce<RevisionTree>((grown, branch) => {
        const content = { deleted: branch.startsWith('!'), body: {} };
        return addRevision(grown, branch.replace('!', '').split(' '), content);
      }, emptyTree);
      t.is(winner(tree)?.rev, expected);
    }
  });
}

test('the leaf that the target chooses wins', (t) => {
  fc.assert(
    fc.property(tables, fc.nat(), (table, index) => {
      const tree = treeOf(table);
      const before = leaves(tree);
      const chosen = before[index % before.length]!;
      const withChosen = withWinner(tree, chosen.rev);
      t.is(winner(withChosen)?.rev, chosen.rev);
      t.deepEqual(revs(leaves(withChosen)), revs(before));
      t.is(winner(withWinner(withChosen, undefined))?.rev, winner(tree)?.rev);
    }),
  );
});
