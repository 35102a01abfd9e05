import test from 'ava';
import { rules } from '../../openapi/generated/rules.js';
import type { Dialect } from '../../openapi/generated/dialects.js';
import { checks, runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { faults } from './index.js';

/** One seed for all: whether a fault is found must not be a matter of luck. */
const seed = 20_260;

/** Enough cases for the subtlest fault; a failure ends a property at once, since nobody needs the smallest one. */
const cases = { runs: 150, shrinkMs: 0 };

for (const fault of faults) {
  test.serial(`a server with ${fault.id} fails ${fault.rule}`, async (t) => {
    const { nodes } = fault;
    const server = await referenceServer(t, { nodes, parts: fault.replace, log: { level: 'silent' } });
    const report = await runConformance({ urls: server.urls, admin, only: [fault.rule], seed, ...cases });
    const failed = report.checks.filter(({ outcome }) => outcome === 'fail');
    t.true(
      failed.length > 0,
      report.checks.map(({ id, outcome, reason }) => `${id} ${outcome} ${reason}`).join('\n'),
    );
    t.is(report.summary.error, 0);
  });
}

for (const dialect of ['service', 'couchdb'] as const satisfies readonly Dialect[]) {
  test.serial(`a server without a fault passes every check in dialect ${dialect}`, async (t) => {
    const server = await referenceServer(t, { dialect });
    const report = await runConformance({ urls: [server.url], admin, seed });
    t.deepEqual(
      report.checks.filter(({ outcome }) => outcome !== 'pass').map(({ id, reason }) => `${id}: ${reason}`),
      [],
    );
    t.deepEqual(report.warnings, []);
  });
}

test('every rule that is checked has a fault, and every fault breaks a rule that is checked', (t) => {
  const checked = new Set<string>(checks.map(({ rule }) => rule));
  const broken = new Set(faults.map(({ rule }) => rule));
  t.deepEqual(
    rules.map(({ id }) => id).filter((id) => checked.has(id) && !broken.has(id)),
    [],
  );
  t.deepEqual(
    [...broken].filter((rule) => !checked.has(rule)),
    [],
  );
  t.is(new Set(faults.map(({ id }) => id)).size, faults.length);
});
