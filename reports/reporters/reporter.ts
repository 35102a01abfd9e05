/** What a run reports while it goes on, and who can receive it: see `docfeed check --reporter`. */
import type { CheckResult, Report } from '../report.js';

export interface RunBegin {
  /** Base URL of the target. The URLs of several nodes are separated by spaces. */
  readonly url: string;
  readonly dialect: Report['target']['dialect'];
  readonly version?: string;
  /** Absent where nothing is generated: in a report about traffic. */
  readonly profile?: Report['suite']['profile'];
  /** Seed of all generated cases. */
  readonly seed?: number;
  /** Ids of the selected checks. */
  readonly checks: readonly string[];
}

export interface CheckEnd {
  readonly result: CheckResult;
  /** Number of finished checks, including this one. */
  readonly done: number;
  readonly total: number;
}

export interface RunEnd {
  readonly report: Report;
  /** Folder of the report files. */
  readonly reportDir: string;
  readonly exitCode: number;
  /** Whether the run repeated one case (`--replay`). */
  readonly isReplay: boolean;
}

/** Receives the events of one run, in the order of the functions. */
export interface Reporter {
  onRunBegin?(run: RunBegin): void;
  onCheckEnd?(end: CheckEnd): void;
  onRunEnd(end: RunEnd): void | Promise<void>;
}

/** Where a reporter writes: the standard output or a file. */
export interface Output {
  write(text: string): void;
  readonly hasColour: boolean;
  /** Width in columns; absent if the output is not a terminal. */
  readonly columns?: number;
  /** Whether to print everything, instead of one screen. */
  readonly verbose?: boolean;
}
