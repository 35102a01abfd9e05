/** Ends a run early: on Ctrl-C, on a signal from outside, with the terminal, or when nobody reads the output. */
import { constants } from 'node:os';
import { canRedraw, eraseLine } from './progress.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * npm and other wrappers pass on a signal that the terminal has sent to all processes already. Within this time, it is
 * the same one. In milliseconds.
 */
const echoMs = 500;

/**
 * Runs `work` with a signal that the first SIGINT, SIGTERM or SIGHUP aborts, and so does a closed output, as in
 * `docfeed check … | head`. A second SIGINT or SIGTERM ends the process although `work` is still cleaning up.
 *
 * @param remedy what a user can do after that
 * @param ending what the work does when it is interrupted
 */
export async function runInterruptibly<T>(
  remedy: string,
  work: (signal: AbortSignal) => Promise<T>,
  ending = 'cleaning up',
): Promise<T> {
  const controller = new AbortController();
  let signalledAt: number | undefined;
  const onSignal = (name: (typeof signals)[number]): void => {
    const isFirst = signalledAt === undefined;
    signalledAt ??= performance.now();
    controller.abort();
    if (isFirst) {
      tell(`interrupted; ${ending}, Ctrl-C again ends at once`);
      // A terminal that closes sends several.
    } else if (name !== 'SIGHUP' && performance.now() - signalledAt > echoMs) {
      tell(`ended while ${ending}; ${remedy}`);
      process.exit(128 + constants.signals[name]);
    }
  };
  const onClosed = (): void => controller.abort();
  const outputs = [process.stdout, process.stderr];
  // The listeners stay until the end of the work. `write-file-atomic` ends the process on a signal that has no others.
  for (const name of signals) process.on(name, onSignal);
  for (const output of outputs) output.on('error', onClosed);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of signals) process.off(name, onSignal);
    for (const output of outputs) output.off('error', onClosed);
  }
}

/** On a terminal, the line replaces the `^C` that the terminal shows. */
function tell(text: string): void {
  process.stderr.write(`${canRedraw(process.stderr) ? eraseLine : ''}docfeed: ${text}\n`);
}
