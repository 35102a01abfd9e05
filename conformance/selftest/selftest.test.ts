import test from 'ava';
import { findings, type FaultTrial, type SelftestReport } from '../../reports/selftest.js';
import { selftest } from './index.js';

const options = { seeds: 1, repeats: 0, profile: 'default', firstSeed: 1, command: '' } as const;

test('with only, a self-test runs no variations by default', async (t) => {
  const totals = new Set<number>();
  const report = await selftest({
    ...options,
    only: ['root-uuid-not-hexadecimal'],
    onProgress: ({ total }) => {
      totals.add(total);
      return Promise.resolve();
    },
  });
  t.deepEqual(
    report.faults.map(({ id, outcome, by }) => [id, outcome, by]),
    [['root-uuid-not-hexadecimal', 'killed', ['root-greeting']]],
  );
  t.deepEqual([report.variations, report.repeats, [...totals]], [[], [], [1]]);
});

const reportWith = (busyFaults: readonly FaultTrial[]): SelftestReport => ({
  ...{ format: 'docfeed-selftest/1', version: '', startedAt: '', command: '' },
  ...{ faults: [], busyFaults, checks: [], variations: [], repeats: [], rulesWithoutFault: [] },
  environment: { node: '', platform: '', cores: 2 },
});

test('on a busy machine, a fault may be undecided, but must not survive', (t) => {
  const trial = { id: 'slow', rule: 'heartbeat-lines', summary: '', seed: 1, by: [], durationMs: 0 };
  const findingsOf = (outcome: FaultTrial['outcome']) =>
    findings(reportWith([{ ...trial, outcome, busy: true }]));
  t.deepEqual([findingsOf('killed'), findingsOf('undecided')], [[], []]);
  t.deepEqual(findingsOf('survived'), [
    'Fault slow of heartbeat-lines, seed 1, on a busy machine: survived.',
  ]);
});

test('a pattern that matches no fault is refused', async (t) => {
  await t.throwsAsync(selftest({ ...options, only: ['root-uuid'] }), {
    message: /^--only root-uuid matches no fault/,
  });
});
