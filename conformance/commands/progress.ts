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
  stop(): void;
}

/** CI systems kill jobs that print nothing for some minutes. In milliseconds. */
const logIntervalMs = 10_000;

/** Before this, an estimate of the time left would be a guess. */
const estimateAfter = { ms: 2000, share: 0.05 };

const barWidth = 20;

/** Whether a line of the stream can be redrawn. The terminals of some containers report no width. */
export const canRedraw = (stream: NodeJS.WriteStream): boolean => stream.isTTY && stream.columns > 0;

/**
 * @param options.unit what is counted, in the plural
 * @param options.readsKeys whether the caller reads the keyboard; otherwise keys are ignored
 */
export async function showProgress(
  stream: NodeJS.WriteStream,
  { unit = 'checks', readsKeys = false }: { unit?: string; readsKeys?: boolean } = {},
): Promise<ProgressDisplay> {
  const startedAt = performance.now();
  const print = (line: string): void => void stream.write(`${line}\n`);
  if (!canRedraw(stream)) {
    let loggedAt = startedAt;
    return {
      update({ done, total, failed }) {
        if (performance.now() - loggedAt < logIntervalMs) return;
        loggedAt = performance.now();
        print(`${done} of ${total} ${unit} done${describeFailures(failed)}`);
      },
      print,
      stop() {},
    };
  }
  const { default: ora } = await import('ora');
  const spinner = ora({ stream, text: 'starting', discardStdin: !readsKeys }).start();
  return {
    update({ name, failed, done, total, share = done / total }) {
      const left = describeTimeLeft(performance.now() - startedAt, share);
      const counts = `${done} of ${total} ${unit} done${describeFailures(failed)}`;
      spinner.text = `${drawBar(share)} ${counts}${left}: ${name}`;
    },
    // The spinner moves out of the way of other writes to its stream.
    print,
    stop() {
      spinner.stop();
    },
  };
}

/** What `--quiet` shows. */
export const noProgress: ProgressDisplay = { update() {}, print() {}, stop() {} };

const describeFailures = (failed: number): string => (failed === 0 ? '' : `, ${failed} failed`);

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
