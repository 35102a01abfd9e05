/** `docfeed check --bring-up`: for somebody who builds a server, the first rung that does not hold. */
import { findCauses } from '../../reports/causes.js';
import { groupByReason } from '../../reports/reasons.js';
import { renderFirstProblem } from '../../reports/render/first-problem.js';
import { renderOutcomeLine, showsColour } from '../../reports/render/terminal.js';
import { coloursFor, wrapperFor } from '../../reports/render/terminal-text.js';
import { exitCode, type CheckResult, type Report } from '../../reports/report.js';
import { rules } from '../../openapi/generated/rules.js';
import { checks } from '../rules/checks.js';
import { builtAfter, rungs } from '../session/scope/rungs.js';
import type { Check } from '../session/scope/rule-checks.js';
import { select } from '../engine/select.js';
import { baseUrl } from '../http/base-url.js';
import { answersOf } from '../http/http.js';
import { rateOf, timeoutOf } from '../run-conformance.js';
import type { Exchange } from '../http/client.js';
import { describeRule } from '../session/scope/rule-checks.js';
import { NotThisService } from '../session/probe/greeting.js';
import { Refusal } from '../engine/refusal.js';
import { lastStop, rememberStop } from './bring-up-stop.js';
import { prepareReportFolder } from './command-line.js';
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
  await prepareReportFolder(options.reportDir);
  process.exitCode = await runInterruptibly(restoreLater, (signal) => climb(target, signal));
}

/**
 * Runs one rung after the other, up to the first that does not hold, and prints what is wrong there. The rung at which the
 * last climb stopped is the first one.
 *
 * @returns the exit code: 1 for a violation, 3 if the climb stopped without one or checked nothing
 */
export async function climb(options: CheckTargetOptions, signal: AbortSignal): Promise<0 | 1 | 3> {
  const steps = stepsOf(selectForRungs(options));
  // A climb waits for an answer that is missing once, not at each rung.
  const rate = rateOf(options);
  const answers = answersOf(options.urls.map(baseUrl), timeoutOf(options), rate);
  try {
    return await climbSteps(steps, { ...options, answers, rate }, signal);
  } catch (error) {
    if (!(error instanceof Refusal && error.cause instanceof NotThisService)) throw error;
    const [{ name }] = rungs;
    printProblem(
      { name, summary: 'without it, no check can run' },
      { target: { url: options.urls.map(baseUrl).join(' ') } },
      [withoutGreeting(error.message, error.cause.exchange)],
    );
    printNext(steps.filter((step) => step.name !== name));
    return 3;
  } finally {
    answers.close();
  }
}

/** A profile with one check of each rule may have none of a rung: then the first check of the rung is selected, too. */
function selectForRungs(options: CheckTargetOptions): Check[] {
  const selected = new Set(select(checks, options));
  const candidates = select(checks, { ...options, profile: undefined });
  for (const { name } of rungs) {
    const ofRung = candidates.filter(({ rung }) => rung === name);
    if (!ofRung.some((check) => selected.has(check)))
      ofRung.slice(0, 1).forEach((check) => selected.add(check));
  }
  return checks.filter((check) => selected.has(check));
}

interface Step extends ReturnType<typeof builtAfter> {
  readonly name: string;
  readonly canWait?: boolean;
  readonly ids: readonly string[];
}

/** A step with checks that do not hold. */
interface Problem {
  readonly step: Step;
  readonly report: Report;
  readonly open: readonly CheckResult[];
}

/** The name of the last step, in which nothing is left to build. */
const together = 'together';

/** The rungs with checks. At the end, checks that did without what later rungs build run with all of it. */
function stepsOf(selected: readonly Check[]): Step[] {
  const steps = rungs
    .map(({ name, ...rung }) => ({
      name,
      canWait: 'canWait' in rung,
      ids: selected.filter(({ rung }) => rung === name).map(({ id }) => id),
      ...builtAfter(name),
    }))
    .filter((step) => step.ids.length > 0);
  const partial = steps.flatMap((step) => (step.notYet.length > 0 && !step.canWait ? step.ids : []));
  return partial.length === 0 ? steps : [...steps, { name: together, ids: partial, notYet: [], lack: [] }];
}

async function climbSteps(
  steps: readonly Step[],
  options: CheckTargetOptions,
  signal: AbortSignal,
): Promise<0 | 1 | 3> {
  const { strict, reportDir } = options;
  const stop = await lastStop(reportDir, options.urls);
  const isLast = ({ name }: Step): boolean => name === stop;
  const inTurn = [...steps.filter(isLast), ...steps.filter((step) => !isLast(step))];
  if (inTurn[0] !== steps[0]) print(line('again', stop!, 'the rung that failed last'));
  const results = new Map<string, CheckResult>();
  const warned = new Set<string>();
  let waiting: Problem | undefined;
  for (const step of inTurn) {
    const { name, ids, notYet } = step;
    const lack = [...(options.lack ?? []), ...step.lack];
    const report = await runWithProgress({ ...options, ids, notYet, lack, signal });
    if (signal.aborted) return 3;
    for (const warning of report.warnings.filter((one) => !warned.has(one))) {
      warned.add(warning);
      print(line('warning', warning, ''));
    }
    for (const check of report.checks) results.set(check.id, check);
    const open = report.checks.filter((check) => !holds(check, strict));
    if (open.length === 0) printRung(name, report);
    else if (step.canWait) {
      waiting = { step, report, open };
      print(line('later', name, `${howMany(waiting)}, which no other rung needs`));
    } else {
      await rememberStop(reportDir, options.urls, name);
      printStop({ step, report, open }, steps.slice(steps.indexOf(step) + 1), waiting);
      return exitCodeOf([report, ...(waiting ? [waiting.report] : [])], strict);
    }
  }
  if (waiting) {
    await rememberStop(reportDir, options.urls, waiting.step.name);
    printStop(waiting, [], undefined);
    return exitCode(waiting.report, strict);
  }
  await rememberStop(reportDir, options.urls, undefined);
  const skipped = [...results.values()].filter(isSkipped).length;
  const checked = results.size - skipped;
  print(
    checked === 0
      ? 'Nothing was checked.'
      : skipped === 0
        ? `All rungs hold: ${checked} checks.`
        : `All rungs hold as far as they were checked: ${checked} checks, ${skipped} skipped.`,
  );
  return checked === 0 ? 3 : 0;
}

/** A rung without a failure, with what of it was not checked, and why. */
function printRung(name: string, report: Report): void {
  const skipped = report.checks.filter(isSkipped);
  const total = report.checks.length;
  const judged = total - skipped.length;
  if (skipped.length === 0) return print(line('holds', name, count(total)));
  const groups = groupByReason(report, skipped);
  const isOne = judged === 0 && groups.length === 1;
  const [label, part] =
    judged === 0
      ? ['skipped', `none of ${count(total)} ran`]
      : ['in part', `${judged} of ${count(total)} hold`];
  print(line(label, name, isOne ? groups[0]!.reason : part));
  for (const [index, { checks, reason, remedy }] of groups.entries()) {
    if (!isOne) print(line('', '', `${checks.length} skipped: ${reason}`));
    if (remedy !== undefined && remedy !== groups[index + 1]?.remedy) print(line('', '', `to do: ${remedy}`));
  }
}

const count = (checks: number): string => `${checks} ${checks === 1 ? 'check' : 'checks'}`;

/** That of a violation, if any of the reports has one. */
const exitCodeOf = (reports: readonly Report[], strict = false): 0 | 1 | 3 =>
  reports.map((report) => exitCode(report, strict)).includes(1) ? 1 : 3;

const howMany = ({ report, open }: Problem): string =>
  `${open.length} of ${report.checks.length} checks do not hold`;

/** @param waiting what does not hold of a rung that can wait */
function printStop(problem: Problem, later: readonly Step[], waiting: Problem | undefined): void {
  const { step, report, open } = problem;
  printProblem({ name: step.name, summary: howMany(problem) }, report, open);
  const [cause] = findCauses(open);
  const waitingForCause = cause?.lead.obstacle === undefined ? [] : [cause.lead, ...cause.others];
  printNext(later, waitingForCause.length);
  for (const check of waiting?.open ?? [])
    print(line('later', waiting!.step.name, renderOutcomeLine(check, terminal().colour)));
}

function printProblem(
  { name, summary }: { name: string; summary: string },
  report: Parameters<typeof renderFirstProblem>[0],
  open: readonly CheckResult[],
): void {
  print(line('stops at', name, summary));
  print('');
  for (const text of renderFirstProblem(report, open, terminal())) print(text);
  print('');
}

/** @param waiting the number of checks of this rung that wait for the part of the service that is shown */
function printNext(later: readonly Step[], waiting = 0): void {
  const [nearest, ...others] = later.filter(({ name }) => name !== together);
  const first = `this: ${count(waiting)} of this rung ${waiting === 1 ? 'waits' : 'wait'} for it`;
  const rungsThen = [
    ...(nearest ? [`${nearest.name} (${count(nearest.ids.length)})`] : []),
    ...others.map(({ name, ids }) => `${name} (${ids.length})`),
  ];
  const then = rungsThen.length === 0 ? 'no other rung' : `then ${rungsThen.join(', ')}`;
  print(line('next', `${waiting === 0 ? '' : `${first}; `}${then}`, ''));
}

/** What a run would report of the greeting, if it could start without one. */
function withoutGreeting(reason: string, exchange: Exchange): CheckResult {
  const rule = rules.find(({ id }) => id === 'root-greeting')!;
  return {
    id: rule.id,
    ...describeRule(rule),
    outcome: 'blocked',
    reason,
    durationMs: exchange.durationMs,
    cases: 0,
    requests: 1,
    exchange: exchange.record(),
  };
}

function holds({ outcome }: CheckResult, strict = false): boolean {
  return ['pass', 'known', 'skipped'].includes(outcome) || (outcome === 'warn' && !strict);
}

const isSkipped = ({ outcome }: CheckResult): boolean => outcome === 'skipped';

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
