import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import test from 'ava';
import { rules } from '../../openapi/generated/rules.js';
import type { Fault } from '../../reference/index.js';
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

test('each fault is in the folder of the area of its rule', async (t) => {
  const areaOf = new Map<string, string>(rules.map(({ id, area }) => [id, area]));
  const files = await readdir(import.meta.dirname, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.faults.js') && !name.startsWith('shared/'))) {
    const inFile = Object.values((await import(`./${file}`)) as Record<string, readonly Fault[]>).flat();
    const areas = inFile.map(({ rule }) => areaOf.get(rule));
    t.true(areas.includes(dirname(file)), `${file}: ${areas.join(', ')}`);
  }
});
