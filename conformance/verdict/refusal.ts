import { Inconclusive } from './outcomes.js';

/** Why a run cannot start: what the caller should read, and the exit code of `docfeed check` for it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: 'usage' | 'file' | 'credentials' | 'target';
  /** 2: the command line or a file is wrong. 3: the target cannot be reached or is something else. */
  readonly exitCode: 2 | 3;

  /** @param message one line, without a full stop. */
  constructor(kind: Refusal['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.exitCode = kind === 'target' ? 3 : 2;
  }
}

/** A connection that breaks, or a run interrupted, before there is anything to report. */
export function asRefusal(error: unknown, where = ''): unknown {
  return error instanceof Inconclusive
    ? new Refusal('target', `${where}${error.message}`, { cause: error })
    : error;
}
