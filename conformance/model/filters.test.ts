import test from 'ava';
import fc from 'fast-check';
import { judgedBodies, selectors } from '../arbitraries/filters.js';
import { everPasses, hasRow, listedRevisions, passes, type Filter } from './filters.js';
import { addRevision, emptyTree } from './revisions.js';
import { matches, type Selector } from './selector.js';
import type { Judgement } from './judgement.js';

const typed: Filter = { kind: 'selector', selector: { type: 'a' } };
/** Left open where there is no such member. */
const untyped: Filter = { kind: 'selector', selector: { type: { $ne: 'a' } } };
const selecting = (selector: Selector): Filter => ({ kind: 'selector', selector });

const live = { rev: '1-x', deleted: false, body: { type: 'a', value: 3 } };
const gone = { ...live, deleted: true };

const cases: [filter: Filter, id: string, revision: typeof live, expected: Judgement][] = [
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

test('a selector sees every field that was written', (t) => {
  fc.assert(
    fc.property(selectors, judgedBodies, (selector, body) => {
      const document = { ...body, _id: 'a', _rev: '1-x' };
      t.is(passes(selecting(selector), 'a', { ...live, body }), matches(selector, document));
    }),
  );
});

/** The winner, a loser, and the ancestor of both, which only the winner's branch tells more of than its name. */
const told: [history: string[], type: object][] = [
  [['2-b', '1-x'], { type: 'b' }],
  [['2-a', '1-x'], { type: 'a' }],
];
const contested = told.reduce(
  (tree, [history, body]) => addRevision(tree, history, { deleted: false, body: { ...body } }),
  emptyTree,
);

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

test('a row is left open where what passes is', (t) => {
  const tree = addRevision(emptyTree, ['1-x'], { deleted: false, body: {} });
  t.is(hasRow(untyped, 'a', tree, 'main_only'), undefined);
  t.is(
    hasRow(untyped, 'a', addRevision(tree, ['1-y'], { deleted: false, body: { type: 'b' } }), 'all_docs'),
    true,
  );
});

test('what passed once ever passes, and of what is known by name only nothing is said', (t) => {
  const edited = addRevision(contested, ['3-a', '2-a', '1-x'], { deleted: false, body: { type: 'c' } });
  t.false(hasRow(typed, 'a', edited, 'all_docs'));
  t.true(everPasses(typed, 'a', edited));
  // 1-x has no type that is known; it would be left open.
  t.false(everPasses(selecting({ type: { $nin: ['a', 'b', 'c'] } }), 'a', edited));
});
