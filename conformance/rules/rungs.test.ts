import test from 'ava';
import { checks } from './checks.js';
import { TargetFeed } from '../session/probe/service-version.js';
import { ruleOf } from '../session/scope/rule-checks.js';
import { builtAfter, rungs } from '../session/scope/rungs.js';

test('each rung has checks', (t) => {
  t.deepEqual(
    rungs.map(({ name }) => name).filter((name) => !checks.some(({ rung }) => rung === name)),
    [],
  );
});

test('no check needs what a later rung builds', (t) => {
  for (const check of checks) {
    const { notYet, lack } = builtAfter(check.rung!);
    const needs = [...ruleOf(check).needs, ...check.needs];
    t.deepEqual(
      needs.filter((capability) => lack.includes(capability)),
      [],
      check.id,
    );
    t.is(TargetFeed.of(undefined, { notYet }).missing(check.uses), undefined, check.id);
  }
});

test('a check named after a mode says that it uses it, so that it does not run where the target lacks it', (t) => {
  const modeOf = ({ id }: (typeof checks)[number]): string | undefined =>
    /longpoll|continuous|eventsource/.exec(id)?.[0];
  for (const check of checks.filter(modeOf)) t.like(check.uses, { query: { feed: modeOf(check) } }, check.id);
});
