/** The scripts of every fault whose checks give one: each shows its violation, and only on the server with the fault. */
import test from 'ava';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { tryScripts } from '../testing/scripts.js';
import { faults } from './index.js';

/** Faults of which some check gave a script. */
const shown = new Set<string>();

for (const fault of faults) {
  test.serial(
    `the scripts of a server with ${fault.id} show it there, and not on another server`,
    async (t) => {
      const { nodes = 1 } = fault;
      const [faulty, right] = await Promise.all([
        referenceServer(t, { nodes, parts: fault.replace, log: { level: 'silent' } }),
        referenceServer(t, { nodes }),
      ]);
      const report = await runConformance({
        urls: faulty.urls,
        admin,
        only: [fault.rule],
        seed: 20_260,
        runs: 150,
        shrinkMs: 2000,
      });
      const tried = await tryScripts(report, admin, [faulty.urls, right.urls]);
      for (const { check, none, output, codes } of tried) {
        if (none === undefined) {
          t.deepEqual(codes, [1, 0], `${check}\n${output}`);
          shown.add(fault.id);
        } else t.log(`${check}: ${none}`);
      }
      t.pass();
    },
  );
}

test.serial('most faults are shown by a script', (t) => {
  t.log(`${shown.size} of ${faults.length} faults`);
  t.true(shown.size > faults.length / 2);
});
