/**
 * Finds requests that a target never answers, or at which it breaks the connection, although it answers others. A run
 * then waits for each kind of them once: no other request of that kind is sent.
 *
 * A missing answer is measured against the target's other answers: only time in which it answers requests for its
 * greeting counts, so neither a busy target nor a pause of this machine makes an answer late. In the middle of that time
 * the request is sent again. If the target answers that, it was chance.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { RecordedExchange } from '../../reports/report.js';
import { Unreachable } from '../engine/outcomes.js';
import type { SentExchange, TargetRequest } from './client.js';
import { type Answerer, describeAnswer } from './gateway.js';
import {
  evaluatesFunction,
  isOfNormalMode,
  describeKind,
  kindOf,
  mustEnd,
  type RequestKind,
} from './request-kind.js';
import type { SentRequest } from './exchange.js';
import { Unanswered } from './unanswered.js';

/** In seconds. */
export const defaultTimeout = 5;

/** How often the target is asked whether it answers, in milliseconds, and how much of the time until then counts. */
const tickMs = 100;
/** Most answers come this soon, so asking earlier would only cost requests. In milliseconds. */
const patienceMs = 1_000;

/** How many times as long as expected an answer may take: see {@link Answers.#limitOf}. */
const patienceFactor = 4;

/** How many times as long as the slowest answer so far an answer may take. */
const slowFactor = 2;

/** The number of broken connections after which a kind of request without any answer is the cause, or one request. */
const mostBreaks = 3;

/** The number of missing answers in turn after which the target has stopped to answer a kind of request. */
const mostSilences = 2;

/** A kind of request without an answer. */
export interface UnansweredKind {
  readonly request: TargetRequest;
  readonly node: number;
  /** Such as `POST /{db}/_bulk_docs is not answered within 5 s`. */
  readonly problem: string;
  /** Whether a response of normal mode does not come. */
  readonly isOfNormalMode: boolean;
  /** The request, without a response or with a refusal. */
  readonly exchange: RecordedExchange;
}

interface Cause extends Omit<UnansweredKind, 'problem'> {
  kind: RequestKind;
  readonly how: string;
}

/** One request while the target has not answered it. */
export interface Watch {
  /** Aborts when the request will not be answered. */
  readonly signal: AbortSignal;
  /** The head of the response has arrived. Nobody may read the rest. */
  head(): void;
  /** A part of the response has arrived, or somebody begins to read it. */
  progress(): void;
  /** @param how `closed`: by the check, which shows nothing. */
  end(how: 'answered' | 'broken' | 'closed'): void;
}

interface Pending {
  readonly kind: RequestKind;
  readonly controller: AbortController;
  readonly node: number;
  /** Counts a tick. */
  count(): void;
}

/** Sends a request once more and reads the response to its end, without a record. */
type Send = (sent: SentRequest, options: { node: number; signal: AbortSignal }) => Promise<void>;

export class Answers {
  readonly #timeoutMs: number;
  readonly #send: Send;
  readonly #causes: Cause[] = [];
  /** By operation, the features of the requests that were answered, by their text. */
  readonly #answered = new Map<string, Map<string, ReadonlySet<string>>>();
  /** By the text of the kind, how many connections it broke. */
  readonly #breaks = new Map<string, number>();
  /** By the text of a kind that was answered, how many answers have been missing since the last one. */
  readonly #silences = new Map<string, number>();
  readonly #pending = new Set<Pending>();
  /** Aborts what was sent once more. */
  readonly #closing = new AbortController();
  /** How long the slowest answer has taken. */
  #slowestMs = 0;
  /** The nodes that are asked whether they answer. */
  readonly #asked = new Set<number>();

  constructor(timeout: number, send: Send) {
    this.#timeoutMs = 1000 * timeout;
    this.#send = send;
  }

  /** Waits no longer for late answers. Otherwise, their requests keep the process running. */
  close(): void {
    this.#closing.abort();
  }

  /** What the target does not answer. */
  get unanswered(): readonly UnansweredKind[] {
    return this.#causes.map((cause) => ({ ...cause, problem: this.#problemOf(cause) }));
  }

  /** @throws Unanswered if the target does not answer requests of this kind */
  mustBeAnswered(sent: SentRequest, request: TargetRequest): void {
    if (request.judgesTime) return;
    const kind = kindOf(sent, request.json);
    const cause = this.#causes.find((one) => explains(one.kind, kind));
    if (cause && !this.#isAnswered(kind)) throw this.#errorOf(cause);
  }

  /** Call this when the request is sent. */
  watch(sent: SentRequest, exchange: SentExchange): Watch {
    const { request } = exchange;
    const { node = 0 } = request;
    const kind = kindOf(sent, request.json);
    const controller = new AbortController();
    const ends = request.endsAtOnce === true || mustEnd(kind);
    const isLimited = !request.judgesTime && ends;
    const firstMs = Math.min(patienceMs, this.#timeoutMs / 5);
    const startedAt = performance.now();
    let countedMs = firstMs;
    let again: AbortController | undefined;
    let isAnsweredAgain = false;
    let timer: NodeJS.Timeout | undefined;
    const sendAgain = (): void => {
      again = new AbortController();
      const signal = AbortSignal.any([again.signal, this.#closing.signal]);
      void this.#send(sent, { node, signal }).then(
        () => {
          isAnsweredAgain = true;
          this.#withdraw(kind);
        },
        () => {},
      );
    };
    const pending: Pending = {
      kind,
      controller,
      node,
      count: () => {
        countedMs += tickMs;
        const limitMs = this.#limitOf(kind);
        if (!again && countedMs >= limitMs / 2) sendAgain();
        if (countedMs < limitMs) return;
        // The request that was sent again stays open for a while: a late answer is one.
        setTimeout(() => again?.abort(), patienceFactor * limitMs).unref();
        stop();
        if (isAnsweredAgain) this.#noteAnswer(kind);
        const wasAnswered = this.#isAnswered(kind);
        if (wasAnswered && !this.#hasStopped(kind)) {
          controller.abort(this.#chanceOf(kind, limitMs));
          return;
        }
        const within = `within ${this.#timeoutMs / 1000} s`;
        const how = wasAnswered ? `is no longer answered ${within}` : `is not answered ${within}`;
        this.#note({ kind, request, node, exchange: exchange.record(), how }, controller);
      },
    };
    const start = (): void => {
      timer ??= setTimeout(() => {
        this.#pending.add(pending);
        void this.#ask(node);
      }, firstMs).unref();
    };
    const stop = (): void => {
      clearTimeout(timer);
      timer = undefined;
      this.#pending.delete(pending);
    };
    if (isLimited) start();
    return {
      signal: controller.signal,
      head: () => {
        stop();
        if (!ends) this.#noteAnswer(kind);
      },
      progress() {
        countedMs = firstMs;
        if (isLimited && !controller.signal.aborted) start();
      },
      end: (how) => {
        stop();
        if (!controller.signal.aborted) again?.abort();
        if (how === 'answered') {
          this.#noteAnswer(kind);
          if (isLimited && ![...kind.features].some(evaluatesFunction))
            this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedAt);
        }
        if (how === 'broken') this.#noteBreak(kind);
      },
    };
  }

  /**
   * Call this after a connection has broken, or only something between has answered.
   *
   * @returns what to throw if that happens each time to such a request, although the target answers others.
   */
  async breaks(
    sent: SentRequest,
    exchange: SentExchange,
    by: Partial<Answerer>,
  ): Promise<Unanswered | undefined> {
    const { request } = exchange;
    const { node = 0 } = request;
    const kind = kindOf(sent, request.json);
    const isAnswered = this.#isAnswered(kind);
    const isKnown = isAnswered
      ? by.status === undefined && mustEnd(kind) && (await this.#breaksAgain(sent, node))
      : (this.#breaks.get(textOf(kind)) ?? 0) >= mostBreaks;
    if (!isKnown || !(await this.#responds(node, AbortSignal.timeout(this.#timeoutMs)))) return undefined;
    const cause = {
      kind,
      request,
      node,
      exchange: exchange.record(),
      how:
        by.status === undefined
          ? 'breaks the connection each time it is sent'
          : `gets no response from the target each time it is sent, but ${describeAnswer(by)}`,
    };
    // Others of an answered kind are answered: only what this request names or contains breaks it.
    return this.#errorOf(isAnswered ? cause : this.#add(cause));
  }

  /** Whether the target also breaks the connection when the request is sent again, as often as shows that it is no chance. */
  async #breaksAgain(sent: SentRequest, node: number): Promise<boolean> {
    for (let breaks = 1; breaks < mostBreaks; breaks += 1) {
      const signal = AbortSignal.timeout(this.#timeoutMs);
      const isBroken = await this.#send(sent, { node, signal }).then(
        () => false,
        (error: unknown) => !signal.aborted && !(error instanceof Unreachable),
      );
      if (!isBroken) return false;
    }
    return true;
  }

  /**
   * Call this after a request was refused several times.
   *
   * @returns what to throw if such requests are always refused, although the target answers others, or if this one is
   * refused for no reason that the suite knows. Nothing if the target has too much to do.
   */
  async refuses(
    sent: SentRequest,
    exchange: SentExchange,
    status: number,
  ): Promise<Unanswered | Unreachable | undefined> {
    const { request } = exchange;
    const { node = 0 } = request;
    const kind = kindOf(sent, request.json);
    if (!(await this.#responds(node, AbortSignal.timeout(this.#timeoutMs)))) return undefined;
    const how = `is answered with ${status} each time it is sent`;
    if (!this.#isAnswered(kind))
      return this.#errorOf(
        this.#add({ kind, request, node, exchange: exchange.record(), how }, { isRefused: true }),
      );
    const problem = `${describeKind(kind)} was answered with ${status} several times, although the target has answered such a request`;
    return new Unreachable(problem, { obstacle: problem });
  }

  /**
   * No answer may be missing that takes a few times as long as the slowest so far. It takes even longer if such an answer
   * came before, or if the target must first start what evaluates functions.
   */
  #limitOf(kind: RequestKind): number {
    const isRunning = (feature: string): boolean =>
      [...this.#answered.values()].some((kinds) => [...kinds.values()].some((one) => one.has(feature)));
    const isStarting = [...kind.features].some((one) => evaluatesFunction(one) && !isRunning(one));
    return (
      (isStarting || this.#isAnswered(kind) ? patienceFactor : 1) *
      Math.max(this.#timeoutMs, slowFactor * this.#slowestMs)
    );
  }

  /** Counts a missing answer. @returns whether the target answers such requests no more, as one does that has deadlocked */
  #hasStopped(kind: RequestKind): boolean {
    const text = textOf(kind);
    const silences = (this.#silences.get(text) ?? 0) + 1;
    this.#silences.set(text, silences);
    if (silences < mostSilences) return false;
    this.#answered.get(kind.operation)?.delete(text);
    return true;
  }

  /** Aborts all requests that the cause explains. */
  #note(found: Omit<Cause, 'isOfNormalMode'>, controller: AbortController): void {
    const cause = this.#add(found);
    controller.abort(this.#errorOf(cause));
    for (const one of this.#pending) {
      if (explains(cause.kind, one.kind)) one.controller.abort(this.#errorOf(cause));
    }
  }

  /** What the request has in common with others that were not answered is the cause, unless others with it were. */
  #add(found: Omit<Cause, 'isOfNormalMode'>, { isRefused = false } = {}): Cause {
    const kind = this.#narrowed(found.kind);
    for (const cause of this.#causes.filter(
      ({ kind, how }) => isSame(kind, found.kind) && how === found.how,
    )) {
      const features = new Set([...cause.kind.features].filter((feature) => kind.features.has(feature)));
      if (this.#isAnswered({ ...kind, features }, isSuperset)) continue;
      cause.kind = { ...kind, features };
      return cause;
    }
    const cause = { ...found, kind, isOfNormalMode: !isRefused && isOfNormalMode(found.kind) };
    this.#causes.push(cause);
    return cause;
  }

  /** The kind without the features that were in answers, unless that leaves none. */
  #narrowed(kind: RequestKind): RequestKind {
    const answered = [...(this.#answered.get(kind.operation)?.values() ?? [])];
    const unknown = [...kind.features].filter(
      (feature) => !answered.some((features) => features.has(feature)),
    );
    return unknown.length === 0 ? kind : { ...kind, features: new Set(unknown) };
  }

  /** The target answers such requests after all. */
  #withdraw(kind: RequestKind): void {
    const wrong = this.#causes.findIndex((cause) => explains(cause.kind, kind));
    if (wrong < 0) return;
    this.#causes.splice(wrong, 1);
    this.#noteAnswer(kind);
  }

  #noteAnswer(kind: RequestKind): void {
    const answered = this.#answered.get(kind.operation) ?? new Map<string, ReadonlySet<string>>();
    this.#answered.set(kind.operation, answered.set(textOf(kind), kind.features));
    this.#silences.delete(textOf(kind));
  }

  #noteBreak(kind: RequestKind): void {
    const text = textOf(kind);
    this.#breaks.set(text, (this.#breaks.get(text) ?? 0) + 1);
  }

  /** Whether such a request was answered. @param isLike compares the features of an answered one. */
  #isAnswered({ operation, features }: RequestKind, isLike = isEqual): boolean {
    return [...(this.#answered.get(operation)?.values() ?? [])].some((answered) =>
      isLike(answered, features),
    );
  }

  /** Asks the node for its greeting as long as requests to it are pending. */
  async #ask(node: number): Promise<void> {
    if (this.#asked.has(node)) return;
    this.#asked.add(node);
    const pending = (): Pending[] => [...this.#pending].filter((one) => one.node === node);
    while (pending().length > 0) {
      const [responds] = await Promise.all([
        this.#responds(node, AbortSignal.timeout(this.#timeoutMs)),
        wait(tickMs),
      ]);
      if (responds) for (const one of pending()) one.count();
    }
    this.#asked.delete(node);
  }

  #responds(node: number, signal: AbortSignal): Promise<boolean> {
    const greeting = { method: 'GET', prefix: '', path: '/', headers: {} };
    return this.#send(greeting, { node, signal }).then(
      () => true,
      () => false,
    );
  }

  #problemOf({ kind, how }: Pick<Cause, 'kind' | 'how'>): string {
    return `${describeKind(kind)} ${how}`;
  }

  #errorOf(cause: Pick<Cause, 'kind' | 'how' | 'exchange'>): Unanswered {
    const problem = this.#problemOf(cause);
    const error = new Unanswered(`${problem}, although the target answers other requests.`, {
      obstacle: problem,
    });
    error.shownBy = cause.exchange;
    return error;
  }

  /** The target has answered such a request at another time. */
  #chanceOf(kind: RequestKind, ms: number): Unreachable {
    const problem = `no response to ${describeKind(kind)} within ${Math.round(ms / 1000)} s, although the target has answered such a request`;
    return new Unreachable(problem, { obstacle: problem });
  }
}

const isSame = (one: RequestKind, other: RequestKind): boolean => one.operation === other.operation;

/** Whether the request has all that others had that were not answered. */
const explains = (cause: RequestKind, kind: RequestKind): boolean =>
  isSame(cause, kind) && isSuperset(kind.features, cause.features);

const isSuperset = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...other].every((feature) => one.has(feature));

const isEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && isSuperset(one, other);

const textOf = ({ operation, features }: RequestKind): string =>
  [operation, ...[...features].sort()].join(' ');
