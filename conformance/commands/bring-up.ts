/** `docfeed check --bring-up`: for somebody who builds a server, the first rung that does not hold. */
import { renderFirstProblem } from '../../reports/render/first-problem.js';
import { showsColour } from '../../reports/render/terminal.js';
import { coloursFor, wrapperFor } from '../../reports/render/terminal-text.js';
import { exitCode, type CheckResult, type Report } from '../../reports/report.js';
import { rules } from '../../openapi/generated/rules.js';
import { checks } from '../areas/checks.js';
import { type Rung, rungOf, rungs } from '../areas/rungs.js';
import { select } from '../engine/select.js';
import { baseUrl } from '../http/base-url.js';
import type { Exchange } from '../http/client.js';
import { describeRule } from '../target/check.js';
import { NotThisService } from '../target/detect.js';
import { Refusal } from '../engine/refusal.js';
import { runInterruptibly } from './interruption.js';
import {
  type CheckOptions,
  type CheckTargetOptions,
  restoreLater,
  runWithProgress,
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
  const selected = select(checks, options);
  const steps = rungs
    .map(({ name }, rung) => ({ name, ids: selected.flatMap(({ id }) => (rungOf(id) === rung ? [id] : [])) }))
    .filter(({ ids }) => ids.length > 0);
  try {
    return await climbSteps(steps, options, signal);
  } catch (error) {
    if (!(error instanceof Refusal && error.cause instanceof NotThisService)) throw error;
    const [{ name }] = rungs as [Rung];
    printProblem(
      { name, summary: 'without it, no check can run', later: steps.filter((step) => step.name !== name) },
      { target: { url: options.urls.map(baseUrl).join(' ') } },
      [withoutGreeting(error.message, error.cause.exchange)],
    );
    return 3;
  }
}

interface Step {
  readonly name: string;
  readonly ids: readonly string[];
}

async function climbSteps(
  steps: readonly Step[],
  options: CheckTargetOptions,
  signal: AbortSignal,
): Promise<0 | 1 | 3> {
  const { strict } = options;
  let checked = 0;
  for (const [index, { name, ids }] of steps.entries()) {
    const report = await runWithProgress({ ...options, ids, signal });
    if (signal.aborted) return 3;
    const open = report.checks.filter((check) => !holds(check, strict));
    const judged = report.checks.filter(({ outcome }) => outcome !== 'skipped').length;
    if (open.length === 0) {
      checked += judged;
      print(line(judged === 0 ? 'skipped' : 'holds', name, describeCount(judged, report)));
      continue;
    }
    const summary = `${open.length} of ${report.checks.length} checks do not hold`;
    printProblem({ name, summary, later: steps.slice(index + 1) }, report, open);
    return exitCode(report, strict);
  }
  print(checked === 0 ? 'Nothing was checked.' : `All rungs hold: ${checked} checks.`);
  return checked === 0 ? 3 : 0;
}

function printProblem(
  { name, summary, later }: { name: string; summary: string; later: readonly Step[] },
  report: Parameters<typeof renderFirstProblem>[0],
  open: readonly CheckResult[],
): void {
  print(line('stops at', name, summary));
  print('');
  for (const text of renderFirstProblem(report, open, terminal())) print(text);
  print('');
  const names = later.map((step) => step.name);
  print(line('next', names.length === 0 ? 'no other rung' : `then ${names.join(', ')}`, ''));
}

/** What a run would report of the greeting, if it could start without one. */
function withoutGreeting(reason: string, exchange: Exchange): CheckResult {
  const rule = rules.find(({ id }) => id === 'root-greeting')!;
  return {
    ...{ id: rule.id, ...describeRule(rule), outcome: 'blocked', reason },
    ...{ durationMs: exchange.durationMs, cases: 0, requests: 1, exchange: exchange.record() },
  };
}

function holds({ outcome }: CheckResult, strict = false): boolean {
  return ['pass', 'known', 'skipped'].includes(outcome) || (outcome === 'warn' && !strict);
}

function describeCount(judged: number, { checks }: Report): string {
  const skipped = checks.length - judged;
  const [first] = checks.filter(({ outcome }) => outcome === 'skipped');
  if (judged === 0) return first?.reason ?? '';
  return `${judged} ${judged === 1 ? 'check' : 'checks'}${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

const terminal = () => ({ colour: showsColour(process.stdout), columns: process.stdout.columns });

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
