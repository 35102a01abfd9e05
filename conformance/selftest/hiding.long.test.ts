import test from 'ava';
import type { Report } from '../../reports/report.js';
import { findings, type FaultTrial } from '../../reports/selftest.js';
import { faults } from '../rules/faults.js';
import type { ConformanceOptions } from '../session/conformance-options.js';
import { baselinesFor, explains, hidingBaselines } from './hiding.js';
import run, { suiteAgainst } from './fault-trial.js';

const faultNamed = (id: string) => faults.find((fault) => fault.id === id)!;

const runAgainst =
  (id: string, check: string) =>
  (options: Partial<ConformanceOptions>): Promise<Report> =>
    suiteAgainst(
      { dialect: 'couchdb', components: faultNamed(id).replace },
      { seed: 1, only: [check], configure: false, ...options },
    );

test('a fault is hidden by the baselines whose entries explain all that it does', async (t) => {
  const fault = faultNamed('filtered-last-seq-scanned');
  t.deepEqual(await baselinesFor(fault), []);
  const runIt = runAgainst(fault.id, 'feed-last-seq/filtered-by-id');
  const [failure] = (await runIt({ shrinkMs: 0 })).checks;
  const suspects = (await baselinesFor({ ...fault, knownIn: [] })).filter((baseline) =>
    explains(baseline, failure!),
  );
  const hiding = await hidingBaselines(suspects, runIt);
  t.deepEqual(hiding, ['couchdb-3.3', 'couchdb-3.5']);

  const trial = (await run({ id: fault.id, seed: 1, whole: false })) as FaultTrial;
  t.like(trial, { outcome: 'killed', hiddenBy: undefined });
  const findingsWith = (faults: readonly FaultTrial[]): string[] =>
    findings({
      format: 'docfeed-selftest/1',
      version: '',
      startedAt: '',
      command: '',
      faults,
      checks: [],
      variations: [],
      repeats: [],
      rulesWithoutFault: [],
      environment: { node: '', platform: '', cores: 2 },
    });
  const hidden = { ...trial, hiddenBy: hiding };
  t.deepEqual(
    findingsWith([hidden, { ...hidden, seed: 2 }]),
    hiding.map((name) => `Fault ${fault.id} of feed-last-seq passes under the baseline ${name}.`),
  );
  t.deepEqual(findingsWith([hidden, { ...trial, seed: 2 }]), []);
});

test('a fault that does more than the entries explain is not hidden', async (t) => {
  const fault = faultNamed('filtered-pending-one-less');
  const suspects = await baselinesFor(fault);
  t.true(suspects.length > 0);
  t.deepEqual(await hidingBaselines(suspects, runAgainst(fault.id, 'feed-pending/filtered-by-id')), []);
});
