/** The progress of `docfeed check` on stderr: a bar, the current area, and failures if they are wanted at once. */
import type { LastResult } from '../../reports/last-results.js';
import { renderOutcomeLine, showsColour } from '../../reports/render/terminal.js';
import type { Reporter } from '../../reports/reporters/reporter.js';
import type { RunOptions } from '../engine/run-options.js';
import type { ProgressDisplay } from './progress.js';

/** The cost of a check without an earlier result, in milliseconds. */
const defaultCostMs = 500;

/**
 * @param options.last results of the last run: the durations of its checks give a better estimate of the time left.
 * @param options.printsFailures whether to print each failure as soon as it is known.
 */
export function progressReporter(
  display: ProgressDisplay,
  {
    last = new Map(),
    printsFailures = false,
  }: { last?: ReadonlyMap<string, LastResult> | undefined; printsFailures?: boolean | undefined } = {},
): {
  onRunBegin: NonNullable<RunOptions['onBegin']>;
  onCheckEnd: NonNullable<Reporter['onCheckEnd']>;
} {
  const colour = showsColour(process.stderr);
  const costOf = (id: string): number => last.get(id)?.result.durationMs ?? defaultCostMs;
  let failed = 0;
  let doneMs = 0;
  let totalMs = 0;
  let waiting: Parameters<NonNullable<RunOptions['onBegin']>>[1];
  return {
    onRunBegin({ checks }, tellWaiting) {
      waiting = tellWaiting;
      totalMs = checks.reduce((sum, id) => sum + costOf(id), 0);
      display.update({ name: 'starting', done: 0, total: checks.length, failed: 0, share: 0, waiting });
    },
    onCheckEnd({ result, done, total }) {
      doneMs += costOf(result.id);
      if (result.outcome === 'fail') failed += 1;
      if (printsFailures && (result.outcome === 'fail' || result.outcome === 'error')) {
        display.print(renderOutcomeLine(result, colour));
      }
      display.update({ name: result.area, done, total, failed, share: doneMs / totalMs, waiting });
    },
  };
}
