/**
 * The verdicts of a check. A check that returns has passed; otherwise it throws one of these errors:
 *
 * - {@link Violation}: the target breaks the rule. Only this verdict blames the target.
 * - {@link Skip}: the target does not offer what the check needs.
 * - {@link Blocked}: a prerequisite that is not the rule of this check failed, so the check could not verify its rule.
 * - {@link Inconclusive}: timing or the connection decided instead of the target; the runner tries again.
 *
 * Any other error is a defect of the suite and is reported as `error`.
 */
import type { Capability } from '../../openapi/generated/rules.js';
import type { RecordedExchange } from '../../reports/report.js';

/** The first place where a response differs from what the rule allows. */
export interface Difference {
  /**
   * A path into the response: `$.rows[2].value` into its body, `$status`, or `$headers["content-type"]`.
   * A phrase such as `the end of line 3` if the value is somewhere else.
   */
  path: string;
  /** The allowed value, or a phrase if many values are allowed. */
  expected: unknown;
  actual: unknown;
}

/** Stands for the exchange of a request: the same object as in the recorded exchange. */
export interface ExchangeReference {
  readonly request: object;
}

/** Where a violation is. */
export interface Place extends Difference {
  /** The exchange that shows it. Default: the one whose response the check has read last. */
  exchange?: ExchangeReference | undefined;
}

/** The target broke the rule. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly difference: Partial<Difference>;
  readonly exchange: ExchangeReference | undefined;
  /** Whether a busy machine might have caused it: the runner then repeats the check alone before it reports it. */
  readonly dependsOnTiming: boolean;

  /** @param what one sentence that says what the target does wrong, without the values. */
  constructor(
    what: string,
    { exchange, ...difference }: Partial<Place> = {},
    { dependsOnTiming = false }: { dependsOnTiming?: boolean } = {},
  ) {
    super(what);
    this.difference = difference;
    this.exchange = exchange;
    this.dependsOnTiming = dependsOnTiming;
  }

  /** The same violation, which a busy machine might have caused. */
  dependingOnTiming(): Violation {
    const { message, difference, exchange } = this;
    return new Violation(message, { ...difference, exchange }, { dependsOnTiming: true });
  }
}

export class Skip extends Error {
  override readonly name = 'Skip';
  /** The capability that the target lacks, if the reason is one. */
  readonly missing: Capability | undefined;

  constructor(message: string, missing?: Capability) {
    super(message);
    this.missing = missing;
  }
}

/** The check would send something that it must not. A property tries another case. */
export class Unsendable extends Skip {}

/** It came after the version of the target. */
export class LaterFeature extends Unsendable {}

/** It concerns what others have in the database. */
export class NotHere extends Unsendable {}

export class Blocked extends Error {
  override readonly name = 'Blocked';
  /** True if the target responds like a server that does not offer the prerequisite. */
  readonly isUnsupported: boolean;
  /** True if another attempt may succeed: a copy may lag behind, or the target may be busy. */
  readonly mayPass: boolean;
  /** What the message says, without generated names and values: the same for all checks that it affects. */
  readonly obstacle: string | undefined;
  /** The exchange that shows it. Default: the one whose response the check has read last. */
  readonly exchange: ExchangeReference | undefined;
  /** That exchange, as its scope has recorded it. */
  shownBy: RecordedExchange | undefined;

  constructor(
    message: string,
    {
      isUnsupported = false,
      mayPass = false,
      obstacle,
      exchange,
      shownBy,
    }: {
      isUnsupported?: boolean;
      mayPass?: boolean;
      obstacle?: string;
      exchange?: ExchangeReference | undefined;
      shownBy?: RecordedExchange;
    } = {},
  ) {
    super(message);
    this.isUnsupported = isUnsupported;
    this.mayPass = mayPass;
    this.obstacle = obstacle;
    this.exchange = exchange;
    this.shownBy = shownBy;
  }
}

/** The check would send something that the target lacks. A property tries another case. */
export class LackingFeature extends Blocked {}

/** The check, or a case of it, has judged no response that its rule is about. A property tries another case. */
export class NothingJudged extends Blocked {}

export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  /** As that of {@link Blocked}. */
  readonly obstacle: string | undefined;

  constructor(message: string, { obstacle, ...options }: ErrorOptions & { obstacle?: string } = {}) {
    super(message, options);
    this.obstacle = obstacle;
  }
}

/** The time of a check is over. */
export class OutOfTime extends Inconclusive {
  /** The request that was open then, if there is one. */
  shownBy: RecordedExchange | undefined;
  /** What helps, if a quiet machine does not. */
  remedy: string | undefined;
}

/** The target did not respond, or not in HTTP. */
export class Unreachable extends Inconclusive {}
