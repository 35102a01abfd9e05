/** `docfeed check --bring-up`: for somebody who builds a server, the first rung that does not hold. */
import { renderFirstProblem } from '../../reports/render/first-problem.js';
import { showsColour } from '../../reports/render/terminal.js';
import { coloursFor, wrapperFor } from '../../reports/render/terminal-text.js';
import { exitCode, type CheckResult, type Report } from '../../reports/report.js';
import { checks } from '../areas/checks.js';
import { rungOf, rungs } from '../areas/rungs.js';
import { select } from '../engine/select.js';
import { runConformance } from '../run-conformance.js';
import { progressReporter } from './check-progress.js';
import { runInterruptibly } from './interruption.js';
import { noProgress, showProgress } from './progress.js';
import {
  type CheckOptions,
  type CheckTargetOptions,
  conformanceOptions,
  restoreLater,
  withTarget,
} from './run-check.js';

/** @throws Refusal if the options, a file or the target prevent the run. */
export async function bringUp(urls: readonly string[], options: CheckOptions): Promise<void> {
  const target = withTarget(urls, options);
  process.exitCode = await runInterruptibly(restoreLater, (signal) => climb(target, signal));
}

/**
 * Runs one rung after the other, up to the first that does not hold, and prints what is wrong there.
 *
 * @returns the exit code: that of the last rung that ran, or 3 if no rung checked anything
 */
export async function climb(options: CheckTargetOptions, signal: AbortSignal): Promise<0 | 1 | 3> {
  const { strict } = options;
  const selected = select(checks, options);
  const steps = rungs
    .map(({ name }, rung) => ({ name, ids: selected.flatMap(({ id }) => (rungOf(id) === rung ? [id] : [])) }))
    .filter(({ ids }) => ids.length > 0);
  let checked = 0;
  for (const [index, { name, ids }] of steps.entries()) {
    const report = await runRung({ ...options, ids, signal });
    if (signal.aborted) return 3;
    const open = report.checks.filter((check) => !holds(check, strict));
    const judged = report.checks.filter(({ outcome }) => outcome !== 'skipped').length;
    if (open.length === 0) {
      checked += judged;
      print(line(judged === 0 ? 'skipped' : 'holds', name, describeCount(judged, report)));
      continue;
    }
    print(line('stops at', name, `${open.length} of ${report.checks.length} checks do not hold`));
    print('');
    for (const text of renderFirstProblem(report, open, terminal())) print(text);
    print('');
    const later = steps.slice(index + 1).map((step) => step.name);
    print(line('next', later.length === 0 ? 'no other rung' : `then ${later.join(', ')}`, ''));
    return exitCode(report, strict);
  }
  print(checked === 0 ? 'Nothing was checked.' : `All rungs hold: ${checked} checks.`);
  return checked === 0 ? 3 : 0;
}

function holds({ outcome }: CheckResult, strict = false): boolean {
  return ['pass', 'known', 'skipped'].includes(outcome) || (outcome === 'warn' && !strict);
}

async function runRung(options: CheckTargetOptions): Promise<Report> {
  const display = options.quiet ? noProgress : showProgress(process.stderr);
  const progress = progressReporter({ ...display, print: () => {} });
  try {
    return await runConformance({
      ...conformanceOptions(options),
      onBegin: (run) => progress.onRunBegin(run),
      onProgress: (end) => progress.onCheckEnd(end),
    });
  } finally {
    display.stop();
  }
}

function describeCount(judged: number, { checks }: Report): string {
  const skipped = checks.length - judged;
  const [first] = checks.filter(({ outcome }) => outcome === 'skipped');
  if (judged === 0) return first?.reason ?? '';
  return `${judged} ${judged === 1 ? 'check' : 'checks'}${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

const terminal = () => ({
  colour: showsColour(process.stdout),
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
});

function line(label: string, name: string, text: string): string {
  const { colour, columns } = terminal();
  const colours = coloursFor(colour);
  const shown = label === 'holds' ? colours.green(label.padEnd(9)) : colours.bold(label.padEnd(9));
  return wrapperFor(columns)(
    text === '' ? `${shown} ` : `${shown} ${name.padEnd(11)} `,
    text === '' ? name : text,
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
