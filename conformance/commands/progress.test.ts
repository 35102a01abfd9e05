import { PassThrough } from 'node:stream';
import test from 'ava';
import { describeProgress, showProgress } from './progress.js';

/** What one update writes to a stream with these properties. */
function outputOn(terminal: { isTTY: boolean; columns?: number }): string {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), terminal);
  const progress = showProgress(stream as unknown as NodeJS.WriteStream);
  progress.update({ name: 'root-greeting', done: 1, total: 2, failed: 0 });
  progress.stop();
  return (stream.read() as string | null) ?? '';
}

test('a terminal shows the progress on one line, which disappears at the end', (t) => {
  t.is(
    outputOn({ isTTY: true, columns: 80 }),
    '\rstarting\u001B[K\r██████████░░░░░░░░░░ 1 of 2 checks done: root-greeting\u001B[K\r\u001B[K',
  );
});

test('a line that is longer than the terminal is cut', (t) => {
  t.true(outputOn({ isTTY: true, columns: 20 }).includes('\r██████████░░░░░░░\u001B[K'));
});

test('a log and a terminal without a width get no line in the first seconds', (t) => {
  t.is(outputOn({ isTTY: false }), '');
  t.is(outputOn({ isTTY: true, columns: 0 }), '');
});

const waiting = () => ({ check: 'feed-limit', request: 'POST /{db}/_bulk_docs', ms: 11_500 });
const almost = { name: 'feed', done: 41, total: 42, failed: 0, share: 0.95, waiting };

test('the line names what the run waits for as soon as the estimate has run out', (t) => {
  // 5 % of 10 s remain.
  const line = (quiet: number): string => describeProgress(almost, 'checks', 10_000, quiet);
  t.is(line(0), '41 of 42 checks done, 1 s left: feed');
  t.is(line(600), '41 of 42 checks done, waiting for feed-limit (POST /{db}/_bulk_docs, 12 s)');
});

test('the line names what the run waits for when nothing has ended for a while', (t) => {
  const line = (quiet: number): string =>
    describeProgress({ ...almost, share: 0.5 }, 'checks', 100_000, quiet);
  t.is(line(2500), '41 of 42 checks done, 1 min 38 s left: feed');
  t.is(line(3500), '41 of 42 checks done, waiting for feed-limit (POST /{db}/_bulk_docs, 12 s)');
});

test('a check without an open request is named alone, and nothing is named if nothing is known', (t) => {
  const line = (known: { check: string; ms: number } | undefined): string =>
    describeProgress({ ...almost, waiting: () => known }, 'checks', 10_000, 5000);
  t.is(line({ check: 'feed-limit', ms: 5000 }), '41 of 42 checks done, waiting for feed-limit (5 s)');
  t.is(line(undefined), '41 of 42 checks done: feed');
});
