import test from 'ava';
import { everPasses, hasRow, listedRevisions, passes, type Filter } from './filters.js';
import type { Ternary } from './ternary.js';
import { addRevision, emptyTree, type Body, type RevisionTree } from './revisions.js';
import type { Selector } from './selector.js';

const selecting = (selector: Selector): Filter => ({ kind: 'selector', selector });
const typed = selecting({ type: 'a' });
/** Undetermined for a document without `type`. */
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
  test(`${JSON.stringify(filter)} ${expected ? 'accepts' : 'rejects'} ${id}${revision.deleted ? ', deleted' : ''}`, (t) => {
    t.is(passes(filter, id, revision), expected);
  });
}

const grown = (tree: RevisionTree, history: readonly string[], body: Body): RevisionTree =>
  addRevision(tree, history, { deleted: false, body });

/** The winning revision has type b, the conflict type a, and the content of their common ancestor is unknown. */
const conflicted = grown(grown(emptyTree, ['2-b', '1-x'], { type: 'b' }), ['2-a', '1-x'], { type: 'a' });

test('the default style and main_only filter the winning revision, all_docs filters every leaf', (t) => {
  for (const style of [undefined, 'main_only'] as const) {
    t.deepEqual([...listedRevisions(typed, 'a', conflicted, style)], [['2-b', false]]);
    t.false(hasRow(typed, 'a', conflicted, style));
  }
  t.deepEqual(
    [...listedRevisions(typed, 'a', conflicted, 'all_docs')],
    [
      ['2-b', false],
      ['2-a', true],
    ],
  );
  t.true(hasRow(typed, 'a', conflicted, 'all_docs'));
});

test('a row is optional if a revision may pass and none must', (t) => {
  const tree = grown(emptyTree, ['1-x'], {});
  t.is(hasRow(untyped, 'a', tree, 'all_docs'), undefined);
  t.true(hasRow(untyped, 'a', grown(tree, ['1-y'], { type: 'b' }), 'all_docs'));
});

test('everPasses finds an old revision that passes', (t) => {
  const edited = grown(conflicted, ['3-a', '2-a', '1-x'], { type: 'c' });
  t.false(hasRow(typed, 'a', edited, 'all_docs'));
  t.true(everPasses(typed, 'a', edited));
});

test('everPasses ignores revisions whose content is unknown', (t) => {
  // A revision without type would be undetermined.
  t.false(everPasses(selecting({ type: { $nin: ['a', 'b'] } }), 'a', conflicted));
});
