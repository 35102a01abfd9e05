import { PassThrough } from 'node:stream';
import test from 'ava';
import { showProgress } from './progress.js';

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
