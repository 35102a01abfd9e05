import test from 'ava';
import { rules } from '../../openapi/generated/rules.js';
import { checks } from '../index.js';
import { faults } from './index.js';

test('every rule that is checked has two faults or more, and every fault breaks a rule that is checked', (t) => {
  const checked = new Set<string>(checks.map(({ rule }) => rule));
  const faultsOf = (rule: string) => faults.filter((fault) => fault.rule === rule);
  t.deepEqual(
    rules.map(({ id }) => id).filter((id) => checked.has(id) && faultsOf(id).length < 2),
    [],
  );
  t.deepEqual(
    faults.filter(({ rule }) => !checked.has(rule)).map(({ id }) => id),
    [],
  );
  t.is(new Set(faults.map(({ id }) => id)).size, faults.length);
});
