/** What happened while a feed was open, for a drawing: writes, rows, heartbeats, the end, and what was due when. */
import type { Counterexample, FeedRecord } from '../../report.js';

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** All times are in milliseconds since the first exchange of the case. */
export interface Timeline extends Span, Readonly<FeedRecord> {
  /** The end of what is shown: something can be due after the end of the feed. */
  readonly lastMs: number;
  readonly writes: readonly (Span & { readonly ids: readonly string[] })[];
  /** Whether the feed had not ended when its reader closed it, or when it was judged. */
  readonly isOpen: boolean;
}

/** @returns `undefined` if the violation is not about a feed that stays open, or if nothing happens */
export function readTimeline(counterexample: Counterexample): Timeline | undefined {
  const { exchanges, violating = -1, feed } = counterexample;
  const { time, response } = exchanges[violating] ?? {};
  if (!feed || !time) return undefined;
  const writes = writesByExchange(counterexample).filter(({ endMs }) => endMs > time.startMs);
  if (feed.events.length + feed.due.length + writes.length === 0) return undefined;
  const lastMs = Math.max(
    time.endMs,
    ...feed.due.map(({ atMs }) => atMs),
    ...writes.map(({ endMs }) => endMs),
  );
  return { ...time, lastMs, ...feed, writes, isOpen: response?.unfinished === true };
}

function writesByExchange({ exchanges, writes = [] }: Counterexample): Timeline['writes'] {
  return exchanges.flatMap(({ time }, index) => {
    const ids = writes.filter(({ exchange }) => exchange === index).map(({ id }) => id);
    return time && ids.length > 0 ? [{ ...time, ids }] : [];
  });
}

export function formatMs(ms: number): string {
  return ms >= 10_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms * 10) / 10} ms`;
}
