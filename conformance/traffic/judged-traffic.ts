/** Judges what passes, and reports on it. */
import type { Report } from '../../reports/report.js';
import type { FoundViolation } from './findings.js';
import { Judging } from './judging.js';
import {
  applyBaseline,
  judgeOptions,
  type TrafficOptions,
  trafficReport,
  type TrafficTarget,
} from './traffic-report.js';

/** Options of everything that is judged while it passes. */
export interface PassingOptions extends TrafficOptions {
  /** The file to record the traffic into, in HAR 1.2. */
  readonly recording?: string | undefined;
  /** In bytes. If more traffic waits for its verdict, it passes unjudged. Default: 64 MiB. */
  readonly maxWaitingBytes?: number | undefined;
  /** Called once for each violation, as soon as it is found. */
  readonly onFinding?: ((found: FoundViolation) => void) | undefined;
  /** Called with a sentence about something that the user should know, such as that judging falls behind. */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

export interface JudgedTraffic {
  /** Must see what passes. */
  readonly judging: Judging;
  /**
   * The report on all that has passed until now.
   *
   * @param options.withinMs how long it may still be judged. Default: until everything is judged.
   */
  readonly report: (options?: {
    readonly withinMs?: number | undefined;
    readonly warnings?: readonly string[];
  }) => Promise<Report>;
}

/**
 * Resolves when the judge is ready.
 *
 * @param toShowMore what the user can do so that more is judged. Default: others send requests.
 */
export async function judgeTraffic(
  identity: TrafficTarget,
  { recording, maxWaitingBytes, onFinding, onNotice = () => {}, ...options }: PassingOptions,
  toShowMore?: string,
): Promise<JudgedTraffic> {
  const startedAt = new Date();
  const { baseline } = options;
  const judging = await Judging.start(
    {
      ...judgeOptions(identity, options, toShowMore),
      target: identity.target.href,
      recording,
      timeOrigin: performance.timeOrigin,
    },
    {
      onNotice,
      onFinding(found) {
        if (applyBaseline(found, baseline).outcome !== 'known') onFinding?.(found);
      },
    },
    maxWaitingBytes,
  );
  return {
    judging,
    async report({ withinMs, warnings = [] } = {}) {
      const verdicts = await judging.verdicts(withinMs);
      const { requests, losses, unjudgedBytes } = judging;
      const times = losses === 1 ? 'once' : `${losses} times`;
      const all = [
        ...(losses === 0
          ? []
          : [`Judging fell behind ${times}, so that parts of the traffic passed unjudged.`]),
        ...(unjudgedBytes === 0
          ? []
          : [
              `Judging was stopped before its end: of what passed last, ${inMegabytes(unjudgedBytes)} are unjudged.`,
            ]),
        ...warnings,
      ];
      return trafficReport(verdicts, { ...identity, baseline, startedAt, requests, warnings: all });
    },
  };
}

/** With what each event needs, so that it is more than passed. */
export const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
