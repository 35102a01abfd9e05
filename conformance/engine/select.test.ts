import test from 'ava';
import { checksOf } from '../session/scope/rule-checks.js';
import { Refusal } from './refusal.js';
import { select } from './select.js';

const run = async (): Promise<void> => {};
const checks = checksOf({
  'root-greeting': run,
  'session-shape/user': run,
  'session-shape/anonymous': run,
  'cookie-tampered': run,
  'error-shape': { runsLast: true, run },
  'error-shape/again': { runsLast: true, run },
});
const ids = (selection: Parameters<typeof select>[1]): string[] =>
  select(checks, selection).map(({ id }) => id);

test('a glob matches the id of a check or of its rule', (t) => {
  t.deepEqual(ids({ only: ['session-shape'] }), ['session-shape/user', 'session-shape/anonymous']);
  t.deepEqual(ids({ only: ['session-shape/u*'] }), ['session-shape/user']);
  t.deepEqual(ids({ only: ['*-shape', 'root-*'] }), [
    'root-greeting',
    'session-shape/user',
    'session-shape/anonymous',
    'error-shape',
    'error-shape/again',
  ]);
  t.deepEqual(ids({ only: ['session-*'], skip: ['*/user'] }), ['session-shape/anonymous']);
});

test('smoke selects the first check of each rule, and all checks that evaluate the traffic of others', (t) => {
  const profile = 'smoke';
  const first = [
    'root-greeting',
    'session-shape/user',
    'cookie-tampered',
    'error-shape',
    'error-shape/again',
  ];
  t.deepEqual(ids({ profile }), first);
  t.deepEqual(ids({ profile, skip: ['*/user'] })[1], 'session-shape/anonymous');
  t.deepEqual(ids({ profile, only: ['session-*'] }), ids({ only: ['session-*'] }));
});

test('refuses a glob that matches nothing', (t) => {
  t.throws(() => ids({ only: ['feed-*'] }), {
    instanceOf: Refusal,
    message: '--only feed-* matches no check',
  });
  t.throws(() => ids({ skip: ['sesion-shape'] }), {
    instanceOf: Refusal,
    message: '--skip sesion-shape matches no check; did you mean session-shape?',
  });
});

test('shards divide the checks, except those that evaluate the traffic of others', (t) => {
  const parts = [1, 2, 3].map((index) => ids({ shard: { index, count: 3 } }));
  t.true(parts.every((part) => part.includes('error-shape')));
  t.deepEqual(
    parts
      .flat()
      .filter((id) => !id.startsWith('error-shape'))
      .sort(),
    checks
      .slice(0, 4)
      .map(({ id }) => id)
      .sort(),
  );
});
