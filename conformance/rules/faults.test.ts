import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import test from 'ava';
import { rules } from '../../openapi/generated/rules.js';
import type { Fault } from '../../reference/index.js';
import type { Check } from '../session/scope/target-check.js';
import { checks } from './checks.js';
import { faults } from './faults.js';

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

test('each fault is in the index, and in a file beside the checks of its rule', async (t) => {
  const entriesOf = async (file: string): Promise<(Check | Fault)[]> =>
    Object.values((await import(`./${file}`)) as object)
      .filter(Array.isArray)
      .flat() as (Check | Fault)[];
  const files = await readdir(import.meta.dirname, { recursive: true });
  const found: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.faults.js') && !name.startsWith('shared/'))) {
    const checkedRules = (await entriesOf(file.replace('.faults.', '.checks.'))).map(({ rule }) => rule);
    const inFile = await entriesOf(file);
    found.push(...inFile.map(({ id }) => id));
    t.deepEqual(
      inFile.filter(({ rule }) => !checkedRules.includes(rule)).map(({ id }) => id),
      [],
      file,
    );
  }
  t.deepEqual(found.sort(), faults.map(({ id }) => id).sort());
});

test('each check is in the folder of the area of its rule', async (t) => {
  const files = await readdir(import.meta.dirname, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.checks.js'))) {
    const inFile = Object.values((await import(`./${file}`)) as object).flat() as Check[];
    const areas = inFile.map(({ rule }) => rules.find(({ id }) => id === rule)?.area);
    t.true(
      areas.some((area) => area === dirname(file)),
      `${file}: ${areas.join(', ')}`,
    );
  }
});
