/** Commands that end, and what they leave behind. */
import test from 'ava';
import { startCommand } from './command.js';

const node = process.execPath;

test('the last lines of a command are read before its end is known', async (t) => {
  const lines: string[] = [];
  const line = (text: string): void => void lines.push(text);
  const script = "console.log('one\\ntwo'); process.stderr.write('three'); process.exitCode = 7";
  const { ended, hasEnded } = startCommand([node, '-e', script], {}, { line, error: line });
  t.is(await ended, 'exit code 7');
  t.is(hasEnded(), 'exit code 7');
  t.deepEqual(lines.sort(), ['one', 'three', 'two']);
});

test('a command that cannot be started has ended', async (t) => {
  const { ended } = startCommand(['/no/such/program'], {}, { line: t.fail, error: t.fail });
  t.is(await ended, 'spawn /no/such/program ENOENT');
});
