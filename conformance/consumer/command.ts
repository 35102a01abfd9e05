/** Starts and stops the command of a consumer, and reads its output. */
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Refusal } from '../engine/refusal.js';
import { groupWatcher } from './group-watcher.js';

export interface RunningCommand {
  /** How the process ended, such as `exit code 1`, when all of its output is read, or soon after if others keep that open. */
  readonly ended: Promise<string>;
  /** The same, as far as it has ended. */
  readonly hasEnded: () => string | undefined;
  /** Sends a signal to the process and those that it has started, and waits for its end. */
  readonly stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

/** A command that ignores SIGTERM for this time is killed; what keeps its output open is not read longer. In milliseconds. */
const patienceMs = 5000;

export function startCommand(
  [file, ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  on: { readonly line: (line: string) => void; readonly error: (line: string) => void },
): RunningCommand {
  const watch = groupWatcher();
  // A group of its own, so that a signal also reaches what a script or `npm` starts.
  const child = spawn(file!, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  const release = pid === undefined ? () => {} : watch(pid);
  for (const [stream, report] of [
    [child.stdout, on.line],
    [child.stderr, on.error],
  ] as const) {
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', report);
  }
  let hasEnded: string | undefined;
  const ended = new Promise<string>((resolve) => {
    let how = '';
    let timer: NodeJS.Timeout;
    child.once('error', (error) => (how = error.message));
    child.once('exit', (code, signal) => {
      how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      // What the command started may outlive it, and would keep its output open.
      if (pid !== undefined) signalGroup(pid, 'SIGKILL');
      // The signal does not reach what has left the group, such as a daemon.
      timer = setTimeout(
        () => [child.stdout, child.stderr].forEach((stream) => stream.destroy()),
        patienceMs,
      );
    });
    // Its last lines may say why.
    child.once('close', () => {
      clearTimeout(timer);
      hasEnded = how;
      release();
      resolve(how);
    });
  });
  return {
    ended,
    hasEnded: () => hasEnded,
    async stop(signal) {
      if (pid === undefined) return;
      signalGroup(pid, signal);
      const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), patienceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}

/** @throws Refusal if there is no such program, before anything else is started. */
export function requireCommand([file]: readonly string[]): void {
  if (file === undefined) throw new Refusal('usage', 'missing the command of the consumer after --');
  const candidates = file.includes('/')
    ? [file]
    : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, file));
  if (candidates.some(isProgram)) return;
  throw new Refusal(
    'usage',
    `cannot run ${file}: there is no such program${file.includes('/') ? '' : ' in PATH'}`,
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
