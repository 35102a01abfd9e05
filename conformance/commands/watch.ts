/** `docfeed check --watch`: runs again and again while somebody works on the target. */
import { escapeInvisible } from '../../reports/escape.js';
import { readLastResults } from '../../reports/last-results.js';
import { formatNextStep, formatVerdict } from '../../reports/render/next-step.js';
import { renderOutcomeLine, showsColour } from '../../reports/render/terminal.js';
import { wrapperFor } from '../../reports/render/terminal-text.js';
import { exitCode, type CheckResult, type Report } from '../../reports/report.js';
import type { RunBegin } from '../../reports/reporters/reporter.js';
import { folderFor, writeReport } from '../../reports/write.js';
import { baseUrl } from '../http/base-url.js';
import { journalFolder } from '../session/cleanup/journal-folder.js';
import { journalsOfEndedRuns } from '../session/cleanup/journal.js';
import { restoreFrom } from '../session/cleanup/restore-targets.js';
import type { ConformanceOptions } from '../session/conformance-options.js';
import { Refusal } from '../engine/refusal.js';
import { climb } from './bring-up.js';
import { prepareReportFolder } from './command-line.js';
import { runInterruptibly } from './interruption.js';
import type { ProgressDisplay } from './progress.js';
import {
  type CheckOptions,
  type CheckTargetOptions,
  restoreLater,
  runWithProgress,
  withTarget,
} from './run-check.js';
import { Triggers } from './watch-triggers.js';

/** What failed before must show quickly whether it still fails; the full run shrinks it again. In milliseconds. */
const quickShrinkMs = 500;

/** @throws Refusal if the options prevent every run. Other refusals are printed, and the next round may succeed. */
export async function watchTarget(urls: readonly string[], options: CheckOptions): Promise<void> {
  const target = withTarget(urls, options);
  const nodes = urls.map(baseUrl);
  await prepareReportFolder(options.reportDir);
  const last = [...((await readLastResults(options.reportDir))?.values() ?? [])];
  const failed = new Map(
    last
      .filter(({ result }) => isFailure(result))
      .map(({ result, report }) => [result.id, report.suite.seed]),
  );
  // Until a run of all checks has ended, nothing is decided.
  process.exitCode = 3;
  await runInterruptibly(restoreLater, async (interruption) => {
    const quit = new AbortController();
    interruption.addEventListener('abort', () => quit.abort());
    const triggers = new Triggers(nodes, options.watchFile ?? [], quit);
    const round = new Round(target, failed);
    try {
      for (;;) {
        if (!triggers.isTargetUp) print(`waiting for ${urls.join(' ')}`);
        await triggers.whenTargetIsUp();
        if (quit.signal.aborted) return;
        await round.run(triggers.signal, options.bringUp);
        if (!triggers.signal.aborted) print('\npress Enter to run again, q and Enter to quit');
        const reason = await triggers.next();
        if (quit.signal.aborted) return;
        print(`\n${reason}`);
      }
    } finally {
      await triggers.close();
    }
  });
}

const isFailure = ({ outcome }: CheckResult): boolean => outcome === 'fail' || outcome === 'warn';

/** What failed last, then one case of one check per rule, then everything. */
class Round {
  readonly #options: CheckTargetOptions;
  /** Ids of failed checks, with the seed of the run. */
  readonly #failed: Map<string, number>;
  /** Ids of the failures that this round has printed: several phases find the same ones. */
  readonly #printed = new Set<string>();

  constructor(options: CheckTargetOptions, failed: Map<string, number>) {
    this.#options = options;
    this.#failed = failed;
  }

  /** Never throws a Refusal: a target may be broken in any way while somebody works on it. */
  async run(signal: AbortSignal, isBringUp = false): Promise<void> {
    this.#printed.clear();
    const before = [...this.#failed.keys()];
    try {
      await restoreLeftovers(this.#options, signal);
      if (isBringUp) {
        const code = await climb(this.#options, signal);
        if (!signal.aborted) process.exitCode = code;
        return;
      }
      if (this.#failed.size > 0) await this.#runFailed(signal);
      if (this.#options.profile !== 'smoke' && !signal.aborted) await this.#runSmoke(signal);
      if (!signal.aborted) await this.#runAll(signal, before);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!signal.aborted) print(error.message);
    }
  }

  async #runFailed(signal: AbortSignal): Promise<void> {
    const [ids, [seed]] = [[...this.#failed.keys()], [...this.#failed.values()]];
    print(`what failed last: ${ids.length} ${ids.length === 1 ? 'check' : 'checks'}`);
    await this.#runPhase(signal, { ids, seed, shrinkMs: quickShrinkMs }, (result) => {
      if (isFailure(result)) this.#printed.add(result.id);
      if (result.outcome === 'pass') this.#failed.delete(result.id);
      if (result.outcome === 'pass') return print(`fixed          ${result.id}`);
      const label = isFailure(result) ? 'still failing  ' : 'not decided    ';
      const text = `${result.id}  ${escapeInvisible(result.reason ?? '')}`;
      print(wrapperFor(process.stdout.columns)(label, text));
    });
  }

  async #runSmoke(signal: AbortSignal): Promise<void> {
    print('smoke: one case of one check per rule');
    await this.#runPhase(signal, { profile: 'smoke', shrinkMs: quickShrinkMs }, () => {});
  }

  /** @param before ids of the checks that failed before this round */
  async #runAll(signal: AbortSignal, before: readonly string[]): Promise<void> {
    const { profile, reportDir, strict } = this.#options;
    print(`all checks: profile ${profile}`);
    const result = await this.#runPhase(signal, {}, ({ id, outcome }) => {
      if (outcome === 'pass') this.#failed.delete(id);
    });
    if (signal.aborted) return;
    const folder = await folderFor(result, reportDir);
    await writeReport(result, folder);
    process.exitCode = exitCode(result, strict);
    const next = formatNextStep(result, folder);
    if (before.length > 0) print(`changes  ${describeChanges(before, [...this.#failed.keys()])}`);
    print(`verdict  ${formatVerdict(result)}`);
    if (next !== undefined) print(`next     ${next}`);
  }

  #printOnce(result: CheckResult, display: ProgressDisplay): void {
    const { outcome } = result;
    if ((outcome !== 'fail' && outcome !== 'error') || this.#printed.has(result.id)) return;
    this.#printed.add(result.id);
    display.print(renderOutcomeLine(result, showsColour(process.stderr)));
  }

  async #runPhase(
    signal: AbortSignal,
    changes: Partial<ConformanceOptions>,
    onResult: (result: CheckResult) => void,
  ): Promise<Report> {
    let seed = 0;
    const options = {
      ...this.#options,
      ...changes,
      signal,
      onBegin: (run: RunBegin) => (seed = run.seed ?? seed),
    };
    return runWithProgress(options, (result, display) => {
      if (isFailure(result)) this.#failed.set(result.id, seed);
      if (signal.aborted) return;
      display.clear();
      onResult(result);
      this.#printOnce(result, display);
    });
  }
}

function describeChanges(before: readonly string[], after: readonly string[]): string {
  const still = after.filter((id) => before.includes(id)).length;
  return `fixed: ${before.length - still}, still failing: ${still}, new: ${after.length - still}`;
}

/** A round that ended because the target stopped could not remove its databases and users. */
async function restoreLeftovers(
  { urls, admin }: ConformanceOptions,
  interruption: AbortSignal,
): Promise<void> {
  for (const { file } of await journalsOfEndedRuns(journalFolder(), urls.map(baseUrl))) {
    await restoreFrom(file, admin, interruption);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
