/** The progress of a run: one line that is redrawn on a terminal, an occasional new line in a log. */
import type { Waiting } from '../engine/run-options.js';

interface Progress {
  readonly done: number;
  readonly total: number;
  /** What was done last. */
  readonly name: string;
  /** The number of failures until now. */
  readonly failed: number;
  /** The share of the work that is done, from 0 to 1. Default: `done / total`. */
  readonly share?: number;
  /** What the run waits for. */
  readonly waiting?: () => Waiting | undefined;
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

/** How often the line is drawn again while nothing ends, in milliseconds. */
const redrawMs = 1000;

/** After this time in which nothing has ended, the line names what the run waits for, in milliseconds. */
const quietMs = 3000;

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
  let current: { readonly progress: Progress; readonly elapsedMs: number } | undefined;
  const show = (): void => {
    if (!current) return;
    const now = performance.now();
    const quiet = now - startedAt - current.elapsedMs;
    if (isRedrawn) {
      const { progress, elapsedMs } = current;
      line.draw(`${drawBar(shareOf(progress))} ${describeProgress(progress, unit, elapsedMs, quiet)}`);
    } else if (now - loggedAt >= logIntervalMs) {
      loggedAt = now;
      line.print(
        describeCounts(current.progress, unit) + (quiet > quietMs ? describeWaiting(current.progress) : ''),
      );
    }
  };
  const redrawing = setInterval(show, redrawMs).unref();
  return {
    ...line,
    update(progress) {
      current = { progress, elapsedMs: performance.now() - startedAt };
      show();
    },
    stop() {
      clearInterval(redrawing);
      line.stop();
    },
  };
}

/**
 * @param elapsedMs time until something ended last
 * @param quiet time since then, in milliseconds. When it is longer than an estimate says, that was wrong.
 */
export function describeProgress(progress: Progress, unit: string, elapsedMs: number, quiet: number): string {
  const counts = describeCounts(progress, unit);
  const leftMs = timeLeft(elapsedMs, shareOf(progress));
  const waiting = quiet > Math.min(leftMs ?? Infinity, quietMs) ? describeWaiting(progress) : '';
  if (waiting !== '') return counts + waiting;
  const left = leftMs === undefined || leftMs <= quiet ? '' : `, ${formatDuration(leftMs - quiet)} left`;
  return `${counts}${left}: ${progress.name}`;
}

const shareOf = ({ share, done, total }: Progress): number => share ?? done / total;

const describeCounts = ({ done, total, failed }: Progress, unit: string): string =>
  `${done} of ${total} ${unit} done${failed === 0 ? '' : `, ${failed} failed`}`;

/** @returns such as `, waiting for feed-limit (POST /{db}/_bulk_docs, 12 s)`. */
function describeWaiting({ waiting }: Progress): string {
  const found = waiting?.();
  if (!found) return '';
  const { check, request, ms } = found;
  return `, waiting for ${check} (${[request ?? [], formatDuration(ms)].flat().join(', ')})`;
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

/** In milliseconds. */
function timeLeft(elapsedMs: number, share: number): number | undefined {
  if (elapsedMs < estimateAfter.ms || share < estimateAfter.share || share === 1) return undefined;
  return (elapsedMs * (1 - share)) / share;
}

/** Whole seconds, or minutes and seconds from one minute on. */
function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
