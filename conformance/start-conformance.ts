/** Runs the suite so that a test runner can show each check as a test of its own. */
import { escapeInvisible } from '../reports/escape.js';
import type { CheckResult, Report } from '../reports/report.js';
import { runConformance } from './run-conformance.js';
import type { ConformanceOptions } from './session/conformance-options.js';

/** A run that goes on while its results are awaited, in any order. */
export interface ConformanceRun {
  /** Ids of the selected checks. */
  readonly checks: readonly string[];
  /**
   * Resolves with the result of a check as soon as it has ended.
   *
   * @throws RangeError if the check is not selected
   */
  result(id: string): Promise<CheckResult>;
  /**
   * Like {@link result}, for use as a test: rejects if the check makes a run fail.
   *
   * @throws CheckFailed if the outcome is `fail`, `error`, `blocked` or `inconclusive`
   */
  verify(id: string): Promise<CheckResult>;
  /** Resolves when the run has ended and has removed what it created. */
  readonly report: Promise<Report>;
}

/** A check that failed, or that could not be decided. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  readonly result: CheckResult;

  /** @param again the command that repeats the failure, with TOKEN for the token of the result */
  constructor(result: CheckResult, again: string) {
    super(describeFailure(result, again));
    this.result = result;
  }
}

/**
 * Starts a run and returns when its checks are known. Takes the same options as `runConformance`.
 *
 * @throws Refusal if the options, a file or the target prevent the run
 */
export function startConformance(options: ConformanceOptions): Promise<ConformanceRun> {
  return startRun(options, runConformance, 'docfeed check URL --replay TOKEN');
}

/**
 * Starts a run and returns when its checks are known.
 *
 * @param again the command that repeats a failure, with TOKEN for its token
 */
export async function startRun<Options extends Pick<ConformanceOptions, 'onBegin' | 'onProgress'>>(
  options: Options,
  run: (options: Options) => Promise<Report>,
  again: string,
): Promise<ConformanceRun> {
  const ended = new Map<string, Promise<CheckResult>>();
  const end = new Map<string, (result: CheckResult) => void>();
  let report!: Promise<Report>;
  const checks = await new Promise<readonly string[]>((resolve, reject) => {
    report = run({
      ...options,
      onBegin(begin, waiting) {
        options.onBegin?.(begin, waiting);
        for (const id of begin.checks) ended.set(id, new Promise((resolve) => end.set(id, resolve)));
        resolve(begin.checks);
      },
      onProgress(progress) {
        options.onProgress?.(progress);
        end.get(progress.result.id)!(progress.result);
      },
    });
    report.catch(reject);
  });

  const resultOf = (id: string): Promise<CheckResult> => {
    const result = ended.get(id);
    if (!result) throw new RangeError(`The run has no check ${id}.`);
    // A run that fails ends no more checks.
    return Promise.race([result, report.then(() => result)]);
  };
  return {
    checks,
    report,
    result: resultOf,
    async verify(id) {
      const result = await resultOf(id);
      if (makesRunFail.includes(result.outcome)) throw new CheckFailed(result, again);
      return result;
    },
  };
}

const makesRunFail: readonly CheckResult['outcome'][] = ['fail', 'error', 'blocked', 'inconclusive'];

/** The reason, the rule and how to repeat the failure. */
function describeFailure({ outcome, reason = '', statement, replay }: CheckResult, again: string): string {
  return [
    `${outcome}: ${escapeInvisible(reason)}`,
    `rule: ${statement}`,
    ...(replay === undefined ? [] : [`run again: ${again.replace('TOKEN', replay)}`]),
  ].join('\n');
}
