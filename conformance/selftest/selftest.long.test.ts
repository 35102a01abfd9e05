import test from 'ava';
import { findings, type FaultTrial, type SelftestReport } from '../../reports/selftest.js';
import { capabilities } from '../../openapi/generated/rules.js';
import { selftest } from './index.js';
import { countsOf, suiteAgainst } from './fault-trial.js';

const options = { seeds: 1, repeat: 0, profile: 'default', seed: 1, command: '' } as const;

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

const reportWith = (trials: Partial<SelftestReport>): SelftestReport => ({
  format: 'docfeed-selftest/1',
  version: '',
  startedAt: '',
  command: '',
  faults: [],
  checks: [],
  variations: [],
  repeats: [],
  rulesWithoutFault: [],
  environment: { node: '', platform: '', cores: 2 },
  ...trials,
});

test('on a busy machine, a fault may be undecided, but must not survive', (t) => {
  const trial = {
    id: 'slow',
    rule: 'heartbeat-lines',
    area: 'modes',
    summary: '',
    seed: 1,
    by: [],
    durationMs: 0,
  };
  const findingsOf = (outcome: FaultTrial['outcome']) =>
    findings(reportWith({ busyFaults: [{ ...trial, outcome, busy: true }] }));
  t.deepEqual([findingsOf('killed'), findingsOf('undecided')], [[], []]);
  t.deepEqual(findingsOf('survived'), [
    'Fault slow of heartbeat-lines, seed 1, on a busy machine: survived.',
  ]);
});

test('a run that skips most checks does not show that a conforming server passes', async (t) => {
  const report = await suiteAgainst({}, { seed: 1, profile: 'smoke', configure: false, lack: capabilities });
  const trial = {
    circumstances: 'nothing',
    seed: 1,
    profile: 'smoke',
    durationMs: 0,
    ...countsOf(report),
  };
  t.deepEqual(trial.alarms, []);
  const found = findings(reportWith({ variations: [trial] }));
  t.is(found.length, 1);
  t.regex(found[0]!, /^nothing, seed 1: \d+ checks skipped and only \d+ passed, so the run shows nothing\.$/);
});
