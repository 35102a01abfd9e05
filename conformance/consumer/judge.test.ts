/** The judge alone: events in, verdict out. */
import test from 'ava';
import { Blocked, Inconclusive, Skip, Violation } from '../engine/outcomes.js';
import { addRevision, emptyTree, type RevisionTree } from '../oracle/revisions.js';
import { Judge, leakIn, type SeenRequests, type TrialEvent, type VainWait } from './judge.js';
import { truthOf } from './scenario-histories.js';
import type { Scenario } from './scenario.js';

const seen: SeenRequests = {
  hasRequests: true,
  refusal: undefined,
  sawCookies: false,
  sawExpiredCookies: false,
  sawSelector: false,
  leakedTo: undefined,
  speaksPlainly: false,
  hasMetImpostor: false,
  hasty: 0,
};

const vain: VainWait = { ended: undefined, messages: [], isSlow: false, hasTriedAgain: false };

/** A revision with its ancestors, newest first; `true` at its end for a deletion. */
type Path = readonly (string | true)[];

/** Writes documents with these leaves. The first letter of an id is its group. */
function written(documents: Readonly<Record<string, readonly Path[]>>): TrialEvent[] {
  const state = new Map(
    Object.entries(documents).map(([id, paths]): [string, RevisionTree] => [
      id,
      paths.reduce((tree: RevisionTree, path) => {
        const revs = path.filter((part) => part !== true);
        return addRevision(tree, revs, { deleted: path.includes(true), body: { group: id[0] } });
      }, emptyTree),
    ]),
  );
  return [
    { kind: 'write', ids: [...state.keys()] },
    { kind: 'written', state, truth: truthOf(state) },
  ];
}

const says = (id: string, rev: string, rest: { deleted?: boolean; leaves?: string[] } = {}): TrialEvent => ({
  kind: 'statement',
  statement: { id, rev, deleted: false, ...rest },
});

const row = (id: string): TrialEvent => ({ kind: 'row', id });

function judgeAfter(events: readonly TrialEvent[], scenario: Partial<Scenario> = {}): Judge {
  const judge = new Judge({ events: [], ...scenario });
  for (const event of events) judge.take(event);
  return judge;
}

test('a consumer that knows everything survives', (t) => {
  const judge = judgeAfter([
    ...written({ a: [['2-b', '1-a']], gone: [['2-d', '1-a', true]] }),
    says('a', '1-a'),
    says('gone', '2-d', { deleted: true }),
  ]);
  t.false(judge.knowsAll);
  t.true(judge.take(says('a', '2-b')));
  t.false(judge.take(says('a', '2-b')), 'it makes no progress by saying it again');
  t.true(judge.knowsAll);
  t.is(judge.verdictOnKnowledge(seen, Infinity), undefined);
});

const ignorant: readonly [what: string, said: readonly TrialEvent[], message: RegExp][] = [
  ['says nothing', [], /^The consumer does not know a document$/],
  ['stays behind', [says('a', '1-a')], /^The consumer knows an outdated state of a document$/],
  ['goes back', [says('a', '2-b'), says('a', '1-a')], /outdated state/],
  ['takes a document for deleted', [says('a', '2-b', { deleted: true })], /outdated state/],
];

for (const [what, said, message] of ignorant) {
  test(`a consumer that ${what} does not survive`, (t) => {
    const judge = judgeAfter([...written({ a: [['2-b', '1-a']] }), ...said]);
    t.false(judge.knowsAll);
    const verdict = judge.verdictOnIgnorance(seen, vain);
    t.true(verdict instanceof Violation);
    t.regex(verdict.message, message);
  });
}

test('a consumer that does not know a deletion does not survive', (t) => {
  const judge = judgeAfter([...written({ a: [['2-b', '1-a', true]] }), says('a', '2-b')]);
  t.regex(
    judge.verdictOnIgnorance(seen, vain).message,
    /^The consumer does not know that a document is deleted$/,
  );
});

test('what a busy machine may have caused depends on timing, also the end of the consumer', (t) => {
  const judge = judgeAfter(written({ a: [['1-a']] }));
  const verdict = (rest: Partial<VainWait>) =>
    judge.verdictOnIgnorance(seen, { ...vain, ...rest }) as Violation;
  t.false(verdict({}).dependsOnTiming);
  t.true(verdict({ isSlow: true }).dependsOnTiming);
  const ended = verdict({ ended: 'exit code 1', isSlow: true });
  t.true(ended.dependsOnTiming);
  t.regex(ended.message, /a document, and has ended by itself with exit code 1$/);
});

for (const [what, events, wait, kind, message] of [
  [
    'does not try again after an hour',
    [{ kind: 'away' }],
    {},
    Violation,
    /^The consumer does not try again after the server was away for an hour$/,
  ],
  [
    'ends while the server is away',
    [{ kind: 'away' }],
    { ended: 'exit code 0' },
    Violation,
    /^The consumer does not know a document, and has ended by itself with exit code 0$/,
  ],
  [
    'tries again after an hour, and learns nothing',
    [{ kind: 'away' }],
    { hasTriedAgain: true },
    Inconclusive,
    /it has tried again after the hour: its clock may be too fast for this machine$/,
  ],
  [
    'ends before the server goes away',
    [],
    { ended: 'exit code 0' },
    Inconclusive,
    /it has not lost the server yet: its clock may be too fast for this machine$/,
  ],
] as const satisfies readonly (readonly [string, readonly TrialEvent[], Partial<VainWait>, ...unknown[]])[]) {
  test(`a consumer whose clock is fast, and that ${what}: ${kind.name}`, (t) => {
    const judge = judgeAfter([...written({ a: [['1-a']] }), ...events], { events: ['be away for an hour'] });
    const verdict = judge.verdictOnIgnorance(seen, { ...vain, ...wait });
    t.true(verdict instanceof kind);
    t.regex(verdict.message, message);
  });
}

test('a consumer that ends before it sends a request is blocked, with what it said', (t) => {
  const judge = judgeAfter(written({ a: [['1-a']] }));
  const nothing = { ...seen, hasRequests: false };
  const verdict = judge.verdictOnIgnorance(nothing, {
    ...vain,
    ended: 'exit code 2',
    messages: ['no module'],
  });
  t.true(verdict instanceof Blocked);
  t.regex(verdict.message, /before it sent a request: exit code 2 no module$/);
});

test('a refusal of all feeds says more than what the consumer does not know, unless the scenario refuses', (t) => {
  const refused = { ...seen, refusal: 'GET /db/_changes is answered with 400' };
  const events = written({ a: [['1-a']] });
  const message = (scenario: Partial<Scenario>) =>
    judgeAfter(events, scenario).verdictOnIgnorance(refused, vain).message;
  t.is(message({}), 'The server refuses all feeds of the consumer');
  t.is(message({ treatments: [{ redirect: true }] }), 'The consumer does not know a document');
});

test('only the documents of the selected group count', (t) => {
  const events = written({ a1: [['1-a']], b1: [['1-a']] });
  const judge = judgeAfter([...events, { kind: 'select', group: 'a' }, says('a1', '1-a')], {
    needs: 'selector',
  });
  t.true(judge.knowsAll);
  judge.take({ kind: 'select', group: 'b' });
  t.false(judge.knowsAll);
  t.true(judge.verdictOnIgnorance(seen, vain) instanceof Skip, 'it has sent no selector');
  t.true(judge.verdictOnIgnorance({ ...seen, sawSelector: true }, vain) instanceof Violation);
});

test('a scenario about cookies skips a consumer that has none, and one that fails before a cookie expires', (t) => {
  const judge = judgeAfter(written({ a: [['1-a']] }), { needs: 'cookies', events: ['let cookies expire'] });
  const verdict = (rest: Partial<SeenRequests>) => judge.verdictOnIgnorance({ ...seen, ...rest }, vain);
  t.regex(verdict({}).message, /^The consumer uses no cookies/);
  t.regex(verdict({ sawCookies: true }).message, /before a cookie that has expired is refused/);
  t.true(verdict({ sawCookies: true, sawExpiredCookies: true }) instanceof Violation);
});

test('leaves are compared if the consumer says them, and the scenario is about them', (t) => {
  const events = written({
    a: [
      ['2-b', '1-a'],
      ['2-c', '1-a'],
    ],
  });
  const [winner] = truthOf((events[1] as Extract<TrialEvent, { kind: 'written' }>).state).values();
  const { rev } = winner!;
  const withLeaves = (...leaves: string[]) =>
    judgeAfter([...events, says('a', rev, { leaves })], { needs: 'leaves' });
  t.true(withLeaves('2-b', '2-c').knowsAll);
  t.false(withLeaves('2-b').knowsAll);
  const silent = judgeAfter([...events, says('a', rev)], { needs: 'leaves' });
  t.true(silent.knowsAll);
  t.true(silent.verdictOnKnowledge(seen, Infinity) instanceof Skip);
});

test('a statement about what was never written is an invention, unless an earlier database had it', (t) => {
  const events = [...written({ a: [['1-a']] }), says('a', '1-a')];
  const verdict = (...more: TrialEvent[]) =>
    judgeAfter([...events, ...more]).verdictOnKnowledge(seen, Infinity)?.message;
  t.is(verdict(says('x', '1-a')), 'The consumer says a document that was never written');
  t.is(verdict(says('a', '9-z'), says('a', '1-a')), 'The consumer says a revision that was never written');
  t.is(verdict({ kind: 'delete' }, ...written({ b: [['1-b']] }), says('b', '1-b')), undefined);
});

test('a consumer that reads more than half of the unchanged rows again does not continue', (t) => {
  const documents = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((id) => [id, [['1-a']]]));
  const known = [...written(documents), ...Object.keys(documents).map((id) => says(id, '1-a'))];
  const changed = written({ ...documents, e: [['1-a']] });
  const verdictAfter = (isSlow: boolean, ...ids: string[]) =>
    judgeAfter(
      [
        ...known,
        ...ids.map(row),
        { kind: 'settled', isSlow },
        { kind: 'stop' },
        { kind: 'write', ids: ['e'] },
        changed[1]!,
        ...ids.map(row),
      ],
      { continues: true },
    ).verdictOnKnowledge(seen, Infinity);
  t.is(verdictAfter(false, 'a', 'b'), undefined, 'half of the four');
  t.is(verdictAfter(false, 'a', 'b', 'e'), undefined, 'e has changed');
  for (const isSlow of [false, true]) {
    const again = verdictAfter(isSlow, 'a', 'b', 'c') as Violation;
    t.is(again.dependsOnTiming, isSlow, 'a checkpoint may be stored late');
    t.like(again.difference, { expected: 'at most 2', actual: 3 });
  }
});

test('haste is judged against what a client that does not wait could do', (t) => {
  const judge = judgeAfter([]);
  const verdict = (hasty: number, possible: number) => judge.verdictOnKnowledge({ ...seen, hasty }, possible);
  t.is(verdict(0, Infinity), undefined);
  t.is(verdict(10, 33), undefined);
  t.true(verdict(10, 32) instanceof Inconclusive);
  t.true(verdict(11, 1000) instanceof Violation);
});

test('the attempts while the server is away count as far as the scenario says', (t) => {
  const verdict = (most: number | undefined, hasty: number) =>
    judgeAfter([], {
      treatments: [{ away: { ms: 2000, ...(most !== undefined && { most }) } }],
    }).verdictOnKnowledge({ ...seen, hasty }, Infinity);
  t.is(verdict(40, 40), undefined);
  t.regex(verdict(40, 41)!.message, /tries again and again without a wait while the server is away/);
  t.is(verdict(undefined, 1000), undefined);
});

test('a consumer that never sends a void cookie is judged if the scenario makes none void', (t) => {
  const verdict = (events: Scenario['events']) =>
    judgeAfter(written({ a: [['1-a']] }), { needs: 'cookies', events }).verdictOnIgnorance(
      { ...seen, sawCookies: true },
      vain,
    );
  t.true(verdict([]) instanceof Violation);
  t.true(verdict(['let cookies end as they said']) instanceof Skip);
});

test('a leak of credentials is named whatever else is wrong, but for an invention', (t) => {
  const leaking = { ...seen, leakedTo: 'http://localhost:1', hasty: 99 };
  t.regex(judgeAfter([]).verdictOnKnowledge(leaking, 1000)!.message, /sends its credentials to another host/);
  t.is(leakIn(leaking)!.difference.actual, 'http://localhost:1');
});

test('a request without encryption is a leak', (t) => {
  t.regex(leakIn({ ...seen, speaksPlainly: true })!.message, /without encryption/);
  t.is(leakIn(seen), undefined);
});

test('a consumer that trusts nobody is not judged where the server speaks https', (t) => {
  const ended = { ...vain, ended: 'exit code 1' };
  const verdict = (hasRequests: boolean) =>
    judgeAfter(written({ a: [['1-a']] }), { https: true, events: [] }).verdictOnIgnorance(
      { ...seen, hasRequests },
      ended,
    );
  t.true(verdict(false) instanceof Skip);
  t.true(verdict(true) instanceof Violation);
});

test('a consumer that has not met the server with another certificate is not judged by it', (t) => {
  const verdict = (hasMetImpostor: boolean) =>
    judgeAfter([], { https: true, events: ['show an unknown certificate'] }).verdictOnKnowledge(
      { ...seen, hasMetImpostor },
      Infinity,
    );
  t.true(verdict(false) instanceof Skip);
  t.is(verdict(true), undefined);
});

test('what a consumer lacks to be judged is said if it has said nothing', (t) => {
  const obstacle = (events: TrialEvent[], rest: Partial<SeenRequests> = {}, mustSpeak = true) =>
    judgeAfter(events).obstacle({ ...seen, ...rest }, mustSpeak);
  t.is(obstacle([says('a', '1-a')], { hasRequests: false }), undefined);
  t.regex(obstacle([], { hasRequests: false })!, /^The consumer sends no request/);
  t.regex(obstacle([], { refusal: 'GET /x is answered with 401' })!, /refuses all feeds .*401$/);
  t.is(obstacle([]), undefined);
  t.regex(obstacle([row('a')])!, /does it flush/);
  t.is(obstacle([row('a')], {}, false), undefined);
  const lines: TrialEvent[] = [
    { kind: 'other line', text: 'first' },
    { kind: 'other line', text: 'second' },
  ];
  t.regex(obstacle([row('a'), ...lines])!, /its first line is first$/);
});
