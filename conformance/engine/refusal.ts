import { escapeInvisible } from '../../reports/escape.js';
import { Blocked, Inconclusive } from './outcomes.js';

/** A run cannot start. The message tells the user why, and the exit code is that of `docfeed check`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: 'usage' | 'file' | 'credentials' | 'target';
  /** 2: invalid arguments or files. 3: the target is unreachable or is not a supported server. */
  readonly exitCode: 2 | 3;

  /** @param message one line, without a full stop. */
  constructor(kind: Refusal['kind'], message: string, options?: ErrorOptions) {
    // The message may quote the target.
    super(escapeInvisible(message), options);
    this.kind = kind;
    this.exitCode = kind === 'target' ? 3 : 2;
  }
}

/**
 * Turns a broken connection, an interruption or a response that cannot be read before the first check into a Refusal.
 * Other errors stay as they are.
 */
export function asRefusal(error: unknown, where = ''): unknown {
  return error instanceof Inconclusive || error instanceof Blocked
    ? new Refusal('target', `${where}${error.message}`, { cause: error })
    : error;
}
