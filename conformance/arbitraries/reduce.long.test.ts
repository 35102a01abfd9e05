import test from 'ava';
import fc from 'fast-check';
import type { History } from '../oracle/history.js';
import { winner } from '../oracle/revisions.js';
import { simulate } from '../testing/simulate.js';
import { sharedHistories } from './histories.js';
import { reducingHistories } from './reduce.js';
import { requests } from './requests.js';

const writesAt = (index: number) =>
  [
    { kind: 'put', leaf: 0, body: { value: index, list: [1, 2] } },
    { kind: index === 70 ? 'delete' : 'put', leaf: 0, body: {} },
  ] as const;

const large: History = Array.from({ length: 100 }, (_, index) => ({
  id: `doc-${index}`,
  writes: writesAt(index),
}));

/** Histories of two stages at any depth, beside other values. */
const scenarios = reducingHistories(
  fc.record({
    scenario: fc.record({ before: fc.constant(large), after: fc.constant(large) }),
    limit: fc.nat(),
  }),
);

const hasDeletion = (history: History): boolean =>
  history.some(({ writes }) => writes.some(({ kind }) => kind === 'delete'));

test('shrinks a large history in few cases, and a path leads to the same case', (t) => {
  let cases = 0;
  const property = fc.property(scenarios, ({ scenario }) => {
    cases += 1;
    return !hasDeletion(scenario.after);
  });
  const { counterexample, counterexamplePath } = fc.check(property, { seed: 1 });
  const expected = {
    scenario: { before: [], after: [{ id: 'a', writes: [{ kind: 'delete', leaf: 0, body: {} }] }] },
    limit: 0,
  };
  t.deepEqual(counterexample, [expected as never]);
  t.true(cases < 50, `${cases} cases`);
  const again = fc.check(property, { seed: 1, path: counterexamplePath!, endOnFailure: true });
  t.deepEqual(again.counterexample, counterexample);
});

test('keeps what the failure needs: several documents, writes and bodies', (t) => {
  const needed = ['doc-3', 'doc-50', 'doc-99'];
  const property = fc.property(scenarios, ({ scenario: { before } }) => {
    const found = before.filter(
      ({ id, writes }) => needed.includes(id) && 'value' in (writes[0]?.body ?? {}),
    );
    return found.length < 3;
  });
  const { counterexample } = fc.check(property, { seed: 1 });
  const [{ scenario }] = counterexample!;
  t.deepEqual(scenario.after, []);
  t.deepEqual(
    scenario.before,
    large.filter(({ id }) => needed.includes(id)).map(({ id, writes }) => ({ id, writes: [writes[0]!] })),
    'ids that the failure depends on stay as they are',
  );
});

test('a rich history becomes two documents with plain ids and without parameters, in few cases', (t) => {
  for (let seed = 1; seed <= 5; seed += 1) {
    let cases = 0;
    let isFound = false;
    const inputs = fc.record({
      history: sharedHistories,
      request: requests(),
      limit: fc.constantFrom(1, 2, 5),
    });
    // As if the server did not count deleted documents as pending.
    const property = fc.property(reducingHistories(inputs), ({ history, limit }) => {
      const isWrong = [...simulate(history).values()].slice(limit).some((tree) => winner(tree)?.deleted);
      isFound ||= isWrong;
      cases += isFound ? 1 : 0;
      return !isWrong;
    });
    const [{ history, request, limit }] = fc.check(property, { seed, numRuns: 200 }).counterexample!;
    t.deepEqual(
      history.map(({ id }) => id),
      ['a', 'b'],
    );
    t.like({ request, limit }, { request: { method: 'GET', query: {} }, limit: 1 });
    t.true(history.flatMap(({ writes }) => writes).length <= 3);
    t.true(cases < 60, `${cases} cases`);
  }
});
