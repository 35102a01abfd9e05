/** The progress of a run: one line that is redrawn on a terminal, an occasional new line in a log. */

interface Progress {
  readonly done: number;
  readonly total: number;
  /** What was done last. */
  readonly name: string;
  /** The number of failures until now. */
  readonly failed: number;
  /** The share of the work that is done, from 0 to 1. Default: `done / total`. */
  readonly share?: number;
}

export interface ProgressDisplay {
  update(progress: Progress): void;
  /** Prints a line that stays. */
  print(line: string): void;
  /** Makes room for other output. The next update shows the progress again. */
  clear(): void;
  /** Shows nothing more. */
  stop(): void;
}

/** CI systems kill jobs that print nothing for some minutes. In milliseconds. */
const logIntervalMs = 10_000;

/** Before this, an estimate of the time left would be a guess. */
const estimateAfter = { ms: 2000, share: 0.05 };

const barWidth = 20;

/** Whether a line of the stream can be redrawn. The terminals of some containers report no width. */
export const canRedraw = (stream: NodeJS.WriteStream): boolean => stream.isTTY && stream.columns > 0;

/** A line of a terminal that is drawn again and again, below what is printed. Elsewhere nothing is drawn. */
type RedrawnLine = Pick<ProgressDisplay, 'print' | 'clear' | 'stop'> & { draw(text: string): void };

/** Leaves the terminal as it is: the cursor stays visible, and keys such as Ctrl-C and Ctrl-Z work. */
export function redrawnLine(stream: NodeJS.WriteStream, isShown: boolean): RedrawnLine {
  const print = (line: string): void => void stream.write(`${line}\n`);
  if (!isShown) return { draw() {}, print, clear() {}, stop() {} };
  let line = '';
  let isStopped = false;
  const clear = (): void => {
    if (!isStopped) stream.write(eraseLine);
  };
  const draw = (text: string): void => {
    line = text;
    if (!isStopped) stream.write(`\r${fit(line, stream.columns)}${eraseToEnd}`);
  };
  return {
    draw,
    print(text) {
      clear();
      print(text);
      draw(line);
    },
    clear,
    stop() {
      clear();
      isStopped = true;
    },
  };
}

/** @param unit what is counted, in the plural */
export function showProgress(stream: NodeJS.WriteStream, unit = 'checks'): ProgressDisplay {
  const startedAt = performance.now();
  let loggedAt = startedAt;
  const isRedrawn = canRedraw(stream);
  const line = redrawnLine(stream, isRedrawn);
  line.draw('starting');
  return {
    ...line,
    update({ name, failed, done, total, share = done / total }) {
      const counts = `${done} of ${total} ${unit} done${failed === 0 ? '' : `, ${failed} failed`}`;
      const now = performance.now();
      if (isRedrawn) {
        line.draw(`${drawBar(share)} ${counts}${describeTimeLeft(now - startedAt, share)}: ${name}`);
      } else if (now - loggedAt >= logIntervalMs) {
        loggedAt = now;
        line.print(counts);
      }
    },
  };
}

/** Erases the line from the cursor on. */
const eraseToEnd = '\u001B[K';

export const eraseLine = `\r${eraseToEnd}`;

/** A line that wraps could not be redrawn. Two columns stay free for the `^C` that the terminal echoes. */
const fit = (line: string, columns: number): string => line.slice(0, Math.max(0, columns - 3));

/** What `--quiet` shows. */
export const noProgress: ProgressDisplay = { update() {}, print() {}, clear() {}, stop() {} };

function drawBar(share: number): string {
  const filled = Math.round(share * barWidth);
  return '█'.repeat(filled) + '░'.repeat(barWidth - filled);
}

function describeTimeLeft(elapsedMs: number, share: number): string {
  if (elapsedMs < estimateAfter.ms || share < estimateAfter.share || share === 1) return '';
  return `, ${formatDuration((elapsedMs * (1 - share)) / share)} left`;
}

/** Whole seconds, or minutes and seconds from one minute on. */
function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
