import test from 'ava';
import { ShrinkTime } from './shrink-time.js';
import { Search, type SearchPlan } from './property-search.js';
import { Finding } from './finding.js';
import { Inconclusive, LackingFeature, LaterFeature, NothingJudged, Violation } from './outcomes.js';

const plan: SearchPlan = {
  cases: 2,
  reduceAfter: Infinity,
  shrinkTime: new ShrinkTime(60_000),
  isReplay: false,
  explain: () => undefined,
};

const always = {};
const sometimes = { sometimes: 0.5 };

const circumstances = { isShared: false, mayBeLag: false };
const finding = (message = 'The value is wrong'): Finding =>
  new Finding(new Violation(message), { exchanges: [] }, circumstances);

/** Takes the results as long as the search asks for cases. @returns how many it took */
function takeAll(search: Search, reasons: readonly unknown[]): number {
  for (const [index, reason] of reasons.entries()) {
    if (search.next() !== 'run') return index;
    search.take(index, reason === undefined ? undefined : { reason });
  }
  return reasons.length;
}

test('a search ends after the planned number of cases', (t) => {
  const search = new Search(plan);
  t.is(takeAll(search, [undefined, undefined, undefined]), 2);
  t.notThrows(() => search.conclude(1));
});

test('a violation is shrunk, and smaller inputs do not count against the number of cases', (t) => {
  const search = new Search(plan);
  t.is(search.next(), 'run');
  t.true(search.take('large', { reason: finding() }) instanceof Finding);
  t.true(search.isShrinking);
  t.is(takeAll(search, [undefined, undefined, undefined]), 3);
  t.false(search.isCut);
});

test('without time for shrinking, the search says that it was cut', (t) => {
  const search = new Search({ ...plan, shrinkTime: new ShrinkTime(0) });
  search.take('large', { reason: finding() });
  t.is(search.next(), 'end');
  t.true(search.isCut);
});

test('an unconfirmed violation is not shrunk', (t) => {
  const search = new Search(plan);
  search.take('large', { reason: finding().with({ isUnconfirmed: true }) });
  t.is(search.next(), 'end');
});

test('while shrinking, an error of the check itself is no result, and an undecided case ends the search', (t) => {
  const search = new Search(plan);
  search.take('large', { reason: finding() });
  t.is(search.take('small', { reason: new TypeError('no such document') }), 'counts');
  t.is(search.take('small', { reason: new Inconclusive('slow') }), 'end');
  t.is(search.next(), 'end');
  t.true(search.isCut);
});

test('an undecided case is the result of the search', (t) => {
  const search = new Search(plan);
  t.is(search.take(0, { reason: new Inconclusive('slow') }), 'end');
  t.throws(() => search.conclude(1), { instanceOf: Inconclusive });
});

test('a replay runs one case', (t) => {
  const search = new Search({ ...plan, isReplay: true });
  t.is(takeAll(search, [undefined, undefined]), 1);
});

test('when time is short, a fifth of the cases is enough', (t) => {
  const search = new Search({ ...plan, cases: 10, reduceAfter: 0 });
  t.is(takeAll(search, Array(10).fill(undefined)), 2);
  t.is(search.next(), 'reduce');
});

test('cases of a later version do not count; if all are, the property is skipped', (t) => {
  const search = new Search(plan);
  const later = new LaterFeature('The target has an older version.');
  t.is(takeAll(search, [later, undefined, later, undefined]), 4);
  t.notThrows(() => search.conclude(1));
  const old = new Search(plan);
  const effects = Array.from({ length: 50 }, () => old.take(0, { reason: later }));
  t.deepEqual([...new Set(effects)], ['discard', 'end']);
  t.throws(() => old.conclude(1), { is: later });
});

test('a case that has judged nothing does not count; if all are such, that is the verdict', (t) => {
  const search = new Search(plan);
  const nothing = new NothingJudged('GET /{db}/_changes returns 501.');
  t.is(takeAll(search, [nothing, undefined, nothing, undefined, undefined]), 4);
  t.notThrows(() => search.conclude(1));
  const refused = new Search(plan);
  t.is(refused.take(0, { reason: nothing }), 'discard');
  t.throws(() => refused.conclude(1), { is: nothing });
  const shrinking = new Search(plan);
  shrinking.take('large', { reason: finding() });
  t.is(shrinking.take('small', { reason: nothing }), 'discard');
  t.false(shrinking.isCut);
});

test('when time is short, a few cases that do not count are no verdict: another one may count', (t) => {
  const lacking = new LackingFeature('`filter` is ignored.');
  const search = new Search({ ...plan, cases: 10, reduceAfter: 0 });
  t.is(takeAll(search, [lacking, lacking, undefined, undefined, undefined]), 4);
  t.notThrows(() => search.conclude(1));
  const never = new Search({ ...plan, reduceAfter: 0 });
  t.is(takeAll(never, Array(20).fill(lacking)), 10);
  t.throws(() => never.conclude(1), { is: lacking });
});

test('a known violation does not end the search for others, and is the result if there is no other', (t) => {
  const search = new Search({ ...plan, explain: () => always });
  t.is(takeAll(search, [undefined, finding(), finding()]), 2);
  const { circumstances } = t.throws(() => search.conclude(7), { instanceOf: Finding });
  t.deepEqual(circumstances.found, {
    input: 1,
    seed: 7,
    path: '1',
    cases: 2,
    frequency: { failed: 1, of: 2 },
  });
});

test('a violation that is known in some cases runs more cases, to see how often it occurs, also if time is short', (t) => {
  const search = new Search({ ...plan, cases: 1, shrinkTime: new ShrinkTime(0), explain: () => sometimes });
  t.is(takeAll(search, [finding(), finding(), undefined, undefined, undefined]), 4);
  const { circumstances } = t.throws(() => search.conclude(7), { instanceOf: Finding });
  t.deepEqual(circumstances.found?.frequency, { failed: 2, of: 4 });
});

test('each known deviation is counted for itself, and the result is one that occurs too often', (t) => {
  const rare = { sometimes: 0.25 };
  const explain: SearchPlan['explain'] = ({ message }) => (message === 'rare' ? rare : sometimes);
  const concluded = (...messages: (string | undefined)[]): Finding => {
    const search = new Search({ ...plan, cases: messages.length, explain });
    takeAll(
      search,
      messages.map((message) => message && finding(message)),
    );
    return t.throws(() => search.conclude(7), { instanceOf: Finding });
  };
  const conforming = concluded('often', 'rare', 'often', undefined);
  t.is(conforming.message, 'often');
  t.deepEqual(conforming.circumstances.found?.frequency, { failed: 2, of: 4 });
  const excessive = concluded('often', 'rare', 'rare', undefined);
  t.is(excessive.message, 'rare');
  t.deepEqual(excessive.circumstances.found?.frequency, { failed: 2, of: 4 });
});
