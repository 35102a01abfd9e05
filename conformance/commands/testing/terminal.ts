/** Runs the program on a pseudo-terminal, with `script` of util-linux. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { execa } from 'execa';
import { credentials } from './docfeed.js';
import { program } from '../../../reports/testing/program.js';

/** Outlives the signals of the terminal, to record the exit code and the modes of the terminal. */
const session = `
trap : INT HUP
rm -f "$DIR/status"
stty cols 100 rows 24
stty -a >"$DIR/before"
sh -c 'echo $$ >"$DIR/pid"; exec node "$@"' sh "$@"
echo $? >"$DIR/status"
stty -a >"$DIR/after"
`;

export interface Terminal {
  /** What the program has written until now. */
  readonly output: string;
  /** Resolves when the program has ended. Verifies nothing, so that a test may end before it. */
  readonly ended: Promise<unknown>;
  /** The exit code of the program. Verifies that the terminal is as before and has a cursor. */
  readonly exitCode: Promise<number>;
  pressCtrlC(): void;
  /** Sends a signal from outside, unless the program has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Closes the window. @returns the exit code of the program */
  close(): Promise<number>;
  /** Waits for output. */
  until(pattern: RegExp): Promise<void>;
  /** Verifies that the terminal has its own modes, in which Ctrl-C and Ctrl-Z work. */
  mustHaveItsModes(): Promise<void>;
}

/**
 * Starts `docfeed`.
 *
 * @param dir a folder for the files of one terminal after the other, and for journals
 */
export function onTerminal(
  t: ExecutionContext,
  dir: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Terminal {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TERM: 'xterm',
    DOCFEED_ADMIN: credentials,
    XDG_STATE_HOME: dir,
    DIR: dir,
    SESSION: session,
    ...variables,
  };
  // They would turn redrawing off.
  for (const name of ['CI', 'NO_COLOR', 'FORCE_COLOR']) delete env[name];
  const words = [program, ...args].map((word) => `'${word}'`).join(' ');
  // The first shell ends with the terminal. Then the system tells all other processes.
  const command = `trap : INT; sh -c "$SESSION" sh ${words}; :`;
  const script = spawn('script', ['--quiet', '--flush', '--command', command, '/dev/null'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(() => script.kill('SIGKILL'));
  // The program may end before it reads a key.
  script.stdin.on('error', () => {});
  let output = '';
  script.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(script, 'close');
  const read = (name: string): Promise<string> => readFile(join(dir, name), 'utf8');
  const pid = async (): Promise<number> => Number(await read('pid'));
  return {
    get output() {
      return output;
    },
    ended,
    get exitCode() {
      return ended.then(async () => {
        t.is(await read('after'), await read('before'), 'the terminal is as before');
        const [shown, hidden] = ['\u001B[?25h', '\u001B[?25l'].map((code) => output.lastIndexOf(code));
        t.true(shown! >= hidden!, 'the cursor is visible');
        return Number(await read('status'));
      });
    },
    pressCtrlC: () => void script.stdin.write('\u0003'),
    async kill(signal) {
      await execa('kill', ['-s', signal.slice(3), String(await pid())], { reject: false });
    },
    async close() {
      script.kill('SIGKILL');
      // The program is not a child of this process, which therefore gets no event.
      await execa('sh', ['-c', `until test -s '${join(dir, 'status')}'; do sleep 0.1; done`]);
      return Number(await read('status'));
    },
    async until(pattern) {
      while (!pattern.test(output)) {
        const end = ended.then(() => {
          throw new Error(`The output ends without ${pattern}:\n${output}`);
        });
        await Promise.race([once(script.stdout, 'data'), end]);
      }
    },
    async mustHaveItsModes() {
      const tty = await readlink(`/proc/${await pid()}/fd/0`);
      t.is((await execa('stty', ['-a', '-F', tty])).stdout, (await read('before')).trimEnd());
    },
  };
}
