/**
 * Judges how long an open feed is silent (SERVICE 4.5, 4.7 rule 1). What else arrives from the target shows that neither
 * the target nor this machine nor the network stalls. Without other traffic there is no verdict.
 */
import type { RuleId } from '../../openapi/generated/rules.js';
import { Violation } from '../engine/outcomes.js';
import { evaluatePeriod, type Gap, periodTolerance } from '../engine/periods.js';
import type { FeedParameters } from '../passing/passed.js';
import type { PassingExchange } from '../passing/passing-exchange.js';

/** In milliseconds. A server that reads slowly before it begins to wait could break shorter ones. */
const shortestPeriodMs = 1000;
const shortestSilenceMs = 5000;
/** A silent feed is judged after this many periods. */
const silentPeriods = 3;
/** How late the timer of a busy server may be while it answers other requests. */
const latenessMs = 1000;
/** The number of gaps between heartbeats that are evaluated together. */
const gapCount = 6;
/** Arrivals that are closer together count as one, in milliseconds. */
const resolutionMs = 5;
const maxArrivals = 20_000;

/** When something arrived from the target on any connection. */
class Witness {
  #arrivals: { readonly at: number; readonly connection: number }[] = [];

  note(connection: number, at: number): void {
    const last = this.#arrivals.at(-1);
    if (last?.connection === connection && at - last.at < resolutionMs) return;
    this.#arrivals.push({ at, connection });
    if (this.#arrivals.length > maxArrivals) this.#arrivals = this.#arrivals.slice(-maxArrivals / 2);
  }

  /** The longest time between `from` and `to` in which nothing arrived on other connections. */
  longestStall(from: number, to: number, connection: number): number {
    let longest = 0;
    let previous = from;
    for (const arrival of this.#arrivals) {
      if (arrival.at < from || arrival.at > to || arrival.connection === connection) continue;
      longest = Math.max(longest, arrival.at - previous);
      previous = arrival.at;
    }
    return Math.max(longest, to - previous);
  }
}

interface Watched {
  readonly what: 'heartbeat' | 'end';
  readonly rule: RuleId;
  readonly periodMs: number;
  readonly parameters: FeedParameters;
  lastAt: number;
  gaps: Gap[];
}

export class PeriodJudge {
  readonly #witness = new Witness();
  readonly #watched = new Map<PassingExchange, Watched>();
  readonly #onFinding: (rule: RuleId, violation: Violation, exchange: PassingExchange) => void;
  /** Called for each feed that kept its period. */
  readonly #onKept: (rule: RuleId, exchange: PassingExchange) => void;
  #checkedAt = 0;

  constructor(
    onFinding: (rule: RuleId, violation: Violation, exchange: PassingExchange) => void,
    onKept: (rule: RuleId, exchange: PassingExchange) => void,
  ) {
    this.#onFinding = onFinding;
    this.#onKept = onKept;
  }

  /** A feed has begun to answer. */
  watch(exchange: PassingExchange, parameters: FeedParameters, at: number): void {
    const promise = promiseOf(parameters);
    if (!promise || promise.periodMs < shortestPeriodMs || exchange.body.isEncoded) return;
    this.#watched.set(exchange, { ...promise, parameters, lastAt: at, gaps: [] });
  }

  /** Something has arrived from the target. */
  onArrival(exchange: PassingExchange, at: number): void {
    this.#witness.note(exchange.connection, at);
    const watched = this.#watched.get(exchange);
    if (watched) {
      this.#judge(exchange, watched, at, true);
      watched.lastAt = at;
    }
    if (at - this.#checkedAt < shortestPeriodMs / 2) return;
    this.#checkedAt = at;
    for (const [other, one] of this.#watched) if (other !== exchange) this.#judge(other, one, at, false);
  }

  onEnd(exchange: PassingExchange): void {
    const watched = this.#watched.get(exchange);
    this.#watched.delete(exchange);
    if (watched?.what === 'end' && exchange.isComplete) this.#onKept(watched.rule, exchange);
  }

  #judge(exchange: PassingExchange, watched: Watched, at: number, hasArrived: boolean): void {
    const { what, rule, periodMs, lastAt } = watched;
    // The client has stopped the target.
    if (exchange.isSlowed) return void this.#watched.delete(exchange);
    const ms = at - lastAt;
    const mayBeLate = ms > periodTolerance * periodMs;
    if (!hasArrived && !mayBeLate) return;
    const longestStallMs = mayBeLate ? this.#witness.longestStall(lastAt, at, exchange.connection) : 0;
    // What a feed sends passes through several steps, each of which may stall as long.
    const stallMs = silentPeriods * longestStallMs + latenessMs;
    if (what === 'heartbeat' && hasArrived && ms > periodMs / 2) {
      watched.gaps = [...watched.gaps, { ms, stallMs }].slice(-gapCount);
    }
    const silentMs = ms - stallMs;
    const isSilent =
      what === 'end'
        ? silentMs > Math.max(periodTolerance * periodMs, periodMs + shortestSilenceMs)
        : silentMs > Math.max(silentPeriods * periodMs, shortestSilenceMs);
    const outcome =
      watched.gaps.length < gapCount
        ? 'undecided'
        : evaluatePeriod(watched.gaps, periodMs, { mayBeShorter: true });
    if (outcome === 'kept') this.#onKept(rule, exchange);
    if (!isSilent && outcome !== 'too long') return;
    this.#watched.delete(exchange);
    const gaps =
      outcome === 'too long' ? watched.gaps.map((gap) => Math.round(gap.ms)).join(', ') : undefined;
    const message =
      what === 'end'
        ? 'The feed does not end after its timeout'
        : 'The target does not send one heartbeat in every period';
    const violation = new Violation(message, {
      path: `the ${watched.parameters.mode} feed`,
      expected: what === 'end' ? `the end after ${periodMs} ms` : `${periodMs} ms between two heartbeats`,
      actual: gaps
        ? `${gaps} ms`
        : `nothing for ${Math.round(ms)} ms, while the target answered other requests`,
    });
    this.#onFinding(rule, violation, exchange);
  }
}

/** What the request of a feed promises about its silence. */
function promiseOf({
  mode,
  heartbeat,
  timeout,
  filter,
}: FeedParameters): Pick<Watched, 'what' | 'rule' | 'periodMs'> | undefined {
  if (mode === 'normal') return undefined;
  // Before it waits, a server may have to evaluate a filter for all earlier changes.
  if (filter !== undefined && filter !== '_doc_ids' && filter !== '_design') return undefined;
  if (heartbeat !== undefined) {
    const rule = mode === 'eventsource' ? 'eventsource-heartbeat' : 'heartbeat-lines';
    return { what: 'heartbeat', rule, periodMs: heartbeat };
  }
  // A change that the filter rejects may restart the timeout, and sends nothing.
  if (timeout === undefined || filter !== undefined) return undefined;
  const rules = {
    longpoll: 'longpoll-timeout',
    continuous: 'continuous-timeout',
    eventsource: 'eventsource-limit-timeout',
  } as const;
  return { what: 'end', rule: rules[mode], periodMs: timeout };
}

/** The rules that only this judges. */
export const periodRules = [
  'heartbeat-lines',
  'eventsource-heartbeat',
  'longpoll-timeout',
  'continuous-timeout',
] as const satisfies readonly RuleId[];
