import test from 'ava';
import type { ConformingTrial, SelftestReport } from '../../reports/selftest.js';
import { selftest } from './index.js';

/** The runs on a busy machine and over a slow network, which this test does not repeat. */
const known: SelftestReport = {
  format: 'docfeed-selftest/1',
  version: '',
  startedAt: '',
  command: '',
  faults: [],
  checks: [],
  variations: [],
  rulesWithoutFault: [],
  environment: { node: '', platform: '', cores: 2 },
  repeats: ['busy machine', 'slow network'].map((circumstances): ConformingTrial => ({
    circumstances,
    seed: 1,
    profile: 'default',
    passed: 1,
    skipped: 0,
    alarms: [],
    durationMs: 0,
  })),
};

test('on a busy machine, no check passes a server with a fault in a period', async (t) => {
  const { faults, busyFaults } = await selftest({
    seeds: 0,
    repeat: 1,
    profile: 'default',
    seed: 1,
    command: '',
    only: ['continuous-timeout-late', 'feed-pending'],
    known,
  });
  t.deepEqual(faults, []);
  t.deepEqual(
    busyFaults?.map(({ id, seed, busy }) => [id, seed, busy]),
    [['continuous-timeout-late', 1, true]],
  );
  t.true(['killed', 'undecided'].includes(busyFaults![0]!.outcome), busyFaults![0]!.outcome);
});
