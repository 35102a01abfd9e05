/** The end of somebody's time, as an abort signal. */
import { Inconclusive } from './verdict.js';

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** To be called when the time is no longer needed. */
  clear(): void;
}

/** A signal that aborts with `reason` after `ms`, or as interrupted when `outer` aborts before. */
export function limitTime(outer: AbortSignal, ms: number, reason: Error): TimeLimit {
  const time = new AbortController();
  const interrupt = (): void => time.abort(new Inconclusive('The run was interrupted.'));
  const timer = setTimeout(() => time.abort(reason), ms);
  if (outer.aborted) interrupt();
  else outer.addEventListener('abort', interrupt, { once: true });
  return {
    signal: time.signal,
    clear() {
      clearTimeout(timer);
      outer.removeEventListener('abort', interrupt);
    },
  };
}
