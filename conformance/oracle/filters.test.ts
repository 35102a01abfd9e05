import test from 'ava';
import { everPasses, hasRow, passes, type Filter } from './filters.js';
import { addRevision, emptyTree, type Body, type RevisionTree } from './revisions.js';
import type { Selector } from './selector.js';

const selecting = (selector: Selector): Filter => ({ kind: 'selector', selector });
const typed = selecting({ type: 'a' });
/** Undetermined for a document without `type`. */
const untyped = selecting({ type: { $ne: 'a' } });

const live = { rev: '1-x', deleted: false, body: { type: 'a', value: 3 } };
const gone = { ...live, deleted: true };

/** Selectors. Runs against the reference server show whether the other filters are right. */
const cases: [filter: Filter, revision: typeof live, expected: boolean][] = [
  [typed, live, true],
  [untyped, live, false],
  [selecting({ _id: 'a', _rev: '1-x' }), live, true],
  [selecting({ _id: 'b' }), live, false],
  [selecting({ _deleted: true }), gone, true],
  [selecting({ _deleted: { $exists: true } }), live, false],
];

for (const [filter, revision, expected] of cases) {
  test(`${JSON.stringify(filter)} ${expected ? 'accepts' : 'rejects'} a${revision.deleted ? ', deleted' : ''}`, (t) => {
    t.is(passes(filter, 'a', revision), expected);
  });
}

const grown = (tree: RevisionTree, history: readonly string[], body: Body): RevisionTree =>
  addRevision(tree, history, { deleted: false, body });

/** The winning revision has type b, the conflict type a, and the content of their common ancestor is unknown. */
const conflicted = grown(grown(emptyTree, ['2-b', '1-x'], { type: 'b' }), ['2-a', '1-x'], { type: 'a' });

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
