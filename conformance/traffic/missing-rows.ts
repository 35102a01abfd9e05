/** What a feed lacks at its end: writes that have passed, rows that earlier responses had, or changes that an earlier response has counted. */
import type { RuleId } from '../../openapi/generated/rules.js';
import { asObject } from '../http/parse-json.js';
import { Violation } from '../engine/outcomes.js';
import type { Counted, KnownDatabase } from '../passing/knowledge.js';
import type { Deliveries, KnownChange } from '../passing/known-changes.js';
import { sinceText } from '../passing/known-order.js';
import type { FeedParameters, Passed } from '../passing/passed.js';
import type { JudgedFeed } from '../passing/judges.js';
import { selects } from '../passing/selects.js';
import { ruleIn } from './rule-in-mode.js';

/** A stream that ends after so many heartbeats without a row, and so many milliseconds, had nothing left to send. */
const idleHeartbeats = 3;
const idleMs = 5000;

interface MissingRows {
  /** The rule that this is about, in the mode of the feed. */
  readonly rule: RuleId;
  /** Changes without a row, of which `allowed` may be missing. */
  readonly changes: readonly KnownChange[];
  readonly allowed: number;
  readonly violationOf: (change: KnownChange) => Violation;
}

/** The changes that the feed must deliver. Nothing if that is not certain. */
export function dueIn(passed: Passed, parameters: FeedParameters): Deliveries | undefined {
  const { passing, database: known } = passed;
  const { filter, since, docIds, selector } = parameters;
  if (!known?.hasOneCopy || !isClear(passed, parameters)) return undefined;
  const covers = {
    '': () => true,
    _design: ({ id }: KnownChange) => id.startsWith('_design/'),
    _doc_ids: docIds && (({ id }: KnownChange) => docIds.has(id)),
    _selector: ({ id, rev }: KnownChange) => selects(selector, known.bodyOf(id, rev)?.document) === true,
  }[filter ?? ''];
  return covers && known.changesAfter(since, passing.startedAt, covers);
}

/** Whether all servers return the same rows. */
function isClear(passed: Passed, parameters: FeedParameters): boolean {
  const { query, sent } = passed;
  // Servers differ in what a limit of 0 means, and in which of two lists counts.
  const isLimitClear = parameters.limit !== undefined || !query.has('limit');
  const isListClear = passed.isClear('doc_ids') && !(query.has('doc_ids') && 'doc_ids' in asObject(sent));
  return parameters.has('descending') === false && isLimitClear && isListClear;
}

/** Something in the feed cannot be read. It may have been the row of any change that has none yet. */
export function forgetMissing(due: Deliveries): void {
  for (const [change, rows] of due) if (rows === Infinity) due.delete(change);
}

/** What the feed lacks, as far as it must have been complete. Others may have removed it, so that is no violation yet. */
export function missingRows(feed: JudgedFeed, known: KnownDatabase): MissingRows | undefined {
  const { passed, due, count, parameters, lastRowAt, heartbeats, isLive } = feed;
  const { passing } = passed;
  const { mode, isStream } = parameters;
  if (due === undefined || due.size === 0) return undefined;
  const hasAll = isStream
    ? heartbeats >= idleHeartbeats && passing.endedAt! - lastRowAt > idleMs && !passing.isSlowed
    : mode !== 'longpoll' || count > 0;
  const isFull = isAtLimit(feed);
  const { pending } = asObject(feed.end);
  if (!hasAll || (isFull && (isLive || typeof pending !== 'number'))) return undefined;
  // What was forgotten or has changed again meanwhile may be missing.
  const changes = [...due]
    .filter(([change, rows]) => rows === Infinity && known.changes.lastOf(change.id) === change)
    .map(([change]) => change);
  return {
    rule: isFull ? 'feed-pending' : completenessRule(feed),
    changes,
    allowed: isFull ? (pending as number) : 0,
    violationOf: ({ id, startedAt }) =>
      isFull
        ? new Violation('pending is less than what the response lacks', {
            path: '$.pending',
            expected: `${changes.length} or more: so many documents had changed before the request and have no row`,
            actual: pending,
          })
        : new Violation('The feed has no row for a change', {
            path: '$.results',
            expected: `a row for ${JSON.stringify(id)}, which ${startedAt === undefined ? 'an earlier response had after since' : 'was written after since and before the request'}`,
            actual: `${count} rows for other documents`,
          }),
  };
}

const isAtLimit = ({ count, parameters: { limit } }: JudgedFeed): boolean =>
  limit !== undefined && count >= limit;

/** Whether all changes count. With a filter, a server may count those that it rejects, or not. */
const countsAll = ({ passed, parameters }: JudgedFeed): boolean =>
  parameters.filter === undefined && isClear(passed, parameters);

/** How many changes a feed says come after its `last_seq`. */
export function countIn(feed: JudgedFeed): { since: string; pending: number } | undefined {
  const { last_seq: lastSeq, pending } = asObject(feed.end);
  const isCount = lastSeq !== undefined && lastSeq !== null && typeof pending === 'number';
  return isCount && countsAll(feed) ? { since: sinceText(lastSeq), pending } : undefined;
}

/**
 * Judges whether a feed has, or counts, as many changes as an earlier response has counted after its start: what has
 * changed after a position stays changed after it. Nothing if no response has, or the feed need not have all.
 */
export function judgeCount(
  feed: JudgedFeed,
  known: KnownDatabase,
): { earlier: Counted; violation: Violation | undefined } | undefined {
  const { count, unread, parameters, passed } = feed;
  const { mode, since, isStream } = parameters;
  const earlier = since !== undefined && countsAll(feed) ? known.countAfter(since) : undefined;
  if (!earlier || earlier.pending <= 0 || earlier.endedAt >= passed.passing.startedAt) return undefined;
  const { pending } = asObject(feed.end);
  const isFull = isAtLimit(feed);
  const hasAll = isFull ? typeof pending === 'number' : !isStream && (mode === 'normal' || count > 0);
  if (!hasAll || unread > 0 || feed.end === undefined) return undefined;
  const changes = count + (isFull ? Math.max(0, pending as number) : 0);
  if (changes >= earlier.pending) return { earlier, violation: undefined };
  const violation = new Violation('pending is greater than the number of remaining changes', {
    path: '$.pending',
    expected: `at most ${changes}: so many changes follow in the response to the next request`,
    actual: earlier.pending,
  });
  return { earlier, violation };
}

/** The rules that only this judges. */
export const completenessRules = [
  'feed-complete',
  'feed-since-resume',
  'longpoll-behind',
] as const satisfies readonly RuleId[];

const filterRules: Readonly<Record<string, RuleId>> = {
  _design: 'filter-design',
  _selector: 'filter-selector',
};

/** The rule that a feed like this has all rows. */
function completenessRule({ passed, parameters: { mode, filter, since } }: JudgedFeed): RuleId {
  if (filter !== undefined) return ruleIn(mode, filterRules[filter] ?? 'filter-doc-ids');
  if (mode === 'longpoll') return 'longpoll-behind';
  if (mode === 'eventsource' && passed.passing.requestHeaders.has('last-event-id'))
    return 'eventsource-last-event-id';
  return since === undefined || since === '0' ? 'feed-complete' : 'feed-since-resume';
}
