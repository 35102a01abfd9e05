import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import { type RuleId, rules } from '../../openapi/generated/rules.js';
import type { Fault } from '../../reference/index.js';
import type { RuleHome } from '../rule-home.js';
import { checks } from './checks.js';
import { faults } from './faults.js';
import { ruleHomes } from './generated/rule-homes.js';
import { unseen } from './shared/unseen.js';

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

test('each fault is in the file beside that of its rule', async (t) => {
  const files = await readdir(import.meta.dirname, { recursive: true });
  for (const file of files.filter((name) => /^(?!shared).*\.faults\.js$/.test(name))) {
    const inFile = Object.values((await import(`./${file}`)) as Record<string, readonly Fault[]>).flat();
    const family = (await import(`./${file.replace('.faults', '')}`)) as Record<string, unknown>;
    const homes = Object.values(family).flatMap((value) => (isHome(value) ? [value.id] : []));
    // A file without homes has checks of a rule whose home is in another file of the area.
    const area = rules.filter(({ area }) => area === dirname(file)).map(({ id }) => id);
    const own = new Set<string>(homes.length > 0 ? homes : area);
    t.deepEqual(
      inFile.filter(({ rule }) => !own.has(rule)).map(({ id }) => id),
      [],
      file,
    );
  }
});

test('a rule with faults that no traffic shows to a passer-by is judged in part', (t) => {
  // Other traffic shows these.
  const shownElsewhere: readonly (string | undefined)[] = [undefined, unseen.rare, unseen.slow];
  const hidden = faults.filter(({ notInTraffic }) => !shownElsewhere.includes(notInTraffic));
  const whole = rules.filter(({ id }) => ruleHomes[id].inTraffic && !ruleHomes[id].inTraffic?.part);
  t.deepEqual(
    whole.filter(({ id }) => hidden.some(({ rule }) => rule === id)).map(({ id }) => id),
    [],
  );
});

test('a fault is known in shipped baselines only', async (t) => {
  const files = await readdir(join(import.meta.dirname, '../baselines'));
  const known = new Set(faults.flatMap(({ knownIn = [] }) => knownIn));
  t.deepEqual(
    [...known].filter((name) => !files.includes(`${name}.yaml`)),
    [],
  );
});

const isHome = (value: unknown): value is RuleHome<RuleId> =>
  Object.values<unknown>(ruleHomes).includes(value);
