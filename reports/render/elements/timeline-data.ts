/** What happened while a feed was open: writes, rows, heartbeats, the end, and what was due when. */
import type { RecordedExchange } from '../../report.js';
import { type FeedEvent, feedEvents, type OpenMode } from './feed-events.js';
import { documentWrites } from './writes.js';

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** All times are in milliseconds since the first exchange of the case. */
export interface Timeline extends Span {
  /** The end of what is shown: something can be due after the end of the feed. */
  readonly lastMs: number;
  readonly events: readonly FeedEvent[];
  readonly due: readonly { atMs: number; what: 'heartbeat' | 'end'; isMissed?: boolean }[];
  readonly writes: readonly (Span & { readonly ids: readonly string[] })[];
  /** Whether docfeed closed the feed. */
  readonly isOpen: boolean;
}

/** More marks are not readable. */
const maxDue = 200;

/**
 * @param exchanges all exchanges of the case
 * @param feed the exchange of the feed, which is one of them
 * @returns `undefined` if times are missing or nothing happens
 */
export function readTimeline(
  exchanges: readonly RecordedExchange[],
  feed: RecordedExchange,
  mode: OpenMode,
  database: string,
): Timeline | undefined {
  if (!feed.time || !feed.response) return undefined;
  const { startMs, endMs } = feed.time;
  const events = feedEvents(feed, mode).map((event) => ({ ...event, atMs: startMs + event.atMs }));
  const due = dueTimes(feed, events, { startMs, endMs });
  const writes = exchanges.flatMap((exchange) => {
    const ids = documentWrites([exchange], database).map(({ id }) => id);
    return exchange.time && exchange.time.endMs > startMs && ids.length > 0
      ? [{ ...exchange.time, ids }]
      : [];
  });
  if (events.length + due.length + writes.length === 0) return undefined;
  const lastMs = Math.max(endMs, ...due.map(({ atMs }) => atMs), ...writes.map((write) => write.endMs));
  return { startMs, endMs, lastMs, events, due, writes, isOpen: feed.response.unfinished === true };
}

/** What the parameters of the request promise: a heartbeat in every period, or the end after the timeout. */
function dueTimes(
  { request: { path } }: RecordedExchange,
  events: readonly FeedEvent[],
  { startMs, endMs }: Span,
): Timeline['due'] {
  const parameters = new URLSearchParams(path.split('?')[1]);
  const period = parameters.get('heartbeat');
  // SERVICE 8: `true` selects the default.
  const heartbeat = period === 'true' ? 60_000 : Number(period);
  const timeout = Number(parameters.get('timeout'));
  // A heartbeat overrides the timeout (SERVICE 4.7).
  if (heartbeat > 0) {
    if ((endMs - startMs) / heartbeat > maxDue) return [];
    const starts = [startMs, ...events.filter(({ kind }) => kind !== 'end').map(({ atMs }) => atMs)];
    return starts.flatMap((start, index) => {
      const next = starts[index + 1] ?? endMs;
      // A period that ends just before something arrives is met.
      const periods = Math.max(1, Math.floor((next - start) / heartbeat + 0.25));
      return Array.from({ length: periods }, (_, period) => ({
        atMs: start + heartbeat * (period + 1),
        what: 'heartbeat' as const,
        isMissed: index === starts.length - 1 || period < periods - 1,
      })).filter(({ atMs }) => atMs <= endMs && atMs <= next + heartbeat / 2);
    });
  }
  // Each row restarts the timeout.
  const lastRow = events.filter(({ kind }) => kind === 'row').at(-1)?.atMs ?? startMs;
  return timeout > 0 && timeout <= 10 * (endMs - startMs) ? [{ atMs: lastRow + timeout, what: 'end' }] : [];
}

export function formatMs(ms: number): string {
  return ms >= 10_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms * 10) / 10} ms`;
}
