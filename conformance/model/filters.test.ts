import test from 'ava';
import { everPasses, hasRow, listedRevisions, passes, type Filter } from './filters.js';
import type { Ternary } from './ternary.js';
import { addRevision, emptyTree, type Body, type RevisionTree } from './revisions.js';
import type { Selector } from './selector.js';

const selecting = (selector: Selector): Filter => ({ kind: 'selector', selector });
const typed = selecting({ type: 'a' });
/** Left open where there is no such member. */
const untyped = selecting({ type: { $ne: 'a' } });

const live = { rev: '1-x', deleted: false, body: { type: 'a', value: 3 } };
const gone = { ...live, deleted: true };

const cases: [filter: Filter, id: string, revision: typeof live, expected: Ternary][] = [
  [{ kind: 'ids', ids: ['a', 'b'] }, 'b', live, true],
  [{ kind: 'ids', ids: ['a', 'b'] }, 'c', live, false],
  [{ kind: 'design' }, '_design/a', live, true],
  [{ kind: 'design' }, 'a_design/', live, false],
  [typed, 'a', live, true],
  [untyped, 'a', live, false],
  [selecting({ _id: 'a', _rev: '1-x' }), 'a', live, true],
  [selecting({ _id: 'b' }), 'a', live, false],
  [selecting({ _deleted: true }), 'a', gone, true],
  [selecting({ _deleted: { $exists: true } }), 'a', live, false],
  [{ kind: 'view', view: 'typed' }, 'a', live, true],
  [{ kind: 'view', view: 'tags' }, 'a', live, false],
  [{ kind: 'view', view: 'design' }, '_design/a', live, true],
  [{ kind: 'function', name: 'typed', parameters: {} }, 'a', gone, true],
  [{ kind: 'function', name: 'atLeast', parameters: { least: '3' } }, 'a', live, true],
  [{ kind: 'function', name: 'atLeast', parameters: { least: '4' } }, 'a', live, false],
];

for (const [filter, id, revision, expected] of cases) {
  test(`${JSON.stringify(filter)} ${expected ? 'lets' : 'does not let'} ${id} through${revision.deleted ? ', deleted' : ''}`, (t) => {
    t.is(passes(filter, id, revision), expected);
  });
}

const grown = (tree: RevisionTree, history: readonly string[], body: Body): RevisionTree =>
  addRevision(tree, history, { deleted: false, body });

/** A winner of type b and a loser of type a, from an ancestor that is known by name only. */
const contested = grown(grown(emptyTree, ['2-b', '1-x'], { type: 'b' }), ['2-a', '1-x'], { type: 'a' });

test('main_only, and no style, put the winner to the filter, all_docs every leaf', (t) => {
  for (const style of [undefined, 'main_only'] as const) {
    t.deepEqual([...listedRevisions(typed, 'a', contested, style)], [['2-b', false]]);
    t.false(hasRow(typed, 'a', contested, style));
  }
  t.deepEqual(
    [...listedRevisions(typed, 'a', contested, 'all_docs')],
    [
      ['2-b', false],
      ['2-a', true],
    ],
  );
  t.true(hasRow(typed, 'a', contested, 'all_docs'));
});

test('a row is left open when a revision may pass and none must', (t) => {
  const tree = grown(emptyTree, ['1-x'], {});
  t.is(hasRow(untyped, 'a', tree, 'all_docs'), undefined);
  t.true(hasRow(untyped, 'a', grown(tree, ['1-y'], { type: 'b' }), 'all_docs'));
});

test('what has passed once ever passes', (t) => {
  const edited = grown(contested, ['3-a', '2-a', '1-x'], { type: 'c' });
  t.false(hasRow(typed, 'a', edited, 'all_docs'));
  t.true(everPasses(typed, 'a', edited));
});

test('what is known by name only has never passed', (t) => {
  // With its missing type it would be left open.
  t.false(everPasses(selecting({ type: { $nin: ['a', 'b'] } }), 'a', contested));
});
