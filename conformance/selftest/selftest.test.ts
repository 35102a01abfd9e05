import test from 'ava';
import { findings, type FaultTrial, type LawfulTrial, type SelftestReport } from '../../reports/selftest.js';
import { selftest } from './index.js';

const options = { seeds: 1, repeats: 0, profile: 'default', firstSeed: 1, runs: 20, command: '' } as const;

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

/** A report whose runs on a busy machine and over a slow network need not be repeated. */
const reportWith = (busyFaults: readonly FaultTrial[]): SelftestReport => ({
  ...{ format: 'docfeed-selftest/1', version: '', startedAt: '', command: '', runs: 20 },
  ...{ faults: [], busyFaults, checks: [], variations: [], rulesWithoutFault: [] },
  environment: { node: '', platform: '', cores: 2 },
  repeats: ['busy machine', 'slow network'].map((circumstances): LawfulTrial => ({
    ...{ circumstances, seed: 1, profile: 'default', passed: 1, skipped: 0, alarms: [], durationMs: 0 },
  })),
});

test('on a busy machine, no check passes a server with a fault in a period', async (t) => {
  t.timeout(300_000);
  const { faults, busyFaults } = await selftest({
    ...{ ...options, seeds: 0, repeats: 1 },
    only: ['continuous-timeout-late', 'feed-pending'],
    known: reportWith([]),
  });
  t.deepEqual(faults, []);
  t.deepEqual(
    busyFaults?.map(({ id, seed, busy }) => [id, seed, busy]),
    [['continuous-timeout-late', 1, true]],
  );
  t.true(['killed', 'undecided'].includes(busyFaults![0]!.outcome), busyFaults![0]!.outcome);
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
