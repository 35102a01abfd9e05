/** How far a run is, for people: a line that changes on a terminal, a line now and then elsewhere. */
import ora from 'ora';
import type { ConformanceOptions } from '../index.js';

type Update = NonNullable<ConformanceOptions['onProgress']>;

/** How often a log gets a line, in milliseconds: CI systems take a silent job for a dead one. */
const lineEveryMs = 10_000;

export function showProgress(stream: NodeJS.WriteStream): { update: Update; stop(): void } {
  // A terminal that does not know its width, as some containers have, cannot be drawn upon.
  if (!stream.isTTY || !stream.columns) {
    let lastLineAt = performance.now();
    return {
      update({ done, total }) {
        if (performance.now() - lastLineAt < lineEveryMs) return;
        lastLineAt = performance.now();
        stream.write(`${done} of ${total} checks done\n`);
      },
      stop() {},
    };
  }
  const spinner = ora({ stream, text: 'looking at the target' }).start();
  let failed = 0;
  return {
    update({ result, done, total }) {
      if (result.outcome === 'fail') failed += 1;
      const failures = failed === 0 ? '' : `, ${failed} failed`;
      spinner.text = `${done} of ${total} checks done${failures}: ${result.id}`;
    },
    stop() {
      spinner.stop();
    },
  };
}
