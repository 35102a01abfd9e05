/** Process groups that end with this process, however it ends. */
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** A program that kills the groups in the lines of its input as soon as that ends, except those that come twice. */
const program = `
  const groups = new Set();
  require('node:readline')
    .createInterface({ input: process.stdin })
    .on('line', (group) => groups.delete(group) || groups.add(group))
    .on('close', () => {
      for (const group of groups) {
        try {
          process.kill(-group, 'SIGKILL');
        } catch {}
      }
    });`;

let watcher: Socket | undefined;

/**
 * Starts the watcher. Call this before the group begins: on a busy machine, a process may do much before the watcher
 * has started, and this process may end meanwhile.
 *
 * @returns a function that watches a group. It returns one for when the group has ended, since its number may then belong
 * to another one.
 */
export function groupWatcher(): (group: number) => () => void {
  const input = (watcher ??= startWatcher());
  return (group) => {
    input.write(`${group}\n`);
    return () => input.write(`${group}\n`);
  };
}

/** The watcher is in a group of its own, so that signals of the terminal do not reach it. */
function startWatcher(): Socket {
  const child = spawn(process.execPath, ['-e', program], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  const input = child.stdin as Socket;
  input.unref();
  // Somebody has ended the watcher.
  input.on('error', () => {});
  return input;
}
