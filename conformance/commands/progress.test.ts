import { PassThrough } from 'node:stream';
import test from 'ava';
import { showProgress } from './progress.js';

/** What one update writes to a stream with these properties. */
async function outputOn(terminal: { isTTY: boolean; columns?: number }): Promise<string> {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), terminal, {
    clearLine: () => true,
    cursorTo: () => true,
    moveCursor: () => true,
  });
  const progress = await showProgress(stream as unknown as NodeJS.WriteStream);
  progress.update({ name: 'root-greeting', done: 1, total: 2, failed: 0 });
  progress.stop();
  return (stream.read() as string | null) ?? '';
}

test('a terminal shows the progress', async (t) => {
  t.regex(await outputOn({ isTTY: true, columns: 80 }), /starting/);
});

test('a log and a terminal without a width get no line in the first seconds', async (t) => {
  t.is(await outputOn({ isTTY: false }), '');
  t.is(await outputOn({ isTTY: true, columns: 0 }), '');
});
