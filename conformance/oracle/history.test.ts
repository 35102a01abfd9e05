import test from 'ava';
import { planWrite, type Write } from './history.js';
import { emptyTree, leaves, type RevisionTree } from './revisions.js';

const put: Write = { kind: 'put', leaf: 0, body: { value: 1 } };
const remove: Write = { kind: 'delete', leaf: 0, body: { why: 'old' } };

test('a recreated document continues the deleted winning revision or starts a new root, as the server decides', (t) => {
  const leavesAfter = (...revs: [created: string, deleted: string, recreated: string]): string[] => {
    const grow = (tree: RevisionTree, write: Write, index: number): RevisionTree =>
      planWrite('a', tree, write)!.grow(revs[index]);
    return leaves([put, remove, put].reduce(grow, emptyTree)).map(({ rev }) => rev);
  };
  t.deepEqual(leavesAfter('1-x', '2-y', '3-z'), ['3-z']);
  t.deepEqual(leavesAfter('1-x', '2-y', '1-z'), ['1-z', '2-y']);
});
