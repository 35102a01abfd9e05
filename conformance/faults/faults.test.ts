import { readdir } from 'node:fs/promises';
import test from 'ava';
import { rules } from '../../openapi/generated/rules.js';
import type { Fault } from '../../reference/index.js';
import type { Check } from '../check.js';
import { checks } from '../checks/index.js';
import { faults } from './index.js';

test('every rule with a check has two faults or more, and every fault breaks a rule with a check', (t) => {
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

test('each fault is in the index, and in a file named like a file of checks of its rule', async (t) => {
  const entriesOf = async (file: string): Promise<(Check | Fault)[]> =>
    Object.values((await import(file)) as object)
      .filter(Array.isArray)
      .flat() as (Check | Fault)[];
  const files = (await readdir(new URL('.', import.meta.url))).filter((name) => /^[^.]+\.ts$/.test(name));
  const found: string[] = [];
  for (const file of files.filter((name) => name !== 'index.ts')) {
    const checkedRules = new Set<string>((await entriesOf(`../checks/${file}`)).map(({ rule }) => rule));
    const inFile = await entriesOf(`./${file}`);
    found.push(...inFile.map(({ id }) => id));
    t.deepEqual(
      inFile.filter(({ rule }) => !checkedRules.has(rule)).map(({ id }) => id),
      [],
      file,
    );
  }
  t.deepEqual(found.sort(), faults.map(({ id }) => id).sort());
});
