/** How far a run is, for people: a line that changes on a terminal, a line now and then elsewhere. */

interface Progress {
  readonly done: number;
  readonly total: number;
  /** Of what was done last. */
  readonly name: string;
  /** So many have failed so far. */
  readonly failed: number;
}

/** How often a log gets a line, in milliseconds: CI systems take a silent job for a dead one. */
const lineEveryMs = 10_000;

/** @param what is counted, in the plural. */
export async function showProgress(
  stream: NodeJS.WriteStream,
  what = 'checks',
): Promise<{ update(progress: Progress): void; stop(): void }> {
  // A terminal that does not know its width, as some containers have, cannot be drawn upon.
  if (!stream.isTTY || !stream.columns) {
    let lastLineAt = performance.now();
    return {
      update({ done, total }) {
        if (performance.now() - lastLineAt < lineEveryMs) return;
        lastLineAt = performance.now();
        stream.write(`${done} of ${total} ${what} done\n`);
      },
      stop() {},
    };
  }
  // Loaded where it is needed only.
  const { default: ora } = await import('ora');
  const spinner = ora({ stream, text: 'starting' }).start();
  return {
    update({ name, failed, done, total }) {
      const failures = failed === 0 ? '' : `, ${failed} failed`;
      spinner.text = `${done} of ${total} ${what} done${failures}: ${name}`;
    },
    stop() {
      spinner.stop();
    },
  };
}
