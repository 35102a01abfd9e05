import { PassThrough } from 'node:stream';
import test from 'ava';
import { showProgress } from './progress.js';

/** What is written for one result on a stream of this kind. */
async function written(kind: { isTTY: boolean; columns?: number }): Promise<string> {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), kind, {
    clearLine: () => true,
    cursorTo: () => true,
    moveCursor: () => true,
  });
  const progress = await showProgress(stream as unknown as NodeJS.WriteStream);
  progress.update({ name: 'root-greeting', done: 1, total: 2, failed: 0 });
  progress.stop();
  return (stream.read() as string | null) ?? '';
}

test('a terminal shows how far the run is', async (t) => {
  t.regex(await written({ isTTY: true, columns: 80 }), /starting/);
});

test('a log is left alone for a while, and so is a terminal that does not know its width', async (t) => {
  t.is(await written({ isTTY: false }), '');
  t.is(await written({ isTTY: true, columns: 0 }), '');
});
