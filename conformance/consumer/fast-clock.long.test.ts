/** An hour without a server, for consumers whose clock is fast. */
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { CheckResult } from '../../reports/report.js';
import { requirePrograms } from '../../reports/testing/programs.js';
import { consumerCommand } from '../commands/consumer.js';
import { expectError } from '../commands/testing/expect-error.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { Refusal } from '../engine/refusal.js';
import { runConsumer } from './run-consumer.js';
import { fastScenarios } from './scenarios.js';
import { carefulConsumer, weakForAnHour, writeWeakConsumer } from './testing/weak-consumers.js';

test.before((t) => requirePrograms(t, 'Tests with a fast clock', ['faketime', 'python3']));

/** How long a run may take: an hour, the longest wait that may follow, and three more attempts on a busy machine. */
const mostMs = 900_000;

const followFast = async (
  clockRate: number,
  program: string,
  file: string,
): Promise<readonly CheckResult[]> => {
  const command = ['faketime', '-f', `+0 x${clockRate}`, program, file];
  const { checks } = await runConsumer({ command, clockRate, seed: 1, shrinkMs: 1, deadlineMs: mostMs });
  return checks;
};

/** On a busy machine, the limits of a fast clock may be too short. */
const lawful = ['pass', 'inconclusive'];

const unlawfulIn = (checks: readonly CheckResult[]): string[] =>
  checks.filter(({ outcome }) => !lawful.includes(outcome)).map(({ id, reason }) => `${id}: ${reason}`);

for (const [program, file] of [
  [process.execPath, carefulConsumer],
  ['python3', fileURLToPath(new URL('../examples/consumer/follower.py', import.meta.url))],
] as const) {
  test(`a careful consumer survives an hour: ${file.slice(-2)}`, async (t) => {
    t.timeout(mostMs);
    const checks = await followFast(60, program, file);
    t.is(checks.length, fastScenarios.length);
    t.deepEqual(unlawfulIn(checks), []);
  });
}

for (const weak of weakForAnHour) {
  test(`a consumer that ${weak.bug} fails after an hour, and only there`, async (t) => {
    t.timeout(mostMs);
    const file = await writeWeakConsumer(t, weak);
    const [ofAnHour, others] = await Promise.all([
      followFast(120, process.execPath, file),
      runConsumer({
        command: [process.execPath, file],
        only: ['feed-live-converges/{outage,away,restart,unavailable,cut}'],
        seed: 1,
        graceMs: 2000,
        shrinkMs: 1,
      }),
    ]);
    const isOwn = ({ id }: CheckResult): boolean => weak.foundBy.test(id);
    t.deepEqual(
      ofAnHour.filter(isOwn).map(({ id, outcome }) => [id, outcome]),
      ofAnHour.filter(isOwn).map(({ id, level }) => [id, level === 'SHOULD' ? 'warn' : 'fail']),
    );
    t.deepEqual(unlawfulIn([...ofAnHour.filter((check) => !isOwn(check)), ...others.checks]), []);
  });
}

for (const [args, message] of [
  [['--only', 'feed-live-converges/hour'], /^--only feed-live-converges\/hour needs --clock-rate /],
  [['--clock-rate', '60', '--only', 'feed-deleted'], /^--only feed-deleted is not for a fast clock; /],
  [['--clock-rate', '6'], /^error: option '--clock-rate <n>' .* a whole number from 20 to 120\.$/],
] as const) {
  test(`the command line refuses what has no scenario: ${args.join(' ')}`, async (t) =>
    expectError(
      t,
      consumerCommand(),
      ['--report-dir', await emptyFolder(t), ...args, '--', 'node'],
      2,
      message,
    ));
}

test('the library refuses a clock that is too fast', async (t) => {
  const { message } = await t.throwsAsync(runConsumer({ command: ['node'], clockRate: 1000 }), {
    instanceOf: Refusal,
  });
  t.is(message, 'the clock rate must be from 20 to 120');
});
