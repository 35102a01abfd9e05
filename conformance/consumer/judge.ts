/** Judges a consumer by what has happened in a trial. It reads no clock and sends nothing: the same events give the same verdict. */
import { Blocked, Inconclusive, Skip, Violation } from '../engine/outcomes.js';
import { type DatabaseState, emptyState } from '../oracle/history.js';
import type { Group, Truth } from './scenario-histories.js';
import type { Event, Scenario } from './scenario.js';
import { Knowledge, type Statement } from './statements.js';

/** What happens in a trial, in order, as far as the verdict depends on it. */
export type TrialEvent =
  /** These documents are about to be written: their rows may come at once. */
  | { readonly kind: 'write'; readonly ids: readonly string[] }
  /** They were written. This is the whole database after it. */
  | {
      readonly kind: 'written';
      readonly state: DatabaseState;
      readonly truth: ReadonlyMap<string, Truth>;
    }
  /** The database was deleted. Later there may be another one. */
  | { readonly kind: 'delete' }
  /** The consumer must know the documents of this group only. */
  | { readonly kind: 'select'; readonly group: Group }
  /** A row has reached the consumer. */
  | { readonly kind: 'row'; readonly id: string }
  | { readonly kind: 'statement'; readonly statement: Statement }
  /** The consumer has printed a line that is no statement. */
  | { readonly kind: 'other line'; readonly text: string }
  /** The consumer had a grace period without progress, in which it can store its checkpoint. */
  | { readonly kind: 'settled'; readonly isSlow: boolean }
  /** The consumer was stopped. */
  | { readonly kind: 'stop' }
  /** The server goes away for an hour of the clock of the consumer. */
  | { readonly kind: 'away' };

/** What the requests of the consumer have shown. */
export interface SeenRequests {
  readonly hasRequests: boolean;
  /** What the server refused first, if it has answered no feed. */
  readonly refusal: string | undefined;
  readonly sawCookies: boolean;
  readonly sawExpiredCookies: boolean;
  readonly sawSelector: boolean;
  /** Where credentials were sent that belong to another host. */
  readonly leakedTo: string | undefined;
  /** Whether the consumer has sent a request without encryption, although the server has a certificate. */
  readonly speaksPlainly: boolean;
  /** Whether the consumer has connected to a server with another certificate at the address of this one. */
  readonly hasMetImpostor: boolean;
  /** The most attempts of each feed in a time in which the server was away, or had said that the consumer must wait. */
  readonly hasty: number;
}

/** How a wait has ended in which the consumer did not get to know the truth. */
export interface VainWait {
  /** How the consumer has ended by itself; undefined if it is still running. */
  readonly ended: string | undefined;
  /** What it wrote to its standard error. */
  readonly messages: readonly string[];
  /** Whether a busy machine may be the reason. */
  readonly isSlow: boolean;
  /** Whether it has made an attempt since the server was back after an hour. */
  readonly hasTriedAgain: boolean;
}

/** More attempts than these, while the server says that the consumer must wait, show that it does not slow down. */
const mostHasty = 10;

/** What makes cookies void. */
const expiries: readonly Event[] = [
  'let cookies expire',
  'let cookies end as they said',
  'restart the server with another secret',
];

/** What puts another server in the place of the server. */
const impostures: readonly Event[] = ['show an unknown certificate', 'show the certificate of another host'];

/** A consumer that does not wait may be slower than a client that does nothing else, by this factor. */
const hurry = 3;

/** Number of characters of what a consumer says that ends before it sends a request. */
const mostOfMessages = 1000;

type JudgedScenario = Pick<Scenario, 'https' | 'needs' | 'continues' | 'treatments' | 'events'>;

export class Judge {
  readonly #scenario: JudgedScenario;
  readonly #knowledge = new Knowledge();
  #state = emptyState;
  /** Of databases of the same name that were deleted. */
  readonly #earlierStates: DatabaseState[] = [];
  #truth: ReadonlyMap<string, Truth> = new Map();
  /** The group of documents that the consumer must know; undefined for all. */
  #group: Group | undefined;
  /** Number of rows that reached the consumer. */
  #rows = 0;
  /** The first line on standard output that is no statement. */
  #otherLine: string | undefined;
  /** Documents that have not changed since the last stop of the consumer. */
  #unchanged = new Set<string>();
  /** Rows of these documents that reached the consumer since then. */
  #repeated = 0;
  /** Whether the consumer may have had too little time to store its checkpoint. */
  #mayStoreLate = true;
  /** Whether the server has gone away for an hour. */
  #wasAway = false;

  /** @param scenario with the treatments of the trial */
  constructor(scenario: JudgedScenario) {
    this.#scenario = scenario;
  }

  /** The number of rows that reached the consumer. */
  get rows(): number {
    return this.#rows;
  }

  /** The number of statements of the consumer. */
  get statements(): number {
    return this.#knowledge.count;
  }

  /** The documents of the database. */
  get state(): DatabaseState {
    return this.#state;
  }

  /** @returns whether the consumer has made a statement for the first time: one that alternates makes no progress */
  take(event: TrialEvent): boolean {
    switch (event.kind) {
      case 'write':
        for (const id of event.ids) this.#unchanged.delete(id);
        return false;
      case 'written':
        this.#state = event.state;
        this.#truth = event.truth;
        return false;
      case 'delete':
        this.#earlierStates.push(this.#state);
        this.#state = emptyState;
        return false;
      case 'select':
        this.#group = event.group;
        return false;
      case 'row':
        this.#rows += 1;
        if (this.#unchanged.has(event.id)) this.#repeated += 1;
        return false;
      case 'statement':
        return this.#knowledge.learn(event.statement);
      case 'other line':
        this.#otherLine ??= event.text;
        return false;
      case 'settled':
        this.#mayStoreLate = event.isSlow;
        return false;
      case 'stop':
        this.#unchanged = new Set(this.#truth.keys());
        this.#repeated = 0;
        return false;
      case 'away':
        this.#wasAway = true;
        return false;
    }
  }

  /** Whether the consumer knows all that it must know. */
  get knowsAll(): boolean {
    // The comparison takes long for many documents, so it waits until it can succeed.
    return this.#knowledge.size >= this.#required().size && this.#difference() === undefined;
  }

  #required(): ReadonlyMap<string, Truth> {
    if (this.#group === undefined) return this.#truth;
    return new Map([...this.#truth].filter(([, { group }]) => group === this.#group));
  }

  #difference(): Violation | undefined {
    const withLeaves = this.#scenario.needs === 'leaves' && this.#knowledge.saysLeaves;
    return this.#knowledge.differenceTo(this.#required(), withLeaves);
  }

  /** The verdict on a consumer that has not got to know the truth. */
  verdictOnIgnorance(
    seen: SeenRequests,
    { ended, messages, isSlow, hasTriedAgain }: VainWait,
  ): Violation | Inconclusive | Skip | Blocked {
    const violation = this.#refusal(seen) ?? this.#silence(ended, hasTriedAgain) ?? this.#difference()!;
    const { events, https } = this.#scenario;
    const skip = seen.hasRequests || https ? this.#missingSubject(seen) : undefined;
    if (skip) return skip;
    if (events.some((event) => expiries.includes(event)) && !seen.sawExpiredCookies) {
      return new Skip(
        'The consumer goes wrong before a cookie that has expired is refused; other scenarios show why.',
      );
    }
    if (ended !== undefined && !seen.hasRequests) {
      const obstacle = 'The consumer has ended by itself before it sent a request';
      const words = [`${obstacle}: ${ended}`, ...messages].join(' ').slice(0, mostOfMessages);
      return new Blocked(words, { obstacle });
    }
    // Limits of a second are a few milliseconds if the clock is fast.
    if (events.includes('be away for an hour') && (hasTriedAgain || !this.#wasAway)) {
      return new Inconclusive(
        `${violation.message}, but it has ${hasTriedAgain ? 'tried again after the hour' : 'not lost the server yet'}: its clock may be too fast for this machine`,
      );
    }
    if (ended === undefined) return isSlow ? violation.dependingOnTiming() : violation;
    const message = `${violation.message}, and has ended by itself with ${ended}`;
    return new Violation(message, violation.difference, { dependsOnTiming: isSlow });
  }

  /** Says more than what the consumer does not know. */
  #silence(ended: string | undefined, hasTriedAgain: boolean): Violation | undefined {
    if (!this.#wasAway || ended !== undefined || hasTriedAgain) return undefined;
    return new Violation('The consumer does not try again after the server was away for an hour', {
      path: 'the attempts since then',
      expected: 'at least 1',
      actual: 0,
    });
  }

  /** Says more than what the consumer does not know. A treatment may refuse requests as well. */
  #refusal({ refusal }: SeenRequests): Violation | undefined {
    const { treatments = [] } = this.#scenario;
    if (refusal === undefined || treatments.length > 0) return undefined;
    return new Violation('The server refuses all feeds of the consumer', {
      path: 'the first refusal',
      expected: 'an answer of the server',
      actual: refusal,
    });
  }

  /**
   * The verdict on a consumer that knows the truth at the end.
   *
   * @param possible the number of requests that were possible in the shortest time in which it had to wait; Infinity
   * without such a time
   * @returns undefined if the consumer survived
   */
  verdictOnKnowledge(seen: SeenRequests, possible: number): Violation | Inconclusive | Skip | undefined {
    return (
      this.#knowledge.inventionAgainst([...this.#earlierStates, this.#state]) ??
      leakIn(seen) ??
      this.#haste(seen, possible) ??
      this.#repetition() ??
      this.#missingSubject(seen) ??
      (this.#scenario.needs === 'leaves' && !this.#knowledge.saysLeaves
        ? new Skip('The consumer does not say which leaf revisions it knows (`leaves`).')
        : undefined)
    );
  }

  #haste({ hasty }: SeenRequests, possible: number): Violation | Inconclusive | undefined {
    const { away } = this.#scenario.treatments?.find((treatment) => treatment.away) ?? {};
    const most = away ? (away.most ?? Infinity) : mostHasty;
    if (hasty > most) {
      const message = away
        ? 'The consumer tries again and again without a wait while the server is away'
        : 'The consumer does not wait although the server says so in Retry-After';
      const path = 'the attempts in this time';
      return new Violation(message, { path, expected: `at most ${most}`, actual: hasty });
    }
    // The next request of a consumer that does not wait may come just after this time.
    if ((hasty + 1) * hurry <= possible) return undefined;
    return new Inconclusive(
      `The machine is too slow to show whether the consumer waits. Attempts in this time: ${hasty}; requests of a client that does not wait: ${possible}`,
    );
  }

  #repetition(): Violation | undefined {
    const most = Math.ceil(this.#unchanged.size / 2);
    if (!this.#scenario.continues || this.#repeated <= most) return undefined;
    const difference = {
      path: 'the rows that it read again',
      expected: `at most ${most}`,
      actual: this.#repeated,
    };
    const message = 'The consumer does not continue from its checkpoint after a restart';
    return new Violation(message, difference, { dependsOnTiming: this.#mayStoreLate });
  }

  /** The consumer does not use what the scenario is about, whatever it fails at. */
  #missingSubject({ hasRequests, hasMetImpostor, sawCookies, sawSelector }: SeenRequests): Skip | undefined {
    const { https, events, needs } = this.#scenario;
    if (https && !hasRequests)
      return new Skip(
        'The consumer does not trust the authority in DOCFEED_CA_FILE, or does not speak https.',
      );
    if (events.some((event) => impostures.includes(event)) && !hasMetImpostor)
      return new Skip('The consumer has not tried to connect again.');
    if (needs === 'cookies' && !sawCookies) return new Skip('The consumer uses no cookies.');
    if (needs === 'selector' && !sawSelector)
      return new Skip('The consumer does not filter with the selector in DOCFEED_SELECTOR.');
    return undefined;
  }

  /**
   * What a consumer lacks to be judged, if it has said nothing.
   *
   * @param mustSpeak whether it still runs and says on its standard output what it knows
   */
  obstacle({ refusal, hasRequests }: SeenRequests, mustSpeak: boolean): string | undefined {
    if (this.#knowledge.count > 0) return undefined;
    if (refusal !== undefined) return `The server refuses all feeds of the consumer: ${refusal}`;
    if (!hasRequests) return 'The consumer sends no request to the database in DOCFEED_DATABASE_URL';
    if (!mustSpeak || this.#rows === 0) return undefined;
    return this.#otherLine === undefined
      ? 'The consumer gets rows and has said nothing: does it flush its standard output?'
      : `The consumer gets rows and has said nothing like {"id":"doc-1","rev":"2-abc"}: its first line is ${this.#otherLine}`;
  }
}

/** The consumer has sent its credentials to another host, or for everybody to read. */
export function leakIn({
  leakedTo,
  speaksPlainly,
}: Pick<SeenRequests, 'leakedTo' | 'speaksPlainly'>): Violation | undefined {
  if (speaksPlainly) {
    return new Violation('The consumer sends a request without encryption to a server whose URL says https', {
      path: 'a connection',
      expected: 'TLS',
      actual: 'http',
    });
  }
  if (leakedTo === undefined) return undefined;
  return new Violation('The consumer sends its credentials to another host', {
    path: 'a request',
    expected: 'no credentials',
    actual: leakedTo,
  });
}
