/** The progress of a run: one line that is redrawn on a terminal, an occasional new line in a log. */

interface Progress {
  readonly done: number;
  readonly total: number;
  /** The name of the item that was finished last. */
  readonly name: string;
  /** The number of failures until now. */
  readonly failed: number;
}

/** CI systems kill jobs that print nothing for some minutes. In milliseconds. */
const logIntervalMs = 10_000;

/** @param unit what is counted, in the plural. */
export async function showProgress(
  stream: NodeJS.WriteStream,
  unit = 'checks',
): Promise<{ update(progress: Progress): void; stop(): void }> {
  // The terminals of some containers report no width. A line cannot be redrawn there.
  if (!stream.isTTY || !stream.columns) {
    let loggedAt = performance.now();
    return {
      update({ done, total }) {
        if (performance.now() - loggedAt < logIntervalMs) return;
        loggedAt = performance.now();
        stream.write(`${done} of ${total} ${unit} done\n`);
      },
      stop() {},
    };
  }
  const { default: ora } = await import('ora');
  const spinner = ora({ stream, text: 'starting' }).start();
  return {
    update({ name, failed, done, total }) {
      const failures = failed === 0 ? '' : `, ${failed} failed`;
      spinner.text = `${done} of ${total} ${unit} done${failures}: ${name}`;
    },
    stop() {
      spinner.stop();
    },
  };
}
