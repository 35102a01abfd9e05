/** Records a feed that a check has followed: what arrived when, and what was due when and why. */
import type { FeedRecord } from '../../reports/report.js';
import { defaultPeriodMs } from '../http/feed-times.js';
import type { FeedMode, FeedQuery } from '../oracle/allowed-rows.js';
import type { Arrival } from './feed-readers.js';

/** More are not readable. */
const maxDue = 200;

interface FollowedFeed {
  readonly mode: FeedMode;
  readonly query: FeedQuery;
  readonly arrivals: readonly Arrival[];
  /** When the request was sent and when the feed ended or was closed, on the clock of `performance.now()`. */
  readonly sentAt: number;
  readonly endedAt: number;
}

/** @param from the start of the times in the record, on the clock of `performance.now()`. */
export function recordFeed(feed: FollowedFeed, from: number): FeedRecord {
  const round = (at: number): number => Math.round((at - from) * 10) / 10;
  return {
    mode: feed.mode,
    events: feed.arrivals.map((arrival) => ({
      atMs: round(arrival.at),
      kind: arrival.kind === 'stray' || arrival.kind === 'misnamed' ? 'unrecognized' : arrival.kind,
      ...(arrival.kind === 'row' && { id: arrival.row.id }),
    })),
    due: dueTimes(feed).map(({ at, ...due }) => ({ atMs: round(at), ...due })),
  };
}

type Due = Omit<FeedRecord['due'][number], 'atMs'> & { readonly at: number };

/** A heartbeat is due in every period, or the end after the timeout: a heartbeat overrides the timeout (SERVICE 4.7). */
function dueTimes(feed: FollowedFeed): Due[] {
  const { heartbeat, timeout } = feed.query;
  const periodMs = heartbeat === true ? defaultPeriodMs : Number(heartbeat ?? 0);
  if (periodMs > 0) return dueHeartbeats(feed, periodMs);
  const timeoutMs = Number(timeout ?? 0);
  if (!(timeoutMs > 0) || timeoutMs > 10 * (feed.endedAt - feed.sentAt)) return [];
  // Each row restarts the timeout.
  const lastRow = feed.arrivals.findLast(({ kind }) => kind === 'row')?.at ?? feed.sentAt;
  return [{ at: lastRow + timeoutMs, what: 'end', why: `timeout=${timeoutMs}` }];
}

function dueHeartbeats({ arrivals, sentAt, endedAt }: FollowedFeed, periodMs: number): Due[] {
  if ((endedAt - sentAt) / periodMs > maxDue) return [];
  const starts = [sentAt, ...arrivals.filter(({ kind }) => kind !== 'end').map(({ at }) => at)];
  return starts.flatMap((start, index) => {
    const next = starts[index + 1] ?? endedAt;
    // A period that ends just before something arrives is met.
    const periods = Math.max(1, Math.floor((next - start) / periodMs + 0.25));
    return Array.from({ length: periods }, (_, period): Due => {
      const isMissed = index === starts.length - 1 || period < periods - 1;
      const at = start + periodMs * (period + 1);
      return { at, what: 'heartbeat', why: `heartbeat=${periodMs}`, ...(isMissed && { isMissed }) };
    }).filter(({ at }) => at <= endedAt && at <= next + periodMs / 2);
  });
}
